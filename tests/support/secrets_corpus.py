"""Secrets and innocent text, made from a seed at run time: no token stands in this file for a scanner to find."""

import base64
import hashlib
import json
import random
import string
import uuid
from collections.abc import Callable, Iterator
from typing import NamedTuple

LOWER = string.ascii_lowercase
DIGITS = string.digits
ALNUM = string.ascii_letters + DIGITS
BASE64 = ALNUM + "+/"
URLSAFE = ALNUM + "-_"
CAPITALS = string.ascii_uppercase + DIGITS
EDGE = "-----BEGIN " + "PRIVATE KEY" + "-----"
HEX = DIGITS + "abcdef"
WORDS = [
    "anchor",
    "basket",
    "candle",
    "dragon",
    "engine",
    "forest",
    "garden",
    "hammer",
    "island",
    "jacket",
    "kitten",
    "ladder",
    "magnet",
    "needle",
    "orange",
    "pencil",
    "rabbit",
    "saddle",
    "timber",
    "umbrella",
    "velvet",
    "window",
    "yellow",
    "zebra",
    "copper",
    "desert",
    "elbow",
    "fabric",
    "glove",
    "harbor",
]


class Case(NamedTuple):
    """A text and the spot of the one secret in it."""

    kind: str
    context: str
    text: str
    start: int
    end: int


def take(rng: random.Random, alphabet: str, size: int) -> str:
    """Return random characters, of at least two sorts where the alphabet has digits, as real keys are."""
    while True:
        value = "".join(rng.choices(alphabet, k=size))
        if all(not set(sort) & set(alphabet) or set(sort) & set(value) for sort in (DIGITS, string.ascii_letters)):
            return value


def _b64(rng: random.Random, size: int) -> str:
    return base64.b64encode(rng.randbytes(size)).decode()


def _jwt(rng: random.Random) -> str:
    head, body = (
        {"alg": "HS256", "typ": "JWT"},
        {"sub": take(rng, DIGITS, 10), "iat": rng.randrange(10**9, 2 * 10**9)},
    )
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in (head, body)]
    return ".".join([*parts, take(rng, URLSAFE, 42) + "A"])


def _pem(rng: random.Random, name: str, newline: str) -> str:
    body = _b64(rng, 600)
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    edge = "-" * 5
    return newline.join([f"{edge}BEGIN {name}PRIVATE KEY{edge}", *lines, f"{edge}END {name}PRIVATE KEY{edge}"])


def _password(rng: random.Random) -> str:
    word = rng.choice(WORDS).capitalize()
    return rng.choice(
        [
            word + rng.choice("!@#%*?") + take(rng, DIGITS, 4),
            take(rng, ALNUM + "!@#%^*", 14),
            take(rng, LOWER + DIGITS, 12),
            rng.choice(WORDS) + take(rng, DIGITS, 3),
        ]
    )


def _j(*parts: str) -> str:
    return "".join(parts)


Make = Callable[[random.Random], str]

