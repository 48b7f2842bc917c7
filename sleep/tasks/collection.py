"""The namespace of a memory's tasks, for `tasks.py` and for the `sleepwake` command."""

from __future__ import annotations

from invoke.collection import Collection

from sleep.tasks import attend, bench, capture, clients, compress, conversation, journal, memory, registers, root, sleep, wake

journal.collection.add_task(capture.capture)
sleep.collection.add_task(attend.attend)
namespace = Collection()
for one in (root.init, root.status, root.doctor, root.demo, compress.compress):
    namespace.add_task(one)
for group in (
    journal.collection,
    *registers.collections,
    sleep.collection,
    wake.collection,
    bench.collection,
    conversation.collection,
    memory.collection,
    clients.collection,
):
    namespace.add_collection(group)
