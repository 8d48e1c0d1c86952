"""A secret on screen is painted over, and the reading says so; what cannot be hidden is not shown."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, Page

from tests.browser.artifacts.looks import Attach, Picture, value
from tests.loopback import Loopback

pytestmark = pytest.mark.asyncio(loop_scope="module")

MASK = (255, 0, 255)
STYLE = """<!DOCTYPE html><style>
  * {color: rgb(0, 0, 255) !important; font: 20px/1.5 monospace; margin: 0}
  .hide, .hide * {color: #fff !important; background: #fff; border: 0}
  ::placeholder {color: rgb(0, 0, 255); opacity: 1}</style>"""

SHOWN = {
    "text": "<p>say topsecret9 now</p>",
    "text in the body": "topsecret9",
    "upper case by style": "<p style='text-transform: uppercase'>topsecret9</p>",
    "split over inline elements": "<p>top<b>sec</b><i>ret<u>9</u></i></p>",
    "split over lines": "<p style='width: 60px'>top<br>sec<wbr>ret9</p>",
    "grouped": "<p>tops ecre t9</p>",
    "input value": "<input value=topsecret9>",
    "text area": "<textarea>topsecret9</textarea>",
    "placeholder": "<input placeholder=topsecret9>",
    "button": "<input type=button value=topsecret9>",
    "alternative text": "<img width=200 height=40 alt=topsecret9 src=data:,>",
    "selected option": "<select><option>a<option selected>topsecret9</select>",
    "list box": "<select size=2><option>a<option>topsecret9</select>",
    "option label": "<select><option selected label=topsecret9></select>",
    "generated content": "<style>p::before{content: attr(data-x)}</style><p data-x=topsecret9></p>",
    "SVG text": "<svg><text y=20 fill=blue>topsecret9</text></svg>",
    "open shadow root": """<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode: 'open'})
      .innerHTML = '<p style="color:#00f">topsecret9</p>'</script>""",
    "closed shadow root": """<x-a></x-a><script>const r = document.querySelector('x-a')
      .attachShadow({mode: 'closed'}); r.innerHTML = '<p style="color:#00f"><b>topsecret9</b></p><div></div>';
      r.lastChild.attachShadow({mode: 'closed'}).innerHTML = '<p style="color:#00f">topsecret9</p>'</script>""",
    "bare text of a shadow root": """<div></div><script>document.querySelector('div')
      .attachShadow({mode: 'open'}).textContent = 'topsecret9'</script>""",
    "child frame": "<iframe style='border: 9px solid #fff; padding: 7px' srcdoc='<p style=color:#00f>topsecret9'></iframe>",
    "scaled child frame": """<iframe style='transform: scale(.7) translate(-30px, 20px); border: 0'
      srcdoc='<p style=color:#00f>topsecret9'></iframe>""",
    "turned child frame": """<div style='rotate: 12deg'><iframe style='border: 0'
      srcdoc='<p style=color:#00f>topsecret9'></iframe></div>""",
    "turned text": "<p style='transform: rotate(30deg) translate(60px, 40px); width: 200px'>topsecret9</p>",
    "scrolled child frame": """<iframe style='border: 0' srcdoc='<body style=height:2000px><p
      style="color:#00f;margin-top:900px">topsecret9<script>scrollTo(0, 880)</script>'></iframe>""",
    "percent-encoded": "<p>%74 https://x.test/?t=topsecret9&amp;u</p>",
}


def ink(picture: Picture) -> bool:
    """Whether any text is to be seen, however smoothed its edges are."""
    colors = picture.colors(0, 0, *picture.image.size)
    return any(red < 100 and green < 100 and blue > 200 for red, green, blue in colors)


@pytest.mark.parametrize("where", SHOWN)
async def test_no_ink_of_a_secret_is_left(page: Page, attach: Attach, loopback: Loopback, where: str) -> None:
    await page.goto(loopback.route("/", STYLE + SHOWN[where]))
    clear = (await (await attach()).read({"screenshot"})).artifacts
    assert ink(Picture.of(clear)), "the page shows nothing, so this proves nothing"
    reading = await (await attach(token="topsecret9")).read({"screenshot"})
    picture = Picture.of(reading.artifacts)
    assert MASK in picture.colors(0, 0, 400, 300)
    assert not ink(picture)
    assert any(re.fullmatch(r"screenshot has \d+ regions? painted over .*", note) for note in reading.notes)