# Known by their shape: found wherever they stand.
SHAPED: dict[str, Make] = {
    "aws-access-key": lambda r: _j("AK", "IA", take(r, string.ascii_uppercase + "234567", 16)),
    "aws-session-key": lambda r: _j("AS", "IA", take(r, string.ascii_uppercase + "234567", 16)),
    "github": lambda r: _j("gh", r.choice("posur"), "_", take(r, ALNUM, 36)),
    "github-fine": lambda r: _j("github", "_pat_", take(r, ALNUM, 22), "_", take(r, ALNUM, 59)),
    "gitlab": lambda r: _j("gl", "pat-", take(r, ALNUM, 20)),
    "gitlab-runner": lambda r: _j("gl", "rt-", take(r, ALNUM, 20)),
    "slack-bot": lambda r: _j(
        "xo", "xb-", str(r.randrange(10**11, 10**12)), "-", str(r.randrange(10**11, 10**12)), "-", take(r, ALNUM, 24)
    ),
    "slack-user": lambda r: _j(
        "xo", "xp-", str(r.randrange(10**11, 10**12)), "-", str(r.randrange(10**11, 10**12)), "-", take(r, HEX, 32)
    ),
    "stripe": lambda r: _j("sk", "_live_", take(r, ALNUM, 24)),
    "stripe-restricted": lambda r: _j("rk", "_live_", take(r, ALNUM, 99)),
    "openai": lambda r: _j("s", "k-", take(r, ALNUM, 20), "T3Blbk", "FJ", take(r, ALNUM, 20)),
    "openai-project": lambda r: _j("s", "k-proj-", take(r, URLSAFE, 74), "T3Blbk", "FJ", take(r, ALNUM, 74)),
    "anthropic": lambda r: _j("s", "k-ant-", "api03-", take(r, URLSAFE, 93), "AA"),
    "google-api": lambda r: _j("AI", "za", take(r, ALNUM, 35)),
    "google-oauth": lambda r: _j("ya", "29.", take(r, URLSAFE, 120)),
    "google-client": lambda r: _j("GOC", "SPX-", take(r, ALNUM, 28)),
    "npm": lambda r: _j("np", "m_", take(r, ALNUM, 36)),
    "pypi": lambda r: _j("py", "pi-", "AgEIcHlwaS5vcmc", take(r, URLSAFE, 140)),
    "huggingface": lambda r: _j("h", "f_", take(r, string.ascii_letters, 34)),
    "telegram": lambda r: _j(str(r.randrange(10**8, 10**10)), ":A", "A", take(r, URLSAFE, 32), "x"),
    "twilio": lambda r: _j("S", "K", take(r, HEX, 32)),
    "sendgrid": lambda r: _j("S", "G.", take(r, URLSAFE, 21), "x.", take(r, URLSAFE, 42), "x"),
    "mailgun": lambda r: _j("ke", "y-", take(r, HEX, 32)),
    "mailchimp": lambda r: _j(take(r, HEX, 32), "-u", f"s{r.randrange(1, 20)}"),
    "digitalocean": lambda r: _j("do", "p_v1_", take(r, HEX, 64)),
    "heroku-new": lambda r: _j("HR", "KU-", str(uuid.UUID(int=r.getrandbits(128)))),
    "discord": lambda r: _j("M", take(r, ALNUM, 23), ".", take(r, ALNUM, 6), ".", take(r, ALNUM, 27)),
    "shopify": lambda r: _j("shp", "at_", take(r, HEX, 32)),
    "square": lambda r: _j("sq0", "csp-", take(r, ALNUM, 43)),
    "databricks": lambda r: _j("da", "pi", take(r, HEX, 32)),
    "vault": lambda r: _j("hv", "s.", take(r, ALNUM, 90)),
    "age": lambda r: _j("AGE-SEC", "RET-KEY-1", take(r, CAPITALS, 58)),
    "groq": lambda r: _j("gs", "k_", take(r, ALNUM, 52)),
    "grafana": lambda r: _j("gl", "sa_", take(r, ALNUM, 32), "_", take(r, HEX, 8)),
    "notion": lambda r: _j("sec", "ret_", take(r, ALNUM, 43)),
    "resend": lambda r: _j("r", "e_", take(r, ALNUM, 8), "_", take(r, ALNUM, 24)),
    "pulumi": lambda r: _j("pu", "l-", take(r, HEX, 40)),
    "netlify": lambda r: _j("nf", "p_", take(r, ALNUM, 36)),
    "langsmith": lambda r: _j("lsv", "2_pt_", take(r, HEX, 32), "_", take(r, HEX, 10)),
    "bedrock": lambda r: _j("AB", "SK", take(r, ALNUM, 109)),
    "nuget": lambda r: _j("oy", "2", take(r, LOWER + DIGITS, 43)),
    "doppler": lambda r: _j("dp", ".pt.", take(r, ALNUM, 43)),
    "dynatrace": lambda r: _j("dt0", "c01.", take(r, CAPITALS, 24), ".", take(r, CAPITALS, 64)),
    "airtable": lambda r: _j("pa", "t", take(r, ALNUM, 14), ".", take(r, HEX, 64)),
    "terraform": lambda r: _j(take(r, ALNUM, 14), ".atlas", "v1.", take(r, ALNUM, 67)),
    "fly": lambda r: _j("fm", "2_", take(r, ALNUM, 90)),
    "jwt": _jwt,
}

