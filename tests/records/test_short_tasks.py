"""Items of a list of what is next that are short: what to do, by verbs of each language, and the names of things."""

from __future__ import annotations

import pytest

from sleep.records.classification import is_action

ACTIONS = (
    *("Configurar dominio", "Probar el portal", "Escribir pruebas", "Testar os atalhos", "Atualizar README"),
    *("Écrire les tests", "Déployer en production", "Scrivere test", "Tests schrijven", "Server installeren"),
    *("Server umziehen", "Alte Daten löschen", "Login-Bug beheben", "Backup einrichten (bis Freitag)"),
    *("Doku aktualisieren", "Skript parametrisieren", "Настроить бэкап", "Написать тесты", "Найти причину"),
)
THINGS = (
    *("Server Einstellungen", "Neue Ausnahmen", "Alte Aufgaben", "Offene Fragen", "Datenbank", "Neue Daten"),
    *("Calendar sync", "User guide", "Login screen", "Auth tokens", "Filter rules", "Software updates"),
    *("Les tests", "Nuevo portal", "Память сервера", "Скорость ответа", "Сеть и доступ", "Nieuwe gegevens"),
)


@pytest.mark.parametrize("item", ACTIONS)
def test_a_short_item_with_a_verb_says_what_to_do(item: str) -> None:
    """Two words are a task where one of them bids, as infinitives do in other languages."""
    assert is_action(item)


@pytest.mark.parametrize("item", THINGS)
def test_a_short_item_without_one_names_a_thing(item: str) -> None:
    """A name of a thing below such a heading is no task, whatever its last letters are."""
    assert not is_action(item)
