"""Who chooses the element, and where a credential is seen: by the fill, and by nobody else."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.session.worker.asking import Asker, step

SECRET = "correct-horse-battery"
BY_NAME = {"kind": "accessible-name"}


def literal(value: str = SECRET) -> dict[str, Any]:
    return {"password": {"source": "literal", "value": value}}


def fill(**more: Any) -> dict[str, Any]:
    return step(action="fill", ref="e2", value={"credential": "password"}, **more)


async def test_a_step_without_a_ref_needs_an_adapter(asker: Asker) -> None:
    session = await asker.opened()
    error = (await asker.ask("act", session, request=step()))["error"]
    assert (error["code"], error["phase"], error["mutationState"]) == (
        "adapter_missing",
        "resolve",
        "not_attempted",
    )
    assert asker.events == []


async def test_the_adapter_of_the_session_chooses_from_what_is_observed(asker: Asker) -> None:
    session = await asker.opened(adapter=BY_NAME)
    result = (await asker.ask("act", session, request=step()))["result"]
    assert (result["ref"], result["adapter"]) == ("e1", "accessible-name")
    assert asker.events == ["s0 observe", "s0 act"]
    assert asker.live().acted[0].step.document_id == "d1"


async def test_an_adapter_is_not_asked_about_a_step_that_has_a_ref(asker: Asker) -> None:
    session = await asker.opened(adapter=BY_NAME)
    result = (await asker.ask("act", session, request=step(ref="e2")))["result"]
    assert (result["ref"], result.get("adapter")) == ("e2", None)
    assert asker.events == ["s0 act"]


async def test_a_document_that_the_caller_means_is_the_one_that_is_acted_on(asker: Asker) -> None:
    session = await asker.opened(adapter=BY_NAME)
    await asker.ask("act", session, request=step(documentId="older"))
    assert asker.live().acted[0].step.document_id == "older"  # which the live session refuses


async def test_an_adapter_without_an_answer_leaves_everything_as_it_was(asker: Asker) -> None:
    session = await asker.opened(adapter=BY_NAME)
    error = (await asker.ask("act", session, request=step(instruction="Do it")))["error"]
    assert (error["code"], error["mutationState"]) == ("adapter_failed", "not_attempted")
    assert asker.events == ["s0 observe"]


async def test_a_credential_reaches_the_fill_and_is_redacted_before_it(asker: Asker) -> None:
    session = await asker.opened(credentials=literal())
    answer = await asker.ask("act", session, request=fill())
    assert asker.live().values == [SECRET]
    assert asker.events == ["s0 redact password", "s0 act"]
    assert asker.live().secrets == {"password": SECRET}
    assert answer["result"]["tab"]["title"] == "[REDACTED:password]"


async def test_nothing_that_the_worker_says_shows_what_was_resolved(asker: Asker) -> None:
    session = await asker.opened(credentials=literal())
    said = [await asker.ask("act", session, request=fill())]
    said.append(await asker.ask("selectTab", session, request={"tab": "t1"}))
    said += [await asker.ask(op, session) for op in ("observe", "read", "listTabs", "reload", "close")]
    text = json.dumps(said)
    assert SECRET not in text
    assert text.count("[REDACTED:password]") >= 6
    assert all("result" in each for each in said)


async def test_an_error_shows_nothing_of_it_either(asker: Asker) -> None:
    session = await asker.opened(credentials=literal())
    said = [await asker.ask("act", session, request=fill(instruction="fail"))]
    said.append(await asker.ask("navigate", session, request={"url": "http://fails.test"}))
    assert [each["error"]["code"] for each in said] == ["navigation_failed"] * 2
    assert SECRET not in json.dumps(said)


async def test_an_adapter_sees_nothing_of_it(asker: Asker, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    program = (
        f"import os, sys; heard = open({str(heard)!r}, 'w'); "
        "heard.write(sys.stdin.read() + repr(dict(os.environ))); "
        'print(\'{"ref": "e1"}\')'
    )
    adapter = {"kind": "command", "argv": [sys.executable, "-c", program]}
    session = await asker.opened(credentials=literal(), adapter=adapter)
    await asker.ask("act", session, request=fill())
    request = step(instruction=f"Press Save after {SECRET}")
    assert (await asker.ask("act", session, request=request))["result"]["adapter"] == "command"
    text = heard.read_text()
    assert "Password [REDACTED:password]" in text
    assert "Press Save after [REDACTED:password]" in text
    assert SECRET not in text


async def test_a_value_that_is_no_credential_is_no_secret(asker: Asker) -> None:
    session = await asker.opened(credentials=literal())
    answer = await asker.ask("act", session, request=step(action="fill", ref="e2", value="plain"))
    assert answer["result"]["tab"]["title"] == "plain"
    assert asker.live().secrets == {}


async def test_a_credential_whose_file_changes_is_read_again_and_both_values_are_kept_back(
    asker: Asker, tmp_path: Path
) -> None:
    (tmp_path / "password").write_text("first-of-them\n")
    session = await asker.opened(credentials={"password": {"source": "file", "path": "password"}})
    await asker.ask("act", session, request=fill())
    (tmp_path / "password").write_text("second-of-them\n")
    await asker.ask("act", session, request=fill())
    assert asker.live().values == ["first-of-them", "second-of-them"]
    asker.live().shown = "first-of-them and second-of-them"
    said = (await asker.ask("read", session))["result"]["text"]
    assert said == "It shows [REDACTED:password] and [REDACTED:password.2]"


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (step(action="fill", ref="e2", value={"credential": "other"}), "credential_unavailable"),
        (step(action="press", ref="e2", value={"credential": "password"}), "invalid_request"),
        (fill(), "credential_unavailable"),
    ],
)
async def test_a_credential_that_cannot_be_used_is_refused_before_anything_is_done(
    asker: Asker, request_: dict[str, Any], code: str
) -> None:
    session = await asker.opened(credentials=literal("x"))  # too short to be redacted
    error = (await asker.ask("act", session, request=request_))["error"]
    assert (error["code"], error["mutationState"]) == (code, "not_attempted")
    assert asker.events == []


async def test_credentials_of_one_session_mean_nothing_in_another(asker: Asker) -> None:
    await asker.opened(credentials=literal())
    other = await asker.opened()
    assert (await asker.ask("act", other, request=fill()))["error"]["code"] == "credential_unavailable"
