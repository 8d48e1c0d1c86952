"""Attaching to one page of a browser that somebody else runs, and leaving it as it was.

    discovery     asks the browser for its name and its targets, before anybody dials it
    plain_http    one bounded GET from a loopback address
    handshake     opening the WebSocket, which leads nowhere else
    relay         the driver's connection, over that WebSocket
    scratch       the folder of the driver's own files
    attaching     the driver, attached; dialogs of other tabs are left alone
    lease         one capture at a time for each browser and target
    scope         which events of a shared context are those of the capture
    instruments   the sessions on the page, its popups and its frames of other processes
    emulation     what they are told about where they run, and how it is taken back (pure)
    workers       service workers of the caller: looked at, never touched
    downloads     downloads of the page are cancelled, each by itself
    cookies       seeded cookies, taken out again
    driver        the driver of an attached page
    session       these, assembled
    limitations   what no attached capture can know (pure)

Below: the rest of ``browser``. Above: ``workflows``. Nothing here brings Playwright until it is asked for.
"""
