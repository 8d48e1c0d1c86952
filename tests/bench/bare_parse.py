"""The yardstick of comparing and verifying: read, parse, and one SHA-256 over the bytes.

Usage: python bare_parse.py FILE...
"""

import hashlib
import sys

import orjson

digest = hashlib.sha256()
for name in sys.argv[1:]:
    with open(name, "rb") as file:
        data = file.read()
    orjson.loads(data)
    digest.update(data)
print(digest.hexdigest())
