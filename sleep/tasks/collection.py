"""The namespace of a memory's tasks, for `tasks.py` and for the `sleepwake` command."""

from __future__ import annotations

from invoke.collection import Collection

from sleep.tasks import bench, compress, journal, memory, registers, root, sleep, wake

namespace = Collection()
for one in (root.init, root.status, root.doctor, root.demo, compress.compress):
    namespace.add_task(one)
for group in (
    journal.collection,
    *registers.collections,
    sleep.collection,
    wake.collection,
    bench.collection,
    memory.collection,
):
    namespace.add_collection(group)