# Blocks and addresses, which make their own context; the secret is the part that the function returns first.
PLACED: dict[str, Callable[[random.Random], tuple[str, str]]] = {
    "pem-rsa": lambda r: (block := _pem(r, "RSA ", "\n"), f"The old key was\n\n{block}\n\nand is gone."),
    "pem-ssh": lambda r: (block := _pem(r, "OPENSSH ", "\n"), f"$ cat id\n{block}\n$"),
    "pem-escaped": lambda r: (block := _pem(r, "", "\\n"), f'{{"type": "service_account", "private_key": "{block}"}}'),
    "pem-removed": lambda r: (
        block := _pem(r, "EC ", "\n-"),
        f"@@ -1,9 +0,0 @@\n-{block}\n",
    ),
    "pem-encoded": lambda r: (
        block := base64.b64encode(_pem(r, "", "\n").encode()).decode(),
        f"apiVersion: v1\ntls.key: {block}\n",
    ),
    "putty": lambda r: (
        block := "\n".join(take(r, BASE64, 64) for _ in range(4)),
        f"{'PuTTY'}-User-Key-File-3: ssh-rsa\nPrivate-Lines: 4\n{block}\nPrivate-MAC: {take(r, HEX, 40)}",
    ),
    "url-password": lambda r: (word := take(r, ALNUM, 16), f"git clone https://build:{word}@git.acme.io/x.git"),
    "database-url": lambda r: (
        word := take(r, ALNUM + "!-_", 18),
        f"DATABASE_URL=postgresql://app:{word}@db.acme.io:5432/main",
    ),
    "redis-url": lambda r: (word := take(r, ALNUM, 22), f'"cache": "redis://:{word}@10.0.0.4:6379/0",'),
    "slack-webhook": lambda r: (
        path := f"T{take(r, CAPITALS, 8)}/B{take(r, CAPITALS, 8)}/{take(r, ALNUM, 24)}",
        f"curl -X POST https://hooks.{'slack'}.com/services/{path} -d x",
    ),
    "discord-webhook": lambda r: (
        path := f"{r.randrange(10**17, 10**18)}/{take(r, URLSAFE, 67)}z",
        f"url: https://discord.com/api/{'webhooks'}/{path}",
    ),
    "bearer": lambda r: (word := take(r, ALNUM, 40), f"curl -H 'Authorization: Bearer {word}' https://api.acme.io/v1"),
    "basic": lambda r: (word := _b64(r, 24), f'headers = {{"Authorization": "Basic {word}"}}'),
    "azure": lambda r: (
        word := _b64(r, 64),
        f"DefaultEndpointsProtocol=https;AccountName=acme;{'Account'}Key={word};EndpointSuffix=core.windows.net",
    ),
    "connection-string": lambda r: (
        word := take(r, ALNUM + "!#", 15) + "a",
        f"Server=db.acme.io;Database=main;User Id=app;Password={word};Encrypt=true",
    ),
    "curl-user": lambda r: (word := take(r, ALNUM, 18), f"curl -u deploy:{word} https://ci.acme.io/build"),
    "mysql-option": lambda r: (word := take(r, ALNUM, 14), f"mysqldump -u root -p{word} main > main.sql"),
    "sshpass": lambda r: (word := take(r, ALNUM + "!%", 13) + "a", f"sshpass -p '{word}' ssh pi@10.0.0.9 uptime"),
    "told in a sentence": lambda r: (
        word := r.choice(WORDS) + take(r, DIGITS, 2),
        f"By the way, my password is {word}, please use it.",
    ),
    "wide colon": lambda r: (word := "Pa9!" + take(r, ALNUM, 10), f"登录 password：{word}\n好"),
    "npmrc": lambda r: (word := str(uuid.UUID(int=r.getrandbits(128))), f"//registry.acme.io/:_authToken={word}\n"),
    "seed-phrase": lambda r: (
        words := " ".join(r.choices(WORDS, k=r.choice([12, 24]))),
        f"Recovery phrase: {words}\nkeep it safe",
    ),
    "mnemonic": lambda r: (words := " ".join(r.choices(WORDS, k=12)), f'MNEMONIC="{words}"\n'),
}

