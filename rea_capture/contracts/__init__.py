"""The contracts: every document that enters or leaves, as frozen, strict models.

One file a subject. Below: ``canonical``, ``limits``, ``errors``. Above: every other room.
"""
