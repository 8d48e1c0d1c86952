"""Storage seeds: written once per storage area, before the first document script that could read it.

How it works, file by file:

* `seeds`    what is to be written where, with origins spelled as ``location.origin`` spells them;
* `areas`    which storage areas have had their seed (pure);
* `script`   the private script that stops a document, and the expression that writes (pure);
* `pauses`   which documents are stopped, and which came up beside them;
* `errands`  work started by events, and the reporting of its faults;
* `target`   one instrumented page or out-of-process frame: its seed pauses and its child frames;
* `writer`   what happens before a document's scripts run: which area it is, whether it needs its seed;
* `hold`     keeps a new window's first documents back until the window is instrumented;
* `seeder`   ties these together for one browser context.

Below: a CDP session of the browser. Above: the driver, which resolves secrets and calls
``StorageSeeder.install`` before any navigation.
"""

from rea_capture.browser.seeding.seeder import StorageSeeder
from rea_capture.browser.seeding.seeds import StorageSeeds

__all__ = ["StorageSeeder", "StorageSeeds"]