# Known only by their name.
NAMED: dict[str, tuple[str, Make]] = {
    "aws-secret": ("aws_secret_access_key", lambda r: take(r, BASE64, 40)),
    "heroku": ("HEROKU_API_KEY", lambda r: str(uuid.UUID(int=r.getrandbits(128)))),
    "datadog": ("DD_API_KEY", lambda r: take(r, HEX, 32)),
    "cloudflare": ("cloudflare_api_token", lambda r: take(r, URLSAFE, 39) + "a"),
    "twilio-auth": ("TWILIO_AUTH_TOKEN", lambda r: take(r, HEX, 32)),
    "ethereum": ("private_key", lambda r: "0x" + take(r, HEX, 64)),
    "client-secret": ("client_secret", lambda r: take(r, URLSAFE, 31) + "a"),
    "signing-key": ("signingKey", lambda r: take(r, HEX, 64)),
    "jwt-secret": ("JWT_SECRET", lambda r: take(r, ALNUM, 32)),
    "rails": ("SECRET_KEY_BASE", lambda r: take(r, HEX, 128)),
    "session-token": ("sessionToken", lambda r: take(r, BASE64, 64)),
    "password": ("password", _password),
    "db-password": ("DB_PASSWORD", _password),
    "user-password": ("userPassword", _password),
    "db-pass": ("DB_PASS", _password),
    "passphrase": ("backup-passphrase", _password),
    "credential": ("service_credential", lambda r: take(r, ALNUM, 30)),
    "license": ("license_key", lambda r: "-".join(take(r, CAPITALS, 5) for _ in range(5))),
}

FREE = {
    "prose": "We rotated {} yesterday, after the audit.",
    "quoted prose": "The reviewer pasted `{}` into the thread.",
    "line": "{}",
    "code": "client = connect('{}', retries=3)",
    "json": '{{"value": "{}", "n": 3}}',
    "json lines": '{{"message":"first line\\n{}\\nlast"}}',
    "json in json": '{{"content":"{{\\"value\\":\\"{}\\"}}"}}',
    "yaml": "env:\n  - name: X\n    value: {}\n",
    "env": "export VALUE={}\nexport OTHER=1\n",
    "table": "| name | value |\n|---|---|\n| x | {} |\n",
    "url": "https://api.acme.io/v1/items?page=2&value={}&sort=asc",
    "command": "deploy --with {} --force",
    "colour": "\x1b[32m{}\x1b[0m done",
    "parentheses": "(see {})",
}
LABELLED = {
    "env": "export {name}={}\nexport OTHER=1\n",
    "env quoted": '{name}="{}"\n',
    "yaml": "service:\n  {name}: {}\n  port: 80\n",
    "yaml quoted": "{name}: '{}'\n",
    "json": '{{"user": "app", "{name}": "{}", "port": 80}}',
    "json tight": '{{"user":"app","{name}":"{}","port":80}}',
    "json in json": '{{"content":"{{\\"{name}\\": \\"{}\\"}}"}}',
    "json lines": '{{"message":"export {name}={}\\nexport X=1"}}',
    "python": "{name} = '{}'  # temporary",
    "typed": 'const {name}: string = "{}";',
    "go": 'cfg := Config{{\n\t{name}: "{}",\n}}',
    "setter": 'config.set("{name}", "{}")',
    "default": "os.environ.get('{name}', '{}')",
    "subscript": 'os.environ["{name}"] = "{}"',
    "markdown bold": "- **{name}:** {}\n- **Port:** 80\n",
    "markdown bold code": "**{name}**: `{}`",
    "table": "| {name} | {} |\n",
    "table code": "| `{name}` | `{}` |\n",
    "prose code": "The {name} is `{}`, do not share it.",
    "query": "https://api.acme.io/v1?{name}={}&page=2",
    "flag": "deploy --{name} {} --force",
    "flag equals": "deploy --{name}={} --force",
    "xml": "<{name}>{}</{name}>",
    "toml": '[auth]\n{name} = "{}"\n',
    "properties": "spring.datasource.{name}={}\n",
}


