"""The persistent runtime: a browser that a program drives step by step.

Below: workflows, browser, contracts. Above: the command line, MCP, programs in Python.
"""
