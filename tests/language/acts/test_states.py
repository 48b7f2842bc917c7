"""States: what a text says of its thing by its words."""

import pytest

from sleep.language.acts import states
from sleep.language.acts.states import BROKEN, DONE, GONE, OPEN, WORKS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The store is deployed", {DONE}),
        ("The store is not yet deployed", {OPEN}),
        ("The upload fails", {BROKEN}),
        ("The old queue was removed", {GONE}),
        ("The upload works", {WORKS}),
        ("`src/fixed.py` holds the words", set()),
        ("The upload could be broken", set()),
        ("When the store is fixed, we ship", set()),
        ("Der Import ist erledigt", {DONE}),
        ("数据库连接问题待解决", {OPEN}),  # to be solved
        ("需要修复登录页面", {OPEN}),  # has to be repaired
        ("The store will be deployed tomorrow", {OPEN}),
        ("登录页面已修复", {DONE}),
    ],
)
def test_the_states_of_a_text(text, said):
    assert states.of(text) == said


@pytest.mark.parametrize(
    ("is_open", "is_done", "is_broken"),
    [
        ("Le problème n'est pas encore résolu", "Problème résolu", "L'envoi échoue"),
        ("El problema aún no está resuelto", "Problema resuelto", "La subida falla"),
        ("O problema ainda não foi resolvido", "Problema resolvido", "O envio falha"),
        ("Il problema non è ancora risolto", "Problema risolto", "L'invio fallisce"),
        ("Het lek moet nog gerepareerd worden", "Lek gerepareerd", "De upload faalt"),
        ("Вопрос ещё не решён", "Вопрос решён", "Сервер упал"),
        ("ログイン画面はまだ修正されていない", "ログイン画面を修正しました", "アップロードに失敗"),
        ("로그인 문제 미해결", "로그인 문제가 해결되었다", "업로드 실패"),
    ],
)
def test_states_in_other_languages(is_open, is_done, is_broken):
    """A language has its words of state by its data file alone."""
    assert (states.of(is_open), states.of(is_done), states.of(is_broken)) == ({OPEN}, {DONE}, {BROKEN})


def test_a_verb_is_denied_behind_it_in_german_and_dutch():
    """`funktioniert nicht` is no state of working."""
    assert states.of("Der Upload funktioniert nicht") == states.of("De upload werkt niet") == {GONE}


def test_the_label_of_a_report():
    assert states.is_report("Fix (commit 12ab): the lock is kept")
    assert not states.is_report("Fix the lock")