def _case(kind: str, context: str, text: str, secret: str) -> Case:
    start = text.index(secret)
    return Case(kind, context, text, start, start + len(secret))


def secrets(seed: int, rounds: int = 1) -> Iterator[Case]:
    """Yield every kind in every context it can have, `rounds` times."""
    rng = random.Random(seed)
    for _ in range(rounds):
        for kind, make in SHAPED.items():
            for context, form in FREE.items():
                secret = make(rng)
                yield _case(kind, context, form.format(secret), secret)
        for kind, place in PLACED.items():
            secret, text = place(rng)
            yield _case(kind, "own", text, secret)
            yield _case(kind, "own in prose", f"Note to self.\n{text}\nMore text follows.", secret)
        for kind, (name, make) in NAMED.items():
            for context, form in LABELLED.items():
                secret = make(rng)
                yield _case(kind, context, form.format(secret, name=name), secret)


def _image(rng: random.Random) -> str:
    return f"![plot](data:image/png;base64,iVBORw0KGgo{_b64(rng, 900)})"


def _sha(rng: random.Random) -> str:
    return hashlib.sha256(rng.randbytes(8)).hexdigest()


def _address(rng: random.Random) -> str:
    return take(rng, "".join(sorted(set(ALNUM) - set("0OIl"))), 44)


