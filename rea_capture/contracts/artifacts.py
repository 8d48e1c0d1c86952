"""The six artifacts of a step, and the checks that tie each to its digest and size.

Below: ``states``, ``urls``, ``encodings``, ``canonical``. Above: ``capture`` and the rooms that read a page.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from rea_capture.canonical import sha256_hex
from rea_capture.contracts.base import Constraint, SafeInteger, Sha256Hex, record
from rea_capture.contracts.encodings import base64_of, check_digest, decoded_base64, png_size
from rea_capture.contracts.states import Missing, NotRequested, Truncated
from rea_capture.contracts.urls import ObservedUrl

_Bytes: TypeAlias = bytes  # the records below have a field of that name


@record
class Screenshot:
    """What the viewport showed: a PNG with its digest and size in bytes and pixels."""

    bytes: SafeInteger
    data_base64: str
    height: SafeInteger
    media_type: Literal["image/png"]
    sha256: Sha256Hex
    width: SafeInteger

    def __post_init__(self) -> None:
        png = decoded_base64(self.data_base64)
        check_digest(png, self.bytes, self.sha256)
        if png_size(png) != (self.width, self.height):
            raise ValueError("width and height are not those of the image")

    @classmethod
    def of(cls, png: _Bytes) -> Screenshot:
        """The record of ``png``. Raises ``ValueError`` when it is not a PNG."""
        width, height = png_size(png)
        return cls(
            bytes=len(png),
            data_base64=base64_of(png),
            height=height,
            media_type="image/png",
            sha256=sha256_hex(png),
            width=width,
        )


@record
class Text:
    """Text with the digest and size of its UTF-8 form."""

    bytes: SafeInteger
    sha256: Sha256Hex
    text: str

    def __post_init__(self) -> None:
        check_digest(self.text.encode("utf-8"), self.bytes, self.sha256)

    @classmethod
    def of(cls, text: str) -> Text:
        """The record of ``text``, which must be well formed and redacted."""
        data = text.encode("utf-8")
        return cls(bytes=len(data), sha256=sha256_hex(data), text=text)


@record
class NavigationEntry:
    """One navigation timing entry of the document; ``name`` is its URL."""

    name: str
    type: str


@record
class History:
    """Session history as the page sees it."""

    current_url: ObservedUrl
    length: SafeInteger
    navigation_entries: tuple[NavigationEntry, ...]


@record
class StoredEntry:
    """One entry of web storage: its name, and the digest of its value or why there is none."""

    name: str
    value_sha256: Sha256Hex | None
    value_state: Literal["hashed", "redacted-secret"]

    def __post_init__(self) -> None:
        check_value_state(self.value_state, self.value_sha256)


@record
class StoredCookie:
    """One cookie that the page's URL would be sent."""

    domain: str
    http_only: bool
    name: str
    path: str
    same_site: Literal["Strict", "Lax", "None"]
    secure: bool
    value_sha256: Sha256Hex | None
    value_state: Literal["hashed", "redacted-secret"]

    def __post_init__(self) -> None:
        check_value_state(self.value_state, self.value_sha256)


def check_value_state(state: str, sha256: str | None) -> None:
    """Raise ``ValueError`` unless a digest is there exactly when the value was hashed."""
    if (state == "hashed") is (sha256 is None):
        raise ValueError("value_sha256 is there exactly when value_state is hashed")


@record
class Storage:
    """What the page's origin has stored; each list is sorted."""

    cookies: tuple[StoredCookie, ...]
    local_storage: tuple[StoredEntry, ...]
    session_storage: tuple[StoredEntry, ...]


@record
class CapturedScreenshot:
    state: Literal["captured"] = "captured"
    value: Screenshot


@record
class CapturedText:
    state: Literal["captured"] = "captured"
    value: Text


@record
class CapturedUrl:
    state: Literal["captured"] = "captured"
    value: ObservedUrl


@record
class CapturedHistory:
    state: Literal["captured"] = "captured"
    value: History


@record
class CapturedStorage:
    state: Literal["captured"] = "captured"
    value: Storage


_STATE: Final = Constraint(discriminator="state")
ScreenshotState = Annotated[CapturedScreenshot | NotRequested | Missing | Truncated, _STATE]
TextState = Annotated[CapturedText | NotRequested | Missing | Truncated, _STATE]
UrlState = Annotated[CapturedUrl | NotRequested | Missing | Truncated, _STATE]
HistoryState = Annotated[CapturedHistory | NotRequested | Missing | Truncated, _STATE]
StorageState = Annotated[CapturedStorage | NotRequested | Missing | Truncated, _STATE]

AnyState = (
    CapturedScreenshot
    | CapturedText
    | CapturedUrl
    | CapturedHistory
    | CapturedStorage
    | NotRequested
    | Missing
    | Truncated
)


@record
class Artifacts:
    """The capture state of each artifact of a step."""

    accessibility: TextState
    dom: TextState
    history: HistoryState
    screenshot: ScreenshotState
    storage: StorageState
    url: UrlState
