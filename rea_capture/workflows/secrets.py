"""Taking declared secrets from the environment.

Below: ``contracts``, ``errors``. Above: ``workflows.capture``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rea_capture.contracts.scenario import Scenario
from rea_capture.contracts.values import SecretValue, Value
from rea_capture.errors import Fault, UnavailableError


def resolve_secrets(scenario: Scenario, environ: Mapping[str, str]) -> dict[str, str]:
    """The value of every declared secret. Raises :class:`UnavailableError` naming each unset variable."""
    faults = [
        Fault(
            f"/secrets/{index}/environment_variable",
            f"environment variable {secret.environment_variable} (secret {secret.secret_id!r}) is not set; "
            "set it for this command",
        )
        for index, secret in enumerate(scenario.secrets)
        if secret.environment_variable not in environ
    ]
    if faults:
        raise UnavailableError(str(faults[0]), faults)
    return {secret.secret_id: environ[secret.environment_variable] for secret in scenario.secrets}


def value_resolver(secrets: Mapping[str, str]) -> Callable[[Value], str]:
    """What turns a literal or a secret reference into the text to type or send."""

    def resolve(value: Value) -> str:
        return secrets[value.secret_id] if isinstance(value, SecretValue) else value.value

    return resolve
