"""A secret on screen is painted over, and the reading says so; what cannot be hidden is not shown."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, Page

from tests.browser.artifacts.looks import Attach, Picture, value
from tests.loopback import Loopback

MASK = (255, 0, 255)
STYLE = """<!DOCTYPE html><style>
  * {color: rgb(0, 0, 255) !important; font: 20px/1.5 monospace; margin: 0}
  .hide, .hide * {color: #fff !important; background: #fff; border: 0}
  ::placeholder {color: rgb(0, 0, 255); opacity: 1}</style>"""

SHOWN = {
    "running text": {
        "a paragraph": "<p>topsecret9</p>",
        "upper case by style": "<p style='text-transform: uppercase'>topsecret9</p>",
        "split over inline elements": "<p>top<b>sec</b><i>ret<u>9</u></i></p>",
        "split over lines": "<p style='width: 60px'>top<br>sec<wbr>ret9</p>",
        "grouped": "<p>tops ecre t9</p>",
        "generated": "<style>.g::before{content: attr(data-x)}</style><p class=g data-x=topsecret9></p>",
        "SVG": "<svg height=30><text y=20 fill=blue>topsecret9</text></svg>",
        "turned": "<p style='transform: rotate(9deg) translate(60px, 20px); width: 200px'>topsecret9</p>",
    },
    "fields": {
        "input value": "<input value=topsecret9>",
        "text area": "<textarea rows=1>topsecret9</textarea>",
        "placeholder": "<input placeholder=topsecret9>",
        "button": "<input type=button value=topsecret9>",
        "alternative text": "<img width=200 height=40 alt=topsecret9 src=data:,>",
        "selected option": "<select><option>a<option selected>topsecret9</select>",
        "list box": "<select size=2><option><option>topsecret9</select>",
        "option label": "<select><option selected label=topsecret9></select>",
    },
    "shadow roots": {
        "open": """<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode: 'open'})
          .innerHTML = '<p style="color:#00f">topsecret9</p>'</script>""",
        "closed": """<x-b></x-b><script>document.querySelector('x-b').attachShadow({mode: 'closed'})
          .innerHTML = '<p style="color:#00f"><b>topsecret9</b></p>'</script>""",
        "closed in closed": """<x-c></x-c><script>{
          const root = document.querySelector('x-c').attachShadow({mode: 'closed'});
          root.innerHTML = '<div></div>';
          root.firstChild.attachShadow({mode: 'closed'}).innerHTML = '<p style="color:#00f">topsecret9</p>';
          }</script>""",
        "bare text": """<div id=d></div><script>
          d.attachShadow({mode: 'open'}).textContent = 'topsecret9'</script>""",
    },
    "frames": {
        "plain": """<iframe height=60 style='border: 9px solid #fff; padding: 7px'
          srcdoc='<p style=color:#00f>topsecret9'></iframe>""",
        "scaled": """<iframe height=60 style='transform: scale(.7) translate(-30px, 20px); border: 0'
          srcdoc='<p style=color:#00f>topsecret9'></iframe>""",
        "turned": """<div style='rotate: 12deg'><iframe height=60 style='border: 0'
          srcdoc='<p style=color:#00f>topsecret9'></iframe></div>""",
        "scrolled": """<iframe height=60 style='border: 0' srcdoc='<body style=height:2000px><p
          style="color:#00f;margin-top:900px">topsecret9<script>scrollTo(0, 880)</script>'></iframe>""",
        "framed frame": """<iframe height=90 style='border: 0' srcdoc='<iframe
          srcdoc="<p style=color:#00f>topsecret9"></iframe>'></iframe>""",
    },
}


def ink(picture: Picture, box: tuple[int, int, int, int] | None = None) -> bool:
    """Whether any text is to be seen, however smoothed its edges are."""
    colors = picture.colors(*(box or (0, 0, *picture.image.size)))
    return any(red < 100 and green < 100 and blue > 200 for red, green, blue in colors)


@pytest.mark.parametrize("group", SHOWN)
async def test_no_ink_of_a_secret_is_left(page: Page, attach: Attach, loopback: Loopback, group: str) -> None:
    await page.set_viewport_size({"width": 400, "height": 700})
    cases = SHOWN[group]
    sections = "".join(f"<section style='overflow: hidden'>{case}</section>" for case in cases.values())
    await page.goto(loopback.route("/", STYLE + sections))
    boxes = await page.evaluate(
        """() => [...document.querySelectorAll('section')].map((each) => {
          const {left, top, right, bottom} = each.getBoundingClientRect();
          return [left, top, right, bottom].map(Math.round);
        })"""
    )
    clear = Picture.of((await (await attach()).read({"screenshot"})).artifacts)
    reading = await (await attach(token="topsecret9")).read({"screenshot"})
    masked = Picture.of(reading.artifacts)
    for name, box in zip(cases, boxes, strict=True):
        assert ink(clear, tuple(box)), f"{name}: the page shows nothing, so this proves nothing"
        assert MASK in masked.colors(*box), name
    assert not ink(masked)
    assert any(re.fullmatch(r"screenshot has \d+ regions? painted over .*", note) for note in reading.notes)


async def test_text_that_stands_in_the_body_is_hidden_alone(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    await page.goto(loopback.route("/", f"{STYLE}topsecret9<p>fine"))
    picture = Picture.of((await (await attach(token="topsecret9")).read({"screenshot"})).artifacts)
    assert not ink(picture, (0, 0, 400, 30))
    assert ink(picture, (0, 30, 400, 60))


async def test_other_spellings_on_screen_are_hidden_too(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    secret = 'p&ss "w\u00f6rd" <1>'
    await page.goto(loopback.route("/", STYLE))
    await page.evaluate(
        """(secret) => {
          const spellings = [encodeURIComponent(secret), JSON.stringify({a: secret}),
            new XMLSerializer().serializeToString(new Text(secret))];
          for (const text of spellings) {
            document.body.append(Object.assign(document.createElement('p'), {textContent: text}));
          }
        }""",
        secret,
    )
    reading = await (await attach(token=secret)).read({"screenshot"})
    assert not ink(Picture.of(reading.artifacts))
    assert len(reading.notes) == 1


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
    html = f"""{STYLE}<input id=card><input id=gone><script>card.oninput = () =>
      card.value = '**** ' + card.value.slice(-4).split('').reverse().join('')</script>"""
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


async def test_a_moving_secret_is_not_shown_and_one_that_comes_to_rest_is_covered(
    page: Page, attach: Attach, loopback: Loopback
) -> None:
    html = f"""{STYLE}<p id=a style='position: absolute; white-space: nowrap'>topsecret9</p><script>
    let at = 0; globalThis.moving = setInterval(() => a.style.left = (at = (at + 1) % 200) + 'px', 4);
    </script>"""
    await page.goto(loopback.route("/", html))
    reader = await attach(token="topsecret9")
    moving = (await reader.read({"screenshot"})).artifacts.screenshot
    assert moving.state == "missing"
    assert "keeps moving" in moving.reason
    await page.evaluate("clearInterval(moving)")
    artifacts = (await reader.read({"screenshot"})).artifacts
    assert artifacts.screenshot.state == "captured"
    assert MASK in Picture.of(artifacts).colors(0, 0, 400, 300)
