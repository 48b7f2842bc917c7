"""Tokens that are known by their form alone: the characters they begin with, or the dots that cut them.

Owns the tables and looking them up. Refuses what a name announces (`secret_rules`) or one word does (`secret_forms`).
"""

from __future__ import annotations

import re

from sleep.redaction import secret_rules as rules
from sleep.redaction.secret_rules import compiled
from sleep.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

Span = tuple[int, int, str]
WINDOW = 640  # how far a rule may look from where it begins

BODY = rb"[A-Za-z0-9_-]"
ALNUM = rb"[A-Za-z0-9]"
HEX = rb"[0-9a-f]"
_END = rb"(?![A-Za-z0-9-]|_\w)"  # behind a body of one length; Markdown may close with a sign


class Shape(NamedTuple):
    """A token that is known by its first characters."""

    kind: str
    prefixes: tuple[bytes, ...]
    tail: bytes  # regular expression of what follows the prefix, to the token's end
    proof: bool = False  # the tail must also look random, because words too may follow the prefix


# Prefixes have no regular-expression characters except what `re.escape` removes. Every token has a stretch of at
# least 20 characters of [A-Za-z0-9_-] that holds its prefix: that stretch is the prefilter.
SHAPES = (
    Shape("aws-access-key", (b"AKIA", b"ASIA", b"ABIA", b"ACCA", b"A3T"), rb"[0-9A-Z]{16,17}" + _END),
    Shape("aws-secret-key", (b"ABSK",), rb"[A-Za-z0-9+/]{60,}={0,2}"),
    Shape("github-token", (b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"), ALNUM + rb"{36,}"),
    Shape("github-token", (b"github_pat_",), rb"\w{36,}"),
    Shape(
        "gitlab-token",
        (b"glpat-", b"gldt-", b"glft-", b"glsoat-", b"glrt-", b"glcbt-", b"glimt-", b"glptt-", b"glagent-", b"gloas-"),
        BODY + rb"{18,}",
    ),
    Shape("gitlab-token", (b"GR1348941",), BODY + rb"{20,}"),
    Shape("slack-token", (b"xoxa-", b"xoxb-", b"xoxe-", b"xoxo-", b"xoxp-", b"xoxr-", b"xoxs-"), BODY + rb"{16,}"),
    Shape("slack-token", (b"xapp-",), BODY + rb"{20,}", proof=True),
    Shape("stripe-key", (b"sk_live_", b"rk_live_", b"sk_test_", b"rk_test_"), ALNUM + rb"{16,}"),
    Shape("stripe-key", (b"whsec_",), rb"[A-Za-z0-9+/]{24,}"),
    Shape("anthropic-key", (b"sk-ant-",), BODY + rb"{20,}"),
    Shape("openai-key", (b"sk-proj-", b"sk-svcacct-", b"sk-admin-"), BODY + rb"{20,}"),
    Shape("api-key", (b"sk-or-v1-",), HEX + rb"{40,}"),
    Shape("openai-key", (b"sk-",), BODY + rb"{20,}", proof=True),
    Shape("google-key", (b"AIza",), BODY + rb"{35,}"),
    Shape("google-key", (b"GOCSPX-",), BODY + rb"{28,}"),
    Shape("npm-token", (b"npm_",), ALNUM + rb"{36,}"),
    Shape("pypi-token", (b"pypi-AgE",), BODY + rb"{50,}"),
    Shape("huggingface-token", (b"hf_", b"api_org_"), ALNUM + rb"{34,}"),
    Shape("twilio-key", (b"SK", b"AC"), HEX + rb"{32}" + _END),
    Shape("mailgun-key", (b"key-",), HEX + rb"{32}" + _END),
    Shape("digitalocean-token", (b"dop_v1_", b"doo_v1_", b"dor_v1_"), HEX + rb"{64}"),
    Shape("heroku-key", (b"HRKU-",), BODY + rb"{36,}"),
    Shape("shopify-token", (b"shpat_", b"shpss_", b"shpca_", b"shppa_"), rb"[0-9a-fA-F]{32}"),
    Shape("square-token", (b"sq0csp-", b"sq0atp-"), BODY + rb"{22,}"),
    Shape("databricks-token", (b"dapi",), HEX + rb"{32}(?![A-Za-z0-9_])"),
    Shape("atlassian-token", (b"ATATT3", b"ATCTT3", b"ATBB"), rb"[A-Za-z0-9_=-]{24,}"),
    Shape("artifactory-token", (b"AKCp",), ALNUM + rb"{40,}"),
    Shape("docker-token", (b"dckr_pat_", b"dckr_oat_"), BODY + rb"{20,}"),
    Shape("tailscale-key", (b"tskey-",), BODY + rb"{20,}", proof=True),
    Shape("replicate-token", (b"r8_",), ALNUM + rb"{37,}"),
    Shape("age-key", (b"AGE-SECRET-KEY-1",), rb"[0-9A-Z]{40,}"),
    Shape(
        "api-key",
        tuple(
            b"gsk_ xai- pplx- nvapi- tvly- figd_ lin_api_ sbp_ sb_secret_ ntn_"
            b" PMAK- NRAK- sntrys_ sntryu_ rubygems_ pscale_tkn_ pscale_pw_ phx_ glsa_ glc_ csk- lsv2_ nfp_ cfut_"
            b" ops_eyJ duffel_live_ duffel_test_ FLWSECK- FLWSECK_TEST- CFPAT- CLOJARS_ tfp_ xkeysib-"
            b" apify_api_ jina_ fm2_ ctx7sk- crsr_ sgamp_user_ wandb_v1_ CCIPAT_ CCIPRJ_ vcp_ lin_oauth_ pscale_oauth_"
            b" bb_live_".split()
        ),
        BODY + rb"{20,}",
        proof=True,
    ),
    Shape("api-key", (b"pul-", b"bkua_", b"e2b_"), HEX + rb"{40}" + _END),
    Shape("api-key", (b"fc-",), HEX + rb"{32}" + _END),
    Shape("api-key", (b"sgp_",), rb"(?:[0-9a-f]{16}_|local_)?" + HEX + rb"{40}" + _END),
    Shape("api-key", (b"rpa_",), rb"[A-Z0-9]{40}[A-Za-z0-9]{0,6}" + _END),
    Shape("api-key", (b"rnd_",), ALNUM + rb"{28,}" + _END, proof=True),
    Shape("api-key", (b"sk_",), HEX + rb"{48}" + _END),
    Shape("api-key", (b"pat-na1-", b"pat-eu1-"), HEX + rb"{8}(?:-" + HEX + rb"{4,12}){4}"),
    Shape("api-key", (b"secret_",), ALNUM + rb"{43}" + _END, proof=True),
    Shape("api-key", (b"re_",), ALNUM + rb"{8}_" + ALNUM + rb"{24}" + _END, proof=True),
    Shape("api-key", (b"aio_",), ALNUM + rb"{28}" + _END, proof=True),
    Shape("api-key", (b"pa-",), BODY + rb"{43}" + _END, proof=True),
    Shape("api-key", (b"fw_",), ALNUM + rb"{22,24}" + _END, proof=True),
    Shape("api-key", (b"cio",), ALNUM + rb"{32}" + _END, proof=True),
    Shape("api-key", (b"oy2",), rb"[a-z0-9]{43}" + _END, proof=True),
    Shape("api-key", (b"LTAI", b"AKID"), ALNUM + rb"{16,32}" + _END, proof=True),
    Shape("api-key", (b"AQVN",), BODY + rb"{35,}", proof=True),
    Shape("api-key", (b"EZAK", b"EZTK", b"EAAAE", b"EAAAl"), BODY + rb"{54,60}" + _END, proof=True),
    Shape("jwt", (b"eyJ",), BODY + rb"{17,}(?:\.[A-Za-z0-9_-]+){1,4}"),
)

# Tokens that a dot or a colon cuts: what stands before a stretch of 20 or more characters, and the whole.
DOTTED = (
    (b"AQ.", "google-key", rb"AQ\.Ab8[\w-]{40,}"),
    (b"SG.", "sendgrid-key", rb"SG\.[\w-]{16,64}\.[\w-]{16,64}"),
    (b"ya29.", "google-token", rb"ya29\.[\w-]{20,}"),
    (b"hvs.", "vault-token", rb"hvs\.[\w-]{24,}"),
    (b"hvb.", "vault-token", rb"hvb\.[\w-]{24,}"),
    (b"dp.pt.", "api-key", rb"dp\.pt\.[A-Za-z0-9]{40,}"),
    (b"dp.sa.", "api-key", rb"dp\.sa\.[A-Za-z0-9]{40,}"),
    (b"dp.ct.", "api-key", rb"dp\.ct\.[A-Za-z0-9]{40,}"),
    (b"dt0c01.", "api-key", rb"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
)
_HEX_TAIL, _TELEGRAM_TAIL = 64, 35  # characters of what follows the dot or the colon
TERRAFORM = rb"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}"
AIRTABLE = rb"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![\w-])"
TELEGRAM = rb"[0-9]{8,10}:[\w-]{35}(?![\w-])"
DISCORD = rb"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])"
MAILCHIMP = rb"[0-9a-f]{32}-us[0-9]{1,2}(?![\w-])"

_CLASSES = bytes(97 if bytes([byte]).isalnum() or byte in b"_-" else 32 for byte in range(256))
_RUN = b"a" * 20
_DOT, _EMPHASIS = ord("."), ord("_")
_BEFORE = frozenset(b"\\%[.:")  # what cuts a token, and the escapes (`\n`, `%3D`, a colour) that glue a letter to one
_GLUED, _CUTS = frozenset(b"\\%["), frozenset(b".:")  # of those, the escapes, and the signs
_SHAPES = {prefix: shape for shape in SHAPES for prefix in shape.prefixes}
_HEADS = frozenset(prefix[:2] for prefix in _SHAPES)
_HEAD = b"|".join(map(re.escape, sorted(_SHAPES, key=len, reverse=True)))
_GLUE = rb"(?:(?<=\\)(?:[nrtbf]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})|(?<=%)[0-9A-Fa-f]{2}|(?<=\[)[0-9]{0,2}m)?"
# A token may stand behind another word or a sign of Markdown: `key_ghp_...`, `_ghp_..._`. Not where words begin so.
_WORDS = frozenset((b"key-", b"sk-", b"sk_", b"r8_", b"hf_", b"re_", b"pa-", b"fw_"))
_BEHIND = [each for each in _SHAPES if each.endswith((b"_", b"-")) and each not in _WORDS]
_INNER = rb"[_-](?=(?:" + b"|".join(map(re.escape, [*_BEHIND, b"AKIA", b"AIza"])) + rb")[A-Za-z0-9])"


def find(raw: bytes) -> Iterator[Span]:
    """Yield start, end and kind of the tokens that are known by their first characters or their dots."""
    runs = _runs(raw)
    inner = compiled(_INNER).search
    has_inner = inner(b" ".join([raw[start:end] for start, end in runs])) is not None  # one search for all of them
    for start, end in runs:
        if raw[start : start + 2] in _HEADS or raw[start - 1] in _BEFORE or raw[end] == _DOT:
            glue = compiled(_GLUE).match(raw, start, end) if raw[start - 1] in _GLUED else None
            first = start if glue is None else glue.end()
            yield from _prefixed(raw, first, end)
            if raw[first - 1] in _CUTS or raw[end] == _DOT:
                yield from _dotted(raw, first, end)
        if raw[start] == _EMPHASIS:
            yield from _prefixed(raw, start + 1, end)
        sign = inner(raw, start, end) if has_inner else None
        while sign is not None:
            yield from _prefixed(raw, sign.end(), end)
            sign = inner(raw, sign.end(), end)


def _runs(raw: bytes) -> list[tuple[int, int]]:
    """Return start and end of each stretch of token characters that is long enough for a token."""
    mapped = raw.translate(_CLASSES)
    runs = []
    start = mapped.find(_RUN)
    while start >= 0:
        end = mapped.index(b" ", start)
        runs.append((start, end))
        start = mapped.find(_RUN, end)
    return runs


def _prefixed(raw: bytes, start: int, end: int) -> Iterator[Span]:
    hit = compiled(_HEAD).match(raw, start, end) if raw[start : start + 2] in _HEADS else None
    if hit is None:
        return
    shape = _SHAPES[hit[0]]
    match = compiled(shape.tail).match(raw, hit.end())
    if match is not None and rules.genuine(match[0], proof=shape.proof):
        yield hit.start(), match.end(), shape.kind


def _dotted(raw: bytes, start: int, end: int) -> Iterator[Span]:
    """Yield the tokens that a dot or colon cuts, around one stretch: each is tried where its own sign stands."""
    before = raw[max(0, start - 11) : start]  # ten digits and a colon at most
    for sign, kind, source in DOTTED:
        if before.endswith(sign):
            yield from matches(kind, source, raw, start - len(sign))
    if before.endswith(b".atlasv1."):
        yield from matches("api-key", TERRAFORM, raw, start - 23)
    if end - start == _HEX_TAIL and before[-1:] == b".":
        yield from matches("api-key", AIRTABLE, raw, start - 18)
    if end - start == _TELEGRAM_TAIL and before[-1:] == b":" and before[-2:-1].isdigit():
        digits = len(before) - 1 - len(before[:-1].rstrip(b"0123456789"))
        yield from matches("telegram-token", TELEGRAM, raw, start - 1 - digits)
    if raw[end] == _DOT and raw[start] in b"MNO":
        yield from matches("discord-token", DISCORD, raw, start)


def matches(kind: str, source: bytes, raw: bytes, start: int) -> Iterator[Span]:
    """Yield the token of a form that stands at one place, where no other word goes before it but an escape."""
    if start < 0:
        return
    if raw[start - 1 : start].isalnum():  # an escape such as `\n` may be glued to the token
        glued = compiled(_GLUE + rb"\Z").search(raw[max(0, start - 6) : start])
        if glued is None or not glued[0]:
            return
    match = compiled(source).match(raw, start, start + WINDOW)
    if match is not None and not rules.wordy(match[0]) and not rules.placeholder(match[0]):
        yield (*match.span(), kind)
