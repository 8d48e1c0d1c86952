"""What provably has no owner is taken down, and nothing else is touched."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from rea_capture.browser.ownership import Reclaimed, machine, reclaim, recorded_launches
from rea_capture.browser.ownership.before_launch import reclaim_before_launch
from rea_capture.browser.ownership.folders import delete_folder, identified
from rea_capture.browser.processes import Process, kill, processes_of
from rea_capture.browser.profile import OwnedProfile
from tests.browser.ownership.support import PARENT, SLEEPER, Owner, first_line, runs, spawned, wait_until

Owners = Callable[[], Owner]
Browsers = Callable[[Path], "subprocess.Popen[str]"]


def only(outcomes: list[Reclaimed]) -> Reclaimed:
    (outcome,) = outcomes
    return outcome


def kept(owner: Owner, reason: str) -> None:
    """The record of ``owner`` and its folder stay, for ``reason``, which the doctor is told as well."""
    assert [(state.standing, state.reason) for state in recorded_launches()] == [("unproven", reason)]
    outcome = only(reclaim())
    assert (outcome.outcome, outcome.reason) == ("kept", reason)
    assert owner.record.exists()


def test_after_a_kill_browser_profile_and_record_go(owner: Owners, browser: Browsers, state: Path) -> None:
    dead = owner().killed()
    orphan = browser(dead.root / "profile")
    assert [each.standing for each in recorded_launches()] == ["abandoned"]
    outcome = only(reclaim())
    assert (outcome.outcome, outcome.processes) == ("removed", 1)
    assert orphan.wait(10) == -9
    assert not dead.root.exists()
    assert os.listdir(state) == []
    assert reclaim() == []


def test_the_children_of_a_browser_go_with_it(owner: Owners, processes: list[subprocess.Popen[str]]) -> None:
    dead = owner().killed()
    parent = spawned(PARENT, SLEEPER, f"--user-data-dir={dead.root / 'profile'}")
    processes.append(parent)
    child = int(first_line(parent))
    assert only(reclaim()).processes == 2
    wait_until(lambda: not runs(child), "the child's end")
    assert parent.wait(10) == -9


def test_an_owner_that_lives_keeps_what_it_has(owner: Owners, browser: Browsers) -> None:
    alive = owner()
    running = browser(alive.root / "profile")
    assert [each.standing for each in recorded_launches()] == ["in_use"]
    assert only(reclaim()).outcome == "in_use"
    assert running.poll() is None
    assert (alive.root / "profile/Cookies").exists()


def test_an_owner_that_lives_without_its_lock_keeps_what_it_has() -> None:
    profile = OwnedProfile.create()
    profile.ownership.release(keep_record=True)  # as on a file system that only pretends to lock
    reason = f"its process {os.getpid()} still runs"
    assert (only(reclaim()).outcome, only(reclaim()).reason) == ("kept", reason)
    assert profile.user_data.exists()
    profile.ownership.path.unlink()


def test_an_owner_that_has_ended_and_that_nobody_waits_for_has_nothing_any_more(owner: Owners) -> None:
    dead = owner()
    dead.process.kill()  # its parent, which is this test, takes note of it below
    wait_until(lambda: machine.has_ended(dead.process.pid), "its end")
    assert only(reclaim()).outcome == "removed"
    assert not dead.root.exists()
    dead.process.communicate(timeout=10)


def test_a_number_that_was_given_out_again_is_not_its_owner(owner: Owners) -> None:
    dead = owner().killed()
    started = machine.start_ticks(os.getpid())
    assert started is not None
    dead.rewrite(owner={"pid": os.getpid(), "started": started - 1})
    assert only(reclaim()).outcome == "removed"
    assert not dead.root.exists()


def test_after_a_restart_of_the_machine_no_process_is_asked_for(owner: Owners) -> None:
    dead = owner().killed()
    me = {"pid": os.getpid(), "started": machine.start_ticks(os.getpid())}
    dead.rewrite(boot_id="another", owner=me)
    assert only(reclaim()).outcome == "removed"
    assert not dead.root.exists()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"boot_id": None}, "this system does not tell one boot from another"),
        ({"boot_id": "another", "host": "elsewhere"}, "it was made on another machine ('elsewhere')"),
        ({"pid_namespace": "pid:[1]"}, "it was made in another container"),
        ({"owner": {"pid": 1, "started": None}},
         "there is a process 1, and the system does not tell since when"),
        ({"run_id": "0"}, "it could not be read: a record of another name"),
        ({"owner": 5}, "it could not be read: not a record of a launch (TypeError)"),
        ({"owner": {"pid": 2**31, "started": 1}}, "it could not be read: not the id of a process"),
        ({"host": "\ud800"}, "it could not be read: not a record of a launch (UnicodeEncodeError)"),
        ({"padding": "x" * 70_000}, "it could not be read: longer than a record is"),
    ],
)  # fmt: skip
def test_what_cannot_be_proved_stays(owner: Owners, changes: dict[str, object], reason: str) -> None:
    dead = owner().killed()
    dead.rewrite(**changes)
    kept(dead, reason)
    assert (dead.root / "profile/Cookies").exists()


def test_a_link_in_the_place_of_a_folder_is_not_followed(owner: Owners, tmp_path: Path) -> None:
    dead = owner().killed()
    precious = dead.root.rename(tmp_path / "precious")
    dead.root.symlink_to(precious)
    kept(dead, f"{dead.root}: a symbolic link is in its place")
    assert (precious / "profile/Cookies").exists()


def test_links_inside_a_folder_are_not_followed(owner: Owners, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "letter").write_text("dear")
    dead = owner().killed()
    (dead.root / "profile/link").symlink_to(precious)
    assert only(reclaim()).outcome == "removed"
    assert (precious / "letter").exists()


def test_another_folder_in_the_place_of_one_stays(owner: Owners, browser: Browsers) -> None:
    dead = owner().killed()
    other = dead.root.with_name("other")
    other.mkdir()
    shutil.rmtree(dead.root)
    other.rename(dead.root)
    running = browser(dead.root / "profile")
    kept(dead, f"{dead.root}: another folder is in its place")
    assert running.poll() is None
    assert dead.root.exists()


def test_a_folder_of_somebody_else_stays(owner: Owners, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = identified(owner().killed().root)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert delete_folder(folder) == "the folder in its place belongs to somebody else"
    assert os.path.exists(folder.path)


def test_a_folder_of_another_name_stays(owner: Owners, tmp_path: Path) -> None:
    dead = owner().killed()
    mine = tmp_path / "documents"
    mine.mkdir()
    found = mine.stat()
    dead.rewrite(folders=[{"path": str(mine), "device": found.st_dev, "inode": found.st_ino}])
    kept(dead, f"{mine}: its name is not one that this program gives")
    assert mine.exists()


def test_a_folder_made_in_the_moment_of_the_kill_goes_only_if_it_is_empty(owner: Owners) -> None:
    dead = owner().killed()
    folder = {"path": str(dead.root), "device": None, "inode": None}
    dead.rewrite(folders=[folder])
    kept(dead, f"{dead.root}: it had not been identified, and is not empty")
    shutil.rmtree(dead.root / "profile")
    for each in dead.root.iterdir():
        each.rmdir()
    assert only(reclaim()).outcome == "removed"
    assert not dead.root.exists()


def test_names_and_ages_prove_nothing(owner: Owners, browser: Browsers, tmp_path: Path) -> None:
    dead = owner().killed()
    look_alike = dead.root.with_name("rea-capture-0000000000000000")
    (look_alike / "profile").mkdir(parents=True)
    os.utime(look_alike, (0, 0))
    running = [browser(look_alike / "profile"), browser(dead.root / "profile-2"), browser(dead.root)]
    assert only(reclaim()).outcome == "removed"
    assert look_alike.exists()
    assert [process.poll() for process in running] == [None] * 3


def test_a_process_that_has_got_the_number_of_another_is_not_killed(
    browser: Browsers, tmp_path: Path
) -> None:
    process = browser(tmp_path / "profile")
    (found,) = processes_of(tmp_path / "profile")
    assert found.pid == process.pid
    kill(Process(found.pid, found.started - 1))
    assert process.poll() is None
    kill(found)
    assert process.wait(10) == -9


def test_a_record_in_the_place_of_which_is_something_else_stays(state: Path, tmp_path: Path) -> None:
    OwnedProfile.create().delete()
    target = tmp_path / "target.json"
    target.write_text("{}")
    (state / "a.json").symlink_to(target)
    os.mkfifo(state / "b.json")
    (state / "c.json").mkdir()
    assert [outcome.outcome for outcome in reclaim()] == ["failed"] * 3
    assert [each.standing for each in recorded_launches()] == ["unproven"] * 3
    assert target.exists()
    assert len(os.listdir(state)) == 3


def test_an_unfinished_record_goes_and_one_that_is_being_written_stays(state: Path) -> None:
    OwnedProfile.create().delete()
    (state / "dead.tmp").write_text("{")
    assert reclaim() == []
    assert os.listdir(state) == []


def test_of_many_cleaners_at_once_one_does_it_and_none_stumbles(owner: Owners, state: Path) -> None:
    dead = [owner().killed() for _ in range(3)]
    outcomes: list[Reclaimed] = []
    start = threading.Barrier(8)

    def cleaner() -> None:
        start.wait(10)
        outcomes.extend(reclaim())

    threads = [threading.Thread(target=cleaner) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(each.path for each in outcomes if each.outcome == "removed") == sorted(
        each.record for each in dead
    )
    assert {each.outcome for each in outcomes} <= {"removed", "in_use"}
    assert os.listdir(state) == []


def test_cleaners_never_touch_launches_that_are_starting(state: Path) -> None:
    stop = threading.Event()
    outcomes: list[Reclaimed] = []

    def cleaner() -> None:
        while not stop.is_set():
            outcomes.extend(reclaim())

    threads = [threading.Thread(target=cleaner) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(20):
            profile = OwnedProfile.create()
            profile.ownership.browser_started(os.getpid(), 0)
            assert profile.ownership.path.exists()
            assert profile.user_data.exists()
            assert profile.delete() is None
    finally:
        stop.set()
        for thread in threads:
            thread.join(30)
    assert {each.outcome for each in outcomes} <= {"in_use"}
    assert os.listdir(state) == []


async def test_a_launch_cleans_up_first_and_is_not_held_up_by_what_it_cannot_read(
    owner: Owners, state: Path
) -> None:
    dead, broken, alive = owner().killed(), owner().killed(), owner()
    broken.record.write_text("not a record")
    async with asyncio.timeout(30):
        await reclaim_before_launch()
    assert not dead.root.exists()
    assert broken.root.exists()
    assert alive.root.exists()
    assert sorted(os.listdir(state)) == sorted([broken.record.name, alive.record.name])


async def test_a_launch_that_finds_nothing_starts_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a thread was asked for")

    monkeypatch.setattr(asyncio, "to_thread", refuse)
    await reclaim_before_launch()
    profile = OwnedProfile.create()
    await reclaim_before_launch()
    assert profile.delete() is None


def test_the_record_of_a_dead_owner_is_plain_json(owner: Owners) -> None:
    dead = owner().killed()
    document = json.loads(dead.record.read_text())
    assert sorted(document) == [
        "boot_id", "browser", "folders", "format", "host", "owner", "pid_namespace", "run_id",
    ]  # fmt: skip
