"""Lines through pipes whose other ends may be slow, stuck or gone.

Below: ``evidence.descriptors``. Above: ``worker``, and the MCP server.
"""