# Text that has the looks or the words of a secret and is none.
INNOCENT: dict[str, Make] = {
    "git sha": lambda r: f"commit {_sha(r)[:40]}\nMerge: {_sha(r)[:7]} {_sha(r)[:7]}",
    "sha256": lambda r: f"sha256:{_sha(r)}  dist.tar.gz\nDigest: sha256:{_sha(r)}",
    "md5": lambda r: f"{_sha(r)[:32]}  file.iso",
    "uuid": lambda r: (
        f'"uuid":"{uuid.UUID(int=r.getrandbits(128))}","parentUuid":"{uuid.UUID(int=r.getrandbits(128))}"'
    ),
    "request ids": lambda r: (
        f'"id":"msg_01{take(r, ALNUM, 22)}","tool_use_id":"toolu_01{take(r, ALNUM, 22)}",'
        f'"requestId":"req_011{take(r, ALNUM, 21)}"'
    ),
    "signature": lambda r: f'"type":"thinking","signature":"{_b64(r, 400)}"',
    "image": _image,
    "raw base64": lambda r: "\n".join(_b64(r, 48) for _ in range(12)),
    "lock file": lambda r: (
        f'"integrity": "sha512-{_b64(r, 64)}",\n"resolved": "https://registry.npmjs.org/x/-/x-1.0.0.tgz"'
    ),
    "go sum": lambda r: f"golang.org/x/sys v0.1.0 h1:{_b64(r, 32)}\ngolang.org/x/sys v0.1.0/go.mod h1:{_b64(r, 32)}",
    "pip hashes": lambda r: f"requests==2.32.0 \\\n    --hash=sha256:{_sha(r)}",
    "ssh public key": lambda r: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{_b64(r, 32)} me@host",
    "ssh key in yaml": lambda r: f"ssh_key: ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB{_b64(r, 256)}",
    "fingerprint": lambda r: f"SHA256:{_b64(r, 32).rstrip('=')} (ED25519)",
    "gpg fingerprint": lambda r: f"ENV GPG_KEY={_sha(r)[:40].upper()}",
    "public key": lambda r: f'"public_key": "{_b64(r, 32)}"\npublicKey: {_sha(r)}',
    "certificate": lambda r: "-----BEGIN CERTIFICATE-----\n" + _b64(r, 500) + "\n-----END CERTIFICATE-----",
    "ethereum address": lambda r: f"sent to 0x{_sha(r)[:40]} in 0x{_sha(r)}",
    "solana address": lambda r: f"wallet {_address(r)} holds 3 SOL",
    "cid": lambda r: f"ipfs://bafybei{take(r, LOWER + '234567', 52)} and Qm{_address(r)}",
    "placeholders": lambda r: r.choice(
        [
            "API_KEY=your-api-key-here",
            "password: changeme",
            "export TOKEN=<your-token>",
            'api_key = "' + 24 * "x" + '"',
            "PASSWORD=********",
            'password = "${DB_PASSWORD}"',
            "token: $GITHUB_TOKEN",
            "token: ${{ secrets.GITHUB_TOKEN }}",
            'client_secret: "{{ vault_client_secret }}"',
            "API_KEY=...",
            'secret = "' + "my-secret-" + 'value"',
            'token = "test-token-123"',
            '"password": "' + "password" + '123"',
            "SECRET_KEY=REPLACE_ME_WITH_A_SECRET_2024",
            f"use {'s' + 'k-'}your-key-goes-here-please-now-1",
            f"{'gh' + 'p_'}{'x' * 36}",
        ]
    ),
    "markers": lambda r: r.choice(
        ["password = [REDACTED:password]", 'api_key: "[REDACTED:api-key]", x: 1', "Bearer [REDACTED:bearer-token]"]
    ),
    "code about secrets": lambda r: r.choice(
        [
            'password = os.environ["DB_PASSWORD2"]',
            "const token = req.headers.authorization.split(' ')[1]",
            "token = await getToken(user.id, 3600)",
            "secret = secrets.token_hex(32)",
            "if password == config.db2.password:",
            "def login(username: str, password: str | None = None) -> bool:",
            "this.apiKey = options.apiKey ?? process.env.API_KEY;",
            'Password string `json:"password" validate:"required,min=8"`',
            f"'password' => '{'required'}|string|min:8|confirmed',",
            "type=password&name=user_password_2",
            '<input type="password" name="password" id="password-field-2">',
            "api_key=settings.OPENAI_API_KEY2, model=settings.MODEL",
            "key = (user_id, session_id2)",
            'key="sidebar-item-2"',
            "PublicKey: key.PublicKey, KeyID: hex2.Encode(key.ID)",
            "headers={'Authorization': f'Bearer {token2}'}",
            'Authorization: "Bearer ${ACCESS_TOKEN2}"',
            f"edge = '{EDGE}'",
            "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased-v2')",
            "for token in doc.tokens[:128]: pass",
            'cacheKey: "user:1234:profile:v2"',
            'monkey: "b4n4n4_split_2024_x"',
        ]
    ),
    "usage counts": lambda r: (
        f'"usage":{{"input_tokens":{r.randrange(10**5)},"cache_read_input_tokens":{r.randrange(10**6)},'
        f'"max_tokens": 32000}}'
    ),
    "token settings": lambda r: (
        "MAX_TOKENS=64000\nmax_thinking_tokens: 31999\nTOKENIZERS_PARALLELISM=false\ntoken_budget = 200_000"
    ),
    "page token": lambda r: f'"nextPageToken": "{take(r, URLSAFE, 40)}", "continuation_token": "{take(r, ALNUM, 30)}"',
    "prose about secrets": lambda r: r.choice(
        [
            "The password is hashed with argon2id before it is stored.",
            "The token is SHA-256 hashed, the key is 32 bytes (AES256-GCM).",
            "Password: must contain 8 characters and 2 digits.",
            "The API key is read from `config/settings_v2.yaml`.",
            "Decision: the secret is stored in vault-prod-2, not in the repository.",
            "The key for the cache is `user:42:profile-v2`.",
            "Tests pass: 128/128 in 3.2s. Key: D-012. Secret sauce: none.",
            "The passphrase is required when the key is 4096-bit RSA.",
            "Token: OAuth2 access token, valid for 3600s",
            "Seed phrase: never ask the user for it, and never store it in any of the logs of the program at all.",
            "| Password reset | 2024-03-01 | done |",
            "- **Token expiry:** 2024-03-01T12:00:00Z",
            "- **SSH key:** `~/.ssh/id_ed25519_work2`",
            "- **Auth:** OAuth2 with PKCE (RFC7636)",
            "mkdir -p src/app2 && cp -a lib2/x4 out && docker run -p 8080:8080/tcp img",
            "db_password: !vault |",
        ]
    ),
    "urls": lambda r: r.choice(
        [
            "https://user@github.com/a/b.git and git@github.com:a/b.git",
            "http://localhost:8080/@scope/pkg and http://127.0.0.1:3000,admin@acme.io",
            f"postgres://{'postgres:' * 2}".rstrip(":") + "@localhost:5432/test",
            "postgres://user:" + "password@localhost/db",
            "mysql://app:${DB_PASS}@db/main",
            "https://<user>:<token>@github.com/a/b",
            "https://docs.acme.io/guides/authentication-and-api-keys-v2?tab=python3#create-key-2",
            f"https://drive.acme.com/file/d/{take(r, URLSAFE, 33)}/view?usp=sharing",
            f"https://youtu.be/{take(r, URLSAFE, 11)}?t=42",
        ]
    ),
    "paths": lambda r: "/srv/app/node_modules/.pnpm/@scope+pkg@1.2.3_react@18.2.0/node_modules/x/dist/index.esm2017.js",
    "key paths": lambda r: (
        "private_key: /etc/ssl/private/acme-2024.pem\nIdentityFile ~/.ssh/id_rsa2\nkey_file=/run/secrets/db2_key"
    ),
    "identifiers": lambda r: (
        "test_user2_can_reset_password_v2_with_token AuthTokenV2RefreshHandlerFactoryImpl32 useEffect2SecretKeyProvider"
    ),
    "versions": lambda r: "token@1.2.3 key: v2.10.4-beta.1 password=1.0.0-rc2 secret: 2024.03.01",
    "times": lambda r: (
        '"token_expires":"2024-03-01T12:00:00.123Z","key":"2024-03-01","password_changed_at": 1709294400'
    ),
    "diff": lambda r: (
        f"index {_sha(r)[:10]}..{_sha(r)[:10]} 100644\n--- a/src/token2.py\n+++ b/src/token2.py\n@@ -12,7 +12,9 @@ key2"
    ),
    "css and html": lambda r: (
        f'<div class="css-{take(r, ALNUM, 8)} Key_root__{take(r, ALNUM, 5)}" data-key="row-12">#1a2b3c</div>'
    ),
    "numbers": lambda r: (
        ", ".join(str(r.randrange(10**12)) for _ in range(8)) + " 3.14159265358979323846264338327950288"
    ),
    "environment": lambda r: (
        "PWD=/srv/work2\nOLDPWD=/srv/work1\nSSH_AUTH_SOCK=/tmp/ssh-XXa2/agent.12\nKEYBOARD=us2\nXAUTHORITY=/run/x2"
    ),
    "docker": lambda r: f"Successfully built {_sha(r)[:12]}\nimage: acme/api@sha256:{_sha(r)}",
    "other script": lambda r: "Пароль изменён 2024-03-01. 密码已更新,令牌有效期三十天。パスワードは八文字以上です。",
}


def innocent(seed: int, rounds: int = 1) -> Iterator[tuple[str, str]]:
    """Yield kinds of innocent text with an example, `rounds` times."""
    rng = random.Random(seed)
    for _ in range(rounds):
        for kind, make in INNOCENT.items():
            yield kind, make(rng)
