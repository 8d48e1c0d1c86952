"""What a step's value is, and whether it may be one that must not be seen.

Below: ``credentials``. Above: ``session``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rea_capture.contracts.runtime.failing import failure
from rea_capture.contracts.runtime.operations import CredentialValue, Step
from rea_capture.contracts.runtime.settings import Credential
from rea_capture.errors import Fault
from rea_capture.session.credentials import resolve_credential


def check_value(step: Step, credentials: Mapping[str, Credential]) -> None:
    """Refuse a credential that no fill can use, before anybody is asked anything."""
    if not isinstance(step.value, CredentialValue):
        return
    if step.action != "fill":
        said = f"a credential is for fill; {step.action} takes none"
        faults = [Fault("/request/step/value", said)]
        raise failure("act", "request", "invalid_request", f"the request is not valid: {said}", faults=faults)
    if step.value.credential not in credentials:
        said = f"the session was opened without a credential {step.value.credential!r}"
        raise failure("act", "request", "credential_unavailable", said)


def value_of(
    step: Step, credentials: Mapping[str, Credential], environ: Mapping[str, str], folder: Path
) -> tuple[str | None, str | None]:
    """The name of the credential, if it is one, and the text. Raises as :func:`resolve_credential` does."""
    if not isinstance(step.value, CredentialValue):
        return None, step.value
    name = step.value.credential
    return name, resolve_credential(credentials[name], environ, folder, name=name)


def secret_id_for(name: str, value: str, known: Mapping[str, str]) -> str:
    """What the marker of ``value`` says: ``name``, and a number where it has had other values before."""
    number = 1
    secret_id = name
    while known.get(secret_id, value) != value:
        number += 1
        secret_id = f"{name}.{number}"
    return secret_id
