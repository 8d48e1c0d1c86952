"""The door for clients of the Model Context Protocol: the same documents, over stdio and loopback HTTP.

    messages    what the tools take and answer, beside the contracts' own documents
    catalogue   the tools as they are listed, generated from contracts and messages into tools.json
    arguments   those of a call as they were sent, strictly read; frame carries the bytes to there
    tools       one function a tool; captures and turns run captures, store keeps what came of them
    answers     results and refusals as the protocol wants them
    server      the protocol's methods, bound to the above
    stdio       frames over two pipes; loopback serves the same over HTTP

Nothing is decided here that a workflow can decide. This is the only room that imports ``mcp``, and nothing
imports this room but the command that serves it.

Below: workflows. Above: ``cli.serve_command``.
"""