async def test_a_frame_of_another_site_that_shows_a_secret_is_painted_over(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    child = loopback.route("/child", f"{STYLE}<p>topsecret9").replace("127.0.0.1", "localhost")
    await page.goto(loopback.route("/", f"<!DOCTYPE html><p>ok<p><iframe src='{child}'></iframe>"))
    clear = (await (await attach()).read({"screenshot"})).artifacts
    assert ink(Picture.of(clear))
    reading = await (await attach(token="topsecret9")).read({"screenshot"})
    assert not ink(Picture.of(reading.artifacts))


async def test_what_is_beside_a_secret_stays_visible(page: Page, attach: Attach, loopback: Loopback) -> None:
    html = (
        f"{STYLE}<p>before</p><p>topsecret9</p><p>topsecret9 again</p><p>after</p><a title=topsecret9>t</a>"
    )
    await page.goto(loopback.route("/", html))
    clear = Picture.of((await (await attach()).read({"screenshot"})).artifacts)
    reading = await (await attach(token="topsecret9")).read({"screenshot"})
    masked = Picture.of(reading.artifacts)
    assert masked.image.crop((0, 0, 400, 28)).tobytes() == clear.image.crop((0, 0, 400, 28)).tobytes()
    assert masked.image.crop((0, 92, 400, 300)).tobytes() == clear.image.crop((0, 92, 400, 300)).tobytes()
    assert masked.colors(0, 30, 400, 90) == {MASK}
    assert reading.notes == ("screenshot has 2 regions painted over that may show a secret.",)
    shot = value(reading.artifacts, "screenshot")
    assert (shot.width, shot.height) == (400, 300)


async def test_a_page_without_a_secret_on_screen_is_not_touched(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    html = f"{STYLE}<p>nothing here<p hidden>topsecret9</p><p style='margin-top: 900px'>topsecret9"
    await page.goto(loopback.route("/", html))
    plain = await (await attach()).read({"screenshot"})
    guarded = await (await attach(token="topsecret9")).read({"screenshot"})
    assert guarded == plain
    assert guarded.notes == ()


async def test_an_input_filled_from_a_secret_is_painted_over_whatever_it_shows(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    html = f"""{STYLE}<input id=card oninput="this.value = '**** ' + this.value.slice(-4).split('').reverse().join('')">
    <input id=gone>"""
    await page.goto(loopback.route("/", html))
    await page.fill("#card", "4111111111111234")
    gone = page.locator("#gone")
    await gone.evaluate("element => element.remove()")
    assert await page.input_value("#card") == "**** 4321"
    reading = await (await attach(card="4111111111111234")).read(
        {"screenshot"}, [page.locator("#card"), gone]
    )
    assert not ink(Picture.of(reading.artifacts))
    assert reading.notes == ("screenshot has 1 region painted over that may show a secret.",)


async def test_regions_are_scaled_to_device_pixels(
    browser: Browser, attach: Attach, loopback: Loopback
) -> None:
    context = await browser.new_context(viewport={"width": 200, "height": 100}, device_scale_factor=2.5)
    page = await context.new_page()
    await page.goto(loopback.route("/", f"{STYLE}<p>fine<p style='margin: 10px 20px'>topsecret9"))
    reading = await (await attach(to=page, token="topsecret9")).read({"screenshot"})
    picture = Picture.of(reading.artifacts)
    await context.close()
    assert ink(picture)
    assert picture.colors(50, 100, 450, 175) == {MASK}
    assert MASK not in picture.colors(0, 0, 48, 250)


async def test_a_moving_secret_is_covered_where_it_was_and_where_it_went(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    html = f"""{STYLE}<p id=a style='position: absolute; white-space: nowrap'>topsecret9</p><script>
    let at = 0; setInterval(() => a.style.left = (at = (at + 1) % 200) + 'px', 4);</script>"""
    await page.goto(loopback.route("/", html))
    reader = await attach(token="topsecret9")
    for _ in range(5):
        artifacts = (await reader.read({"screenshot"})).artifacts
        assert MASK in Picture.of(artifacts).colors(0, 0, 400, 300)
        assert artifacts.screenshot.state == "captured"
