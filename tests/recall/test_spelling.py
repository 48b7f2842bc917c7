"""Slips of the pen: which word of the memory is meant by one that it does not have."""

from __future__ import annotations

import pytest

from sleep.language.stems import stem
from sleep.recall import search
from sleep.recall.index import access
from sleep.store.tree import InMemory

# (as written, the word that was meant, one that is as near and was not): all written by hand, none from a list.
LEFT_OUT = """
happend happened append
begining beginning begging
occured occurred obscured
adress address dress
comit commit omit
runing running ruining
writen written writer
transfered transferred transformed
databse database databases
enviroment environment environments
goverment government governments
seperatly separately seriously
servr server serve
mesage message mesa
dicision decision division
recomend recommend recommended
persitent persistent persistence
intial initial instill
paramter parameter paraphrase
confguration configuration conflagration
embarass embarrass embargo
"""
TOO_MANY = """
untill until untilled
allways always alleyways
backuup backup backups
tommorow tomorrow tomboy
reffer refer reefer
deploiy deploy deploys
modulle module modules
lattency latency patency
schemma schema stemma
bufffer buffer buffet
tokken token broken
cachhe cache cachet
policcy policy police
writting writing written
proffit profit prophet
parsser parser parses
"""
SWAPPED = """
recieve receive relieve
wierd weird wired
freind friend fiend
gaurd guard gourd
beleive believe relieve
lable label table
tabel table tables
sevrer server severe
porxies proxies pixies
clinet client cling
sturct struct strict
retrun return retry
lenght length lent
widht width wight
acheive achieve archive
quewe queue queen
jounral journal journey
brnach branch brunch
comimt commit comet
ahndler handler candler
"""
WRONG = """
definately definitely defiantly
seperate separate desperate
calender calendar lender
grammer grammar hammer
independant independent independents
existance existence resistance
relevent relevant relent
consistant consistent constant
dependancy dependency dependably
priviledge privilege privileged
maintainance maintenance mountain
suprise surprise supreme
exellent excellent repellent
compatable compatible comparable
responce response sponge
licence license silence
occurance occurrence assurances
threshhold threshold household
refrence reference preference
tempory temporary tempo
rythm rhythm rhyme
resourse resource recourse
conection connection collection
proces process prices
sucess success access
aquire acquire require
garantee guarantee grantee
alocate allocate locate
efect effect defect
polution pollution solution
imposible impossible possible
remeber remember december
"""
SLIPS = [tuple(line.split()) for group in (LEFT_OUT, TOO_MANY, SWAPPED, WRONG) for line in group.strip().splitlines()]


# Not told: two swaps as near as each other; two letters off in a word of seven; a stem that the memory has, of another
# word.
NOT_TOLD = {"wierd": "wired", "tempory": "tempory", "occurance": "occurance"}


@pytest.fixture(scope="module")
def read_as():
    """Return a function that tells how a memory that has all of these words reads one; "" where it has none like it."""
    spelled = sorted({word for _, *words in SLIPS for word in words})
    text = "# Journal\n\n" + "\n\n".join(f"A note on {word} by hand." for word in spelled)
    index = access.index_tree(InMemory({"journal/instance-1.md": text}))
    return lambda word: dict(search.recall(index, word, strict=False).corrected).get(word, word)


@pytest.mark.parametrize(("slip", "meant"), [(slip, meant) for slip, meant, _ in SLIPS])
def test_a_slip_is_read_as_what_was_meant(read_as, slip, meant):
    """A slip is read as the word that was meant (or has its stem), though another one is as near."""
    assert stem(read_as(slip)) == stem(NOT_TOLD.get(slip, meant))


def test_a_word_of_the_memory_is_never_corrected(read_as):
    """A word that the memory has is read as it is, however much it looks like a slip of another one."""
    words = sorted({word for _, *words in SLIPS for word in words})
    assert [(word, read_as(word)) for word in words if read_as(word) != word] == []


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("what do we know about Codex?", {}),
        ("Codex hooks", {}),
        ("Parsr output", {"parsr": "parser"}),
        ("who told Alixe of it?", {"alixe": "alice"}),
        ("where is the Aler file?", {}),
    ],
)
def test_a_name_is_read_as_a_name(question, read):
    """A name that the memory lacks is none of its plain words; the first word of a question may have a slip."""
    text = (
        "# Journal\n\nThe code of the hooks is small.\n\nAlice keeps it in a file.\n\nAn alert came from the parser.\n"
    )
    index = access.index_tree(InMemory({"journal/instance-1.md": text}))
    assert dict(search.recall(index, question, strict=False).corrected) == read


@pytest.mark.parametrize("slip", ["thier", "becuase", "woudl", "whcih", "aobut"])
def test_a_slip_of_a_small_word_is_left_out(slip):
    """A slip of a word that tells nothing is read as no word of the memory, and is not missed."""
    index = access.index_tree(InMemory({"journal/instance-1.md": "# Journal\n\nThe tier would abound: which cause?"}))
    plain = search.recall(index, "cause of the tier")
    slipped = search.recall(index, f"{slip} cause of the tier")
    assert (slipped.corrected, slipped.covered) == (plain.corrected, plain.covered) == ((), 1.0)


def test_the_commoner_word_is_meant():
    """Of two words that are equally near the one is meant that more is said of."""
    text = "# Journal\n\nA bravo here.\n\nA brave one.\n\nA brave other."
    index = access.index_tree(InMemory({"journal/instance-1.md": text}))
    assert search.recall(index, "bravu", strict=False).corrected == (("bravu", "brave"),)
