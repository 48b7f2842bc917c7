"""German and Chinese: sentences as people and agents write them, and what one message leaves of each."""

from __future__ import annotations

import pytest

from sleep.evaluation import acts

GERMAN = [
    ("user", "Ab sofort bitte keine Commits mehr ohne Ticketnummer.", "constraint"),
    ("user", "Die generierten Dateien dürfen nie von Hand geändert werden.", "constraint"),
    ("user", "Vor jedem Push müssen die Integrationstests laufen.", "constraint"),
    ("user", "Bitte niemals Kundendaten ins Log schreiben.", "constraint"),
    ("user", "Wir haben uns gegen Kafka entschieden, RabbitMQ reicht völlig.", "decision"),
    ("user", "Wir bleiben bei PostgreSQL, ein Umstieg lohnt sich nicht.", "decision"),
    ("assistant", "Ich habe mich für eine Warteschlange statt eines Threadpools entschieden.", "decision"),
    ("assistant", "Die Migration der Altdaten muss noch gemacht werden.", "task"),
    ("assistant", "Noch offen: Die Übersetzungen für Polnisch fehlen.", "task"),
    ("assistant", "Ohne die Zugangsdaten für den Testserver komme ich nicht weiter.", "blocker"),
    ("assistant", "Ich habe es mit Webworkern versucht, das hat aber nicht funktioniert.", "dead end"),
    ("assistant", "Der Absturz ist behoben: Die Ursache war ein Zugriff nach dem Freigeben des Puffers.", "fix"),
    ("user", "Kannst du mir bitte die Testausgabe zeigen?", ""),
    ("user", "Danke, das sieht gut aus!", ""),
    ("assistant", "Ich sehe mir jetzt die Konfiguration an.", ""),
    ("assistant", "Soll ich die alten Einträge auch gleich löschen?", ""),
    ("assistant", "Alle 214 Tests sind grün.", ""),
    ("user", "Benenne die Funktion in `load_all` um.", ""),
    ("user", "Warum dauert der Build heute so lange?", ""),
]
CHINESE = [
    ("user", "以后提交信息一律用英文写。", "constraint"),
    ("user", "生产数据库绝对不能直接改。", "constraint"),
    ("user", "每次合并之前都必须先跑一遍集成测试。", "constraint"),
    ("user", "日誌裡不准出現使用者的個資。", "constraint"),
    ("user", "我们还是用 PostgreSQL 吧，迁移成本太高。", "decision"),
    ("user", "缓存就定 Redis 了，不用 Memcached。", "decision"),
    ("assistant", "我选择了消息队列而不是线程池，因为它更容易扩展。", "decision"),
    ("assistant", "旧数据的迁移还没有做，需要后续补上。", "task"),
    ("assistant", "錯誤處理的單元測試還沒寫。", "task"),
    ("assistant", "没有测试服务器的账号，我没法继续往下做。", "blocker"),
    ("assistant", "试过用 Web Worker，但是行不通。", "dead end"),
    ("assistant", "崩溃已经修复，原因是缓冲区释放之后又被访问。", "fix"),
    ("user", "帮我看一下测试的输出", ""),
    ("user", "谢谢，看起来不错！", ""),
    ("assistant", "我先看一下配置文件。", ""),
    ("assistant", "需要我顺便把旧的记录删掉吗？", ""),
    ("assistant", "214 个测试全部通过。", ""),
    ("user", "把这个函数改名为 `load_all`。", ""),
    ("user", "今天构建为什么这么慢？", ""),
]


def records(role, text):
    """Return the kinds of the records that a message leaves."""
    return {record["kind"].replace("_", " ") for record in acts.records(role, text)}


@pytest.mark.parametrize(("role", "text", "kind"), GERMAN + CHINESE)
def test_a_sentence_leaves_a_record_of_its_kind_or_none(role, text, kind):
    """What rules, chooses, asks, blocks or is left to do is a record of its kind; requests and narration leave none."""
    assert records(role, text) == ({kind} if kind else set())
