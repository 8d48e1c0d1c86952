"""Scenario files: what a browser is to do, step after step, and what stands around it.

Below: ``runtime``, contracts. Above: ``rea browser run``.
"""
