"""Each value is the highest layer's, and knows whose it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from rea_capture.contracts.runtime.settings import (
    AttachSettings,
    JsonFileCredential,
    LaunchSettings,
    SessionSettings,
)
from rea_capture.errors import InputError
from rea_capture.session.configuration import Origin
from rea_capture.session.configuration.environment import VARIABLES
from tests.session.configuration.machine import Machine, write


def test_without_anything_said_what_is_built_in_holds(machine: Machine) -> None:
    found = machine.configured()
    assert found.settings == SessionSettings()
    assert {each.origin.layer for each in found.values} == {"built-in"}
    assert found.artifact_folder is None


def test_the_call_goes_before_the_project_the_user_the_environment_and_what_is_built_in(
    machine: Machine,
) -> None:
    key = "browser.product"
    machine.environ["REA_BROWSER_PRODUCT"] = "vivaldi"
    assert machine.value(key).origin == Origin("environment", "REA_BROWSER_PRODUCT")
    write(machine.user, '[browser]\nproduct = "chrome"\n')
    assert machine.value(key).origin == Origin("user", str(machine.user), 2)
    write(machine.project, '# ours\n\nbrowser.product = "chromium"\n')
    assert machine.value(key).origin == Origin("project", str(machine.project), 3)
    assert machine.value(key).value == "chromium"
    told = machine.value(key, {"browser": {"product": "firefox"}})
    assert (told.value, told.origin) == ("firefox", Origin("call"))


def test_layers_are_joined_key_by_key(machine: Machine) -> None:
    machine.environ["REA_BROWSER_VIEWPORT"] = "800x600"
    write(machine.user, "[browser]\nheadless = false\n")
    write(machine.project, '[browser]\nproduct = "chromium"\nviewport = { height = 900 }\n')
    browser = machine.configured({"allowedOrigins": ["http://127.0.0.1"]}).settings.browser
    assert isinstance(browser, LaunchSettings)
    assert (browser.product, browser.headless) == ("chromium", False)
    assert (browser.viewport.width, browser.viewport.height) == (800, 900)


def test_files_are_read_anew_each_time(machine: Machine) -> None:
    write(machine.project, "browser.headless = false\n")
    assert machine.value("browser.headless").value is False
    write(machine.project, "browser.headless = true\n")
    assert machine.value("browser.headless").value is True
    machine.project.unlink()
    assert machine.value("browser.headless").origin.layer == "built-in"


def test_of_settings_as_an_object_what_was_set_is_what_the_call_says(machine: Machine) -> None:
    write(machine.project, 'allowedOrigins = ["http://127.0.0.1"]\n[browser]\nheadless = false\n')
    call = SessionSettings(browser=LaunchSettings(product="chromium"))
    found = machine.configured(call).settings
    assert found.allowed_origins == ("http://127.0.0.1",)
    assert isinstance(found.browser, LaunchSettings)
    assert (found.browser.product, found.browser.headless) == ("chromium", False)


def test_the_nearest_project_counts_and_none_beyond_the_repository(machine: Machine) -> None:
    write(machine.home / ".rea" / "browser.toml", "browser.headless = false\n")
    assert machine.value("browser.headless").origin.layer == "built-in"
    write(machine.project, "browser.headless = false\n")
    nearest = write(machine.shop / "tests" / ".rea" / "browser.toml", "browser.headless = true\n")
    assert machine.value("browser.headless").origin == Origin("project", str(nearest), 1)


def test_outside_of_a_repository_the_search_ends_at_home(machine: Machine) -> None:
    write(machine.home.parent / ".rea" / "browser.toml", "browser.headless = false\n")
    (machine.shop / ".git").rmdir()
    assert machine.value("browser.headless").origin.layer == "built-in"
    at_home = write(machine.home / ".rea" / "browser.toml", "browser.headless = false\n")
    assert machine.value("browser.headless").origin.where == str(at_home)


@pytest.mark.parametrize("marker", [".git", ".hg", ".jj"])
def test_a_repository_may_be_marked_by_a_file_too(machine: Machine, marker: str) -> None:
    (machine.shop / ".git").rmdir()
    (machine.shop / marker).write_text("gitdir: elsewhere")
    write(machine.home / ".rea" / "browser.toml", "browser.headless = false\n")
    assert machine.value("browser.headless").origin.layer == "built-in"


def test_paths_of_a_project_start_at_its_folder_and_those_of_the_user_at_the_file(machine: Machine) -> None:
    credential = '[credentials.{}]\nsource = "jsonFile"\npath = "{}"\nentry = "password"\n'
    write(machine.project, 'artifactFolder = "out"\n' + credential.format("ours", "accounts.json"))
    write(machine.user, credential.format("mine", "accounts.json") + credential.format("home", "~/a.json"))
    found = machine.configured()
    paths = {
        name: each.path
        for name, each in found.settings.credentials.items()
        if isinstance(each, JsonFileCredential)
    }
    assert paths == {
        "ours": str(machine.shop / "accounts.json"),
        "mine": str(machine.user.parent / "accounts.json"),
        "home": str(machine.home / "a.json"),
    }
    assert found.artifact_folder == machine.shop / "out"


def test_programs_without_a_slash_are_left_to_the_path_and_others_start_at_the_project(
    machine: Machine,
) -> None:
    write(
        machine.project,
        'browser.executablePath = "bin/chromium"\n'
        '[adapter]\nkind = "command"\nargv = ["./choose.py", "./x"]\n',
    )
    found = machine.configured().settings.wire()
    assert found["browser"]["executablePath"] == str(machine.shop / "bin" / "chromium")
    assert found["adapter"]["argv"] == [str(machine.shop / "choose.py"), "./x"]
    write(machine.project, '[adapter]\nkind = "command"\nargv = ["choose"]\n')
    assert machine.configured().settings.wire()["adapter"]["argv"] == ["choose"]


def test_an_endpoint_means_attaching_and_what_launching_has_is_not_used(machine: Machine) -> None:
    write(machine.user, '[browser]\nproduct = "chrome"\nheadless = false\n')
    write(machine.project, '[browser]\ncdpEndpoint = "http://127.0.0.1:9222"\n')
    found = machine.configured()
    assert found.settings.browser == AttachSettings(mode="attach", cdp_endpoint="http://127.0.0.1:9222")
    assert machine.value("browser.mode").origin == Origin("project", str(machine.project), 2)
    assert {each.key for each in found.unused} >= {"browser.product", "browser.headless"}


def test_a_product_above_an_endpoint_means_launching(machine: Machine) -> None:
    write(machine.project, '[browser]\ncdpEndpoint = "http://127.0.0.1:9222"\n')
    found = machine.configured({"browser": {"product": "chrome"}})
    assert isinstance(found.settings.browser, LaunchSettings)
    assert [each.key for each in found.unused] == ["browser.cdpEndpoint"]


def test_a_layer_that_means_both_has_to_say_which(machine: Machine) -> None:
    text = '[browser]\ncdpEndpoint = "http://127.0.0.1:9222"\nproduct = "chrome"\n'
    write(machine.project, text)
    with pytest.raises(InputError, match="launch or attach") as caught:
        machine.configured()
    assert [(fault.pointer, fault.file) for fault in caught.value.faults] == [
        ("/browser/mode", str(machine.project))
    ]
    write(machine.project, f'{text}mode = "launch"\n')
    assert isinstance(machine.configured().settings.browser, LaunchSettings)


def test_a_named_product_is_not_the_executable_of_a_layer_below(machine: Machine) -> None:
    machine.environ["REA_EXECUTABLE_PATH"] = "/usr/bin/chromium"
    found = machine.configured({"browser": {"product": "vivaldi"}})
    assert isinstance(found.settings.browser, LaunchSettings)
    assert found.settings.browser.executable_path is None
    assert [each.key for each in found.unused] == ["browser.executablePath"]


def test_an_executable_of_the_same_layer_goes_with_the_product(machine: Machine) -> None:
    found = machine.configured({"browser": {"product": "vivaldi", "executablePath": "/opt/vivaldi"}})
    assert isinstance(found.settings.browser, LaunchSettings)
    assert found.settings.browser.executable_path == "/opt/vivaldi"


def test_a_page_of_another_endpoint_is_not_used(machine: Machine) -> None:
    write(machine.user, '[browser]\ncdpEndpoint = "http://127.0.0.1:1"\ntargetId = "A"\n')
    found = machine.configured({"browser": {"cdpEndpoint": "http://127.0.0.1:2"}})
    assert found.settings.browser == AttachSettings(mode="attach", cdp_endpoint="http://127.0.0.1:2")


def test_attaching_without_an_endpoint_is_refused(machine: Machine) -> None:
    with pytest.raises(InputError) as caught:
        machine.configured({"browser": {"mode": "attach"}})
    assert [fault.pointer for fault in caught.value.faults] == ["/browser/cdpEndpoint"]


def test_credentials_of_all_layers_are_there_and_the_highest_of_a_name_counts_whole(machine: Machine) -> None:
    write(machine.user, '[credentials]\na = { source = "literal", value = "1" }\n')
    write(machine.project, '[credentials]\nb = { source = "environment", variable = "B" }\n')
    call = {"credentials": {"a": {"source": "environment", "variable": "A"}}}
    found = machine.configured(call).settings.wire()["credentials"]
    assert found == {
        "a": {"source": "environment", "variable": "A"},
        "b": {"source": "environment", "variable": "B"},
    }


@pytest.mark.parametrize(
    ("variable", "text", "key", "value"),
    [
        ("REA_BROWSER_ALLOWED_ORIGINS", "*", "allowedOrigins", "*"),
        (
            "REA_BROWSER_ALLOWED_ORIGINS",
            "http://a.test, http://b.test:81",
            "allowedOrigins",
            ["http://a.test", "http://b.test:81"],
        ),
        ("REA_BROWSER_ARTIFACT_FOLDER", "/var/out", "artifactFolder", "/var/out"),
        ("REA_BROWSER_MODE", "launch", "browser.mode", "launch"),
        ("REA_BROWSER_PRODUCT", "chrome", "browser.product", "chrome"),
        ("REA_EXECUTABLE_PATH", "/opt/chrome", "browser.executablePath", "/opt/chrome"),
        ("REA_BROWSER_HEADLESS", "False", "browser.headless", False),
        ("REA_BROWSER_HEADLESS", "1", "browser.headless", True),
        ("REA_BROWSER_VIEWPORT", "640x480", "browser.viewport.width", 640),
        ("REA_BROWSER_VIEWPORT", "640x480", "browser.viewport.height", 480),
        ("REA_BROWSER_CDP_ENDPOINT", "http://127.0.0.1:9222", "browser.cdpEndpoint", "http://127.0.0.1:9222"),
    ],
)
def test_each_variable_says_its_key(
    machine: Machine, variable: str, text: str, key: str, value: object
) -> None:
    machine.environ[variable] = text
    told = machine.value(key)
    assert (told.value, told.origin) == (value, Origin("environment", variable))
    assert variable in VARIABLES


def test_an_empty_variable_says_nothing(machine: Machine) -> None:
    machine.environ.update(dict.fromkeys(VARIABLES, ""))
    assert machine.configured().settings == SessionSettings()


def test_all_bad_variables_are_named(machine: Machine) -> None:
    machine.environ.update(REA_BROWSER_HEADLESS="maybe", REA_BROWSER_VIEWPORT="wide")
    with pytest.raises(InputError) as caught:
        machine.configured()
    assert [fault.file for fault in caught.value.faults] == ["REA_BROWSER_HEADLESS", "REA_BROWSER_VIEWPORT"]


def test_a_folder_for_artifacts_starts_where_the_session_is_opened_from(machine: Machine) -> None:
    machine.environ["REA_BROWSER_ARTIFACT_FOLDER"] = "out"
    assert machine.configured().artifact_folder == Path(machine.below, "out")
