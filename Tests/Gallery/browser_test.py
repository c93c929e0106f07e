"""The gallery in a real browser, against a running server: what it shows is what the interface says.

Run by scripts/gallery-test, which starts the server with the streams `photos` (pictures), `many` (no pictures; one check adds
2,000 photos), `markup` (texts that look like markup), `empty`, `added`, into which pictures may be uploaded, and `watched`, a
folder that it watches.
"""

import argparse
import base64
import json
import os
import subprocess
import sys
import time
import traceback
import urllib.parse
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

# Chromium without windows of its own: a context costs half the time of one in the whole browser.
BROWSER = "/usr/bin/chromium-headless-shell"
# Counts layout shifts, long tasks and elements from the first moment on.
OBSERVERS = """
window.seen = { shift: 0, shifts: [], long: [], most: 0 };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    // What a person just asked for may move.
    if (entry.hadRecentInput) continue;
    seen.shift += entry.value;
    seen.shifts.push(entry.sources.map(({ node, previousRect: a, currentRect: b }) =>
      `${node?.className || node?.id || node?.nodeName} ${a.x},${a.y} ${a.width}×${a.height} to ${b.x},${b.y} ${b.width}×${b.height}`));
  }
}).observe({ type: "layout-shift", buffered: true });
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) seen.long.push(Math.round(entry.duration));
}).observe({ type: "longtask", buffered: true });
document.addEventListener("DOMContentLoaded", () => {
  const plane = document.querySelector("#plane");
  new MutationObserver(() => { seen.most = Math.max(seen.most, plane.querySelectorAll("*").length); })
    .observe(plane, { childList: true, subtree: true });
});
"""
# The photos in the window: id, frame in the content, and whether the picture is there.
CELLS = """
() => {
  const scroller = document.querySelector("#scroller").getBoundingClientRect();
  const plane = document.querySelector("#plane").getBoundingClientRect();
  return [...document.querySelectorAll(".cell:not([hidden])")].map((cell) => {
    const { left, top, width, height, bottom } = cell.getBoundingClientRect();
    const link = cell.querySelector("a");
    return {
      id: new URLSearchParams(link.hash.slice(1)).get("photo"), x: left - plane.left, top: top - scroller.top, width, height,
      y: top - plane.top, position: Number(cell.querySelector("a").ariaPosInSet ?? cell.ariaPosInSet),
      size: cell.querySelector("a").ariaSetSize ?? cell.ariaSetSize, isSelected: link.ariaSelected === "true",
      image: cell.querySelector("img")?.src ?? null, isSeen: bottom > scroller.top && top < scroller.bottom,
    };
  });
}
"""

# The places of all photos, and the number of animations.
PLACES = """
() => [document.getAnimations().length, ...[...document.querySelectorAll(".cell:not([hidden])")].map((cell) => {
  const { left, top, width, height } = cell.getBoundingClientRect();
  return [left, top, width, height].join(" ");
})]
"""
# Notes each frame in which a photo that is seen now is elsewhere, or not there.
WATCH = """
() => {
  const places = () => new Map([...document.querySelectorAll(".cell:not([hidden]) a")].map((link) => {
    const { x, y, width, height } = link.getBoundingClientRect();
    return [new URLSearchParams(link.hash.slice(1)).get("photo"), [x, y, width, height].join(" ")];
  }));
  const isSeen = (place) => { const [, y, , height] = place.split(" ").map(Number); return y + height > 0 && y < innerHeight; };
  const before = [...places()].filter(([, place]) => isSeen(place));
  window.watched = { photos: before.length, frames: 0, moved: [] };
  const look = () => {
    const now = places();
    watched.frames += 1;
    for (const [id, place] of before) if (now.get(id) !== place) watched.moved.push([id, place, now.get(id)]);
    requestAnimationFrame(look);
  };
  look();
}
"""


# The sample pictures.
SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../SampleData/pictures")


class Server:
    """Asks the interface without the gallery."""

    def __init__(self, address):
        self.address = address

    def ask(self, path, method="GET", body=None, content_type="application/json"):
        data = None if body is None else body.encode() if isinstance(body, str) else json.dumps(body).encode()
        request = urllib.request.Request(
            self.address + path, data=data, method=method, headers={"Content-Type": content_type})
        with urllib.request.urlopen(request) as answer:
            text = answer.read().decode()
            return json.loads(text) if text and "json" in answer.headers["Content-Type"] and "\n{" not in text else text

    def make_stream(self, name, photos, order="newest"):
        """A stream for one check."""
        if name in [stream["stream"] for stream in self.ask("/v1/streams")["streams"]]:
            self.ask(f"/v1/streams/{name}?with-photos=true", "DELETE")
        self.ask("/v1/streams", "POST", {"stream": name, "order": order})
        self.import_photos(name, photos)

    def frames(self, stream):
        """Ids and frames of all photos, in the order of the stream."""
        path = f"/v1/streams/{stream}/layout/items?width=900&from=0&count=1000&fields=photo,frame"
        return [(item["photo"], item["frame"]) for item in self.ask(path)["items"]]

    def ids(self, stream):
        return [photo for photo, _ in self.frames(stream)]

    def import_photos(self, stream, photos):
        self.ask(f"/v1/streams/{stream}/photos", "POST", "\n".join(map(json.dumps, photos)), "application/jsonl")


class Visit:
    """A page in a browser of its own, or in that of another one, which fails if the page does what none may."""

    def __init__(self, browser, address, width=1280, height=800, scale=1, scheme="light", beside=None, **options):
        self.address = address
        self.context = beside.context if beside else browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=scale, color_scheme=scheme, **options)
        self.page = self.context.new_page()
        self.page.add_init_script(OBSERVERS)
        self.problems = []
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.problems.append("a dialog"), dialog.dismiss()))
        self.page.on("console", self._logged)
        self.page.on("request", self._asked)
        # The open connections for events, and the other requests without an answer, except those for pictures.
        self.following, self.asking = set(), set()
        for end in ["requestfinished", "requestfailed"]:
            self.page.on(end, self._answered)

    def _logged(self, message):
        if message.type == "error":
            self.problems.append(f"console: {message.text}")

    def _asked(self, request):
        if not request.url.startswith((self.address + "/", "blob:" + self.address + "/")):
            self.problems.append(f"request: {request.url}")
        if urllib.parse.urlparse(request.url).path.endswith("/events"):
            self.following.add(request)
        elif request.resource_type != "image":
            self.asking.add(request)

    def _answered(self, request):
        self.following.discard(request)
        self.asking.discard(request)

    def open(self, fragment, wait=".cell"):
        self.page.goto(f"{self.address}/#{fragment}")
        # The first photos are there before the page is.
        self.page.wait_for_selector("html.ready")
        if wait:
            self.page.wait_for_selector(wait)
        self.rest()
        return self

    def rest(self, milliseconds=None):
        """Waits for a time, or until the page has nothing to do: nothing is asked for, and nothing moves.

        At least 200 ms, in which scrolling comes to rest (120 ms), and at most 3 s.
        """
        if milliseconds is not None:
            self.page.wait_for_timeout(milliseconds)
            return
        self.page.wait_for_timeout(160)
        end, before = time.monotonic() + 3, None
        while time.monotonic() < end:
            now = self.page.evaluate(PLACES)
            if now == before and not self.asking:
                return
            before = now
            self.page.wait_for_timeout(40)

    def cells(self):
        return [cell for cell in self.page.evaluate(CELLS) if cell["isSeen"]]

    def until(self, condition, seconds=20):
        """Waits for a condition; the page's policy forbids Playwright to evaluate one within it."""
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, "it did not come about in time"
            self.rest(30)

    def sharp(self):
        """Waits until all pictures in the window are there."""
        self.until(lambda: all(cell["image"] for cell in self.cells()))

    def scroll_to(self, top):
        self.page.evaluate("(top) => { document.querySelector('#scroller').scrollTop = top; }", top)
        self.rest()

    def number_selected(self):
        text = self.page.locator("#selection .number").inner_text()
        return int(text.split()[0].replace(",", "")) if text and self.page.locator("#selection").is_visible() else 0

    def photo(self, id):
        """The link of a photo that is shown."""
        return self.page.locator(f'.cell:not([hidden]) a[href$="photo={urllib.parse.quote_plus(id)}"]')

    def forgive(self, *words):
        """Forgets the errors that a browser logs for answers that a check provokes."""
        self.problems = [problem for problem in self.problems if not any(word in problem for word in words)]

    def close(self, allow_shift=False):
        seen = self.page.evaluate("window.seen")
        self.page.close()
        if not self.context.pages:
            self.context.close()
        assert not self.problems, self.problems
        assert allow_shift or seen["shift"] == 0, seen
        assert seen["most"] < 300, seen["most"]
        return seen


class Checks:
    """The checks, in the order in which they run."""

    def __init__(self, browser, arguments):
        self.browser = browser
        self.server = Server(arguments.address)
        self.folder = arguments.screenshots
        self.restart = arguments.restart
        self.watched = arguments.watched

    def visit(self, **options):
        return Visit(self.browser, self.server.address, **options)

    def shot(self, visit, name):
        visit.page.screenshot(path=os.path.join(self.folder, f"{name}.png"))

    # The frames

    def frames_are_those_of_the_interface(self):
        """Every frame on the page is the interface's, to the device pixel."""
        for scale in [1, 1.5, 2, 3]:
            for more in ["sections=year&captions=yes", "sections=none&spacing=0&direction=rtl"]:
                visit = self.visit(scale=scale, width=1111, height=700)
                for layout in ["justified", "masonry", "grid", "flow"]:
                    visit.open(f"stream=photos&layout={layout}&{more}")
                    visit.page.evaluate("document.querySelector('#scroller').scrollTop = 777")
                    visit.until(lambda: len(visit.cells()) >= 3)
                    self._compare(visit, scale, layout)
                    # The browser keeps 250 entries.
                    visit.page.evaluate("performance.clearResourceTimings()")
                visit.close()

    def _compare(self, visit, scale, layout):
        visit.rest()
        asked = visit.page.evaluate(
            "performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => /rect\\?/.test(name)).pop()")
        query = urllib.parse.parse_qs(urllib.parse.urlparse(asked).query)
        options = {name: values[0] for name, values in query.items()
                   if name not in ("rect", "limit", "ids", "pictures", "fields", "revision")}
        assert options["algorithm"] == layout, asked
        width, height = options["width"], 20_000
        path = urllib.parse.urlparse(asked).path
        answer = self.server.ask(
            f"{path}?{urllib.parse.urlencode({**options, 'rect': f'0,0,{width},{height}', 'limit': 1000})}")
        items = {item["photo"]: item for item in answer["items"]}
        cells = visit.cells()
        assert len(cells) >= 3, cells
        for cell in cells:
            item = items[cell["id"]]
            assert cell["position"] == item["index"] + 1 and cell["size"] == "61", cell
            for mine, theirs in [("x", "x"), ("y", "y"), ("width", "width"), ("height", "height")]:
                pixels, expected = cell[mine] * scale, round(item["frame"][theirs] * scale)
                assert abs(pixels - expected) < 0.1, (scale, cell, item["frame"])

    def captions_are_texts(self):
        """Texts that look like markup are shown as they are, and nothing of them runs."""
        for layout in ["masonry", "justified"]:
            visit = self.visit().open(f"stream=markup&layout={layout}&captions=yes")
            assert visit.page.locator(".caption").first.inner_text().startswith("<img"), layout
            visit.page.locator(".cell a").first.click()
            visit.rest()
            assert "<script>" in visit.page.locator("#lightbox .title").inner_text()
            assert visit.page.evaluate("document.querySelectorAll('img[src=x], main script, dialog script').length") == 0
            assert visit.page.evaluate("window.wasRun === undefined")
            visit.close()

    # Scrolling

    def a_long_stream_scrolls(self):
        """Flinging, scrubbing and jumping through a long stream: few elements, no shift, no long task, its very end."""
        count = self.server.ask("/v1/streams/many")["count"]
        visit = self.visit().open("stream=many&sections=day")
        visit.page.mouse.move(600, 400)
        for step in [2_500, -1_500, 400]:
            for _ in range(80):
                visit.page.mouse.wheel(0, step)
                visit.rest(12)
        visit.rest()
        assert len(visit.cells()) >= 5
        box = visit.page.locator("#scrubber").bounding_box()
        visit.page.mouse.move(box["x"] + box["width"] - 10, box["y"] + 20)
        visit.page.mouse.down()
        for part in range(0, 20):
            visit.page.mouse.move(box["x"] + box["width"] - 10, box["y"] + 20 + part / 20 * (box["height"] - 60))
            visit.rest(40)
        self.shot(visit, "scrubber")
        visit.page.mouse.up()
        visit.rest()
        self._compare_many(visit)
        self._go(visit, "number", str(count))
        last = max(visit.cells(), key=lambda cell: cell["position"])
        assert last["position"] == count, last
        self._compare_many(visit)
        self._go(visit, "number", "1")
        assert min(cell["position"] for cell in visit.cells()) == 1
        seen = visit.close()
        print(f"      elements at most {seen['most']}, tasks over 50 ms: {seen['long']}")

    def _compare_many(self, visit):
        for cell in visit.cells()[:5]:
            item = self.server.ask(
                f"/v1/streams/many/layout/items?width=9&from={cell['position'] - 1}&count=1&fields=photo")["items"][0]
            assert item["photo"] == cell["id"], (cell, item)

    def _go(self, visit, name, value):
        visit.page.click("[popovertarget=go]")
        visit.page.fill(f"[name={name}]", value)
        visit.page.keyboard.press("Enter")
        visit.rest(900)

    def extreme_pictures_take_few_elements(self):
        """Hundreds of slivers in a large window: at most 300 elements, colours for the others, and all can be opened."""
        for name, size, layout, more in [
            ("wide", (5_000, 100), "masonry", "captions=yes&sections=none"), ("narrow", (100, 5_000), "justified", "sections=none"),
            ("small", (60, 40), "flow", "captions=yes&sections=none"), ("small", (60, 40), "flow", "sections=year"),
        ]:
            self.server.make_stream("extreme", [
                {"id": f"p{i:03}", "width": size[0], "height": size[1], "color": f"#{30 + i % 200:02x}4080", "caption": name,
                 "takenAt": f"{2000 - i // 60}-01-01T00:00:00Z"} for i in range(800)])
            visit = self.visit(width=2560, height=1440).open(f"stream=extreme&layout={layout}&size=80&spacing=0&{more}")
            for top in [300, 0]:
                visit.scroll_to(top)
            if name != "small":
                self._check_slivers(visit)
                self.shot(visit, f"slivers-{name}")
            seen = visit.close()
            print(f"      {name}, {layout}, {more}: at most {seen['most']} elements")

    def _check_slivers(self, visit):
        page = visit.page
        cells = {cell["id"]: cell for cell in visit.cells()}
        asked = page.evaluate(
            "performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => /rect\\?/.test(name)).pop()")
        query = {name: values[0] for name, values in urllib.parse.parse_qs(urllib.parse.urlparse(asked).query).items()}
        query.update({"rect": "0,0,2560,1380", "limit": "1000", "fields": "photo,frame,index,color,captionExtent"})
        path = urllib.parse.urlparse(asked).path
        items = self.server.ask(f"{path}?{urllib.parse.urlencode(query)}")["items"]
        others = [item for item in items if item["photo"] not in cells]
        assert len(items) > 100 and others, (len(items), len(cells))
        for item in others[:: len(others) // 9]:
            frame = item["frame"]
            x, y = frame["x"] + frame["width"] / 2, frame["y"] + (frame["height"] - item.get("captionExtent", 0)) / 2
            red, green, blue, _ = page.evaluate("""([x, y]) => {
                const canvas = document.querySelector("canvas.slivers");
                const { left, top } = document.querySelector("#plane").getBoundingClientRect();
                const box = canvas.getBoundingClientRect();
                return [...canvas.getContext("2d").getImageData(x + left - box.left, y + top - box.top, 1, 1).data];
            }""", [x, y])
            assert f"#{red:02x}{green:02x}{blue:02x}" == item["color"], (item, red, green, blue)
        last = others[-1]
        box = page.locator("#plane").bounding_box()
        frame = last["frame"]
        page.mouse.click(box["x"] + frame["x"] + frame["width"] / 2, box["y"] + frame["y"] + 2)
        visit.until(lambda: page.locator("#lightbox .counter").inner_text() == f"{last['index'] + 1} / 800", 5)
        page.keyboard.press("Escape")
        visit.until(lambda: f"photo={last['photo']}" in self._focused(visit), 5)
        page.keyboard.press("ArrowLeft")
        visit.until(lambda: page.evaluate("document.activeElement.parentElement.getAttribute('aria-posinset')")
                    == str(last["index"]), 5)

    def a_map_of_many_photos_scrolls(self):
        """A map of a long stream shows some photos of each square, and the others at a greater zoom."""
        visit = self.visit().open("stream=many&layout=map&zoom=2")
        for zoom in range(3, 9):
            visit.page.click("[data-zoom='1']")
            visit.until(lambda: f"zoom={zoom}" in visit.page.url)
            visit.rest(300)
        visit.page.evaluate("document.querySelector('#scroller').scrollBy(900, 700)")
        visit.rest()
        assert len(visit.cells()) >= 5
        options = {"width": 1280, "algorithm": "map", "zoom": 8, "item-size": "56,56", "header-size": 56,
                   "content-inset": "0,0,40,0", "section-inset": "0,12,20,12", "fields": "frame,photo"}
        for cell in visit.cells()[:9]:
            path = f"/v1/streams/many/layout/locate?{urllib.parse.urlencode({**options, 'photo': cell['id']})}"
            frame = self.server.ask(path)["item"]["frame"]
            assert (cell["x"], cell["y"]) == (frame["x"], frame["y"]), (cell, frame)
        visit.close()

    def a_map_is_dragged_and_zoomed_with_the_mouse(self):
        """A drag moves the map with the pointer and opens no photo; the wheel with Ctrl zooms the map, not the page."""
        visit = self.visit().open("stream=photos&layout=map&zoom=5")
        place = "[document.querySelector('#scroller').scrollLeft, document.querySelector('#scroller').scrollTop]"
        visit.until(visit.cells)
        before = visit.page.evaluate(place)
        visit.page.mouse.move(640, 400)
        visit.page.mouse.down()
        visit.page.mouse.move(700, 430, steps=5)
        visit.page.mouse.move(540, 330, steps=10)
        visit.page.mouse.up()
        assert visit.page.evaluate(place) == [before[0] + 100, before[1] + 70], (before, visit.page.evaluate(place))
        cell = visit.cells()[0]
        middle = visit.page.locator(".cell:not([hidden])").first.bounding_box()
        visit.page.mouse.move(middle["x"] + 20, middle["y"] + 20)
        visit.page.mouse.down()
        visit.page.mouse.move(middle["x"] + 60, middle["y"] + 40, steps=5)
        visit.page.mouse.up()
        visit.rest()
        assert not visit.page.evaluate("document.querySelector('#lightbox').open"), cell
        # Not on its check mark, which is in its first corner.
        visit.page.mouse.click(middle["x"] + 85, middle["y"] + 65)
        visit.until(lambda: visit.page.evaluate("document.querySelector('#lightbox').open"))
        visit.page.keyboard.press("Escape")
        visit.page.keyboard.down("Control")
        visit.page.mouse.wheel(0, -120)
        visit.page.keyboard.up("Control")
        visit.until(lambda: "zoom=6" in visit.page.url)
        assert visit.page.evaluate("visualViewport.scale") == 1
        visit.close()

    def a_date_is_found(self):
        """The first photo of a day, by the sections of the interface."""
        layout = self.server.ask("/v1/streams/many/layout?width=900&algorithm=grid&section-by=day&from-section=700&limit=1")
        section = layout["sections"][0]
        visit = self.visit().open("stream=many&sections=month")
        self._go(visit, "day", section["id"])
        visit.until(lambda: section["firstIndex"] + 1 in {cell["position"] for cell in visit.cells()}, 5)
        visit.close()

    def the_place_is_kept(self):
        """After a reload every photo is where it was; after a change of the window the photo at the top still is."""
        for stream in ["photos", "many"]:
            visit = self.visit().open(f"stream={stream}&layout=masonry&captions=yes")
            visit.scroll_to(3_210)
            before = {cell["id"]: cell["top"] for cell in visit.cells()}
            visit.page.reload()
            visit.page.wait_for_selector(".cell")
            visit.rest()
            after = {cell["id"]: cell["top"] for cell in visit.cells()}
            assert before == after, (before, after)
            top = urllib.parse.parse_qs(urllib.parse.urlparse(visit.page.url).fragment)["at"][0]
            visit.page.set_viewport_size({"width": 900, "height": 700})
            visit.rest(900)
            assert top in {cell["id"] for cell in visit.cells()}, top
            visit.page.click("input[value=grid]", force=True)
            visit.rest(900)
            assert top in {cell["id"] for cell in visit.cells()}, top
            visit.page.go_back()
            visit.rest(900)
            assert "layout=masonry" in visit.page.url and top in {cell["id"] for cell in visit.cells()}, top
            visit.close()

    # One photo, and the keyboard

    def a_photo_opens(self):
        """The lightbox: neighbours, information, back, and the focus afterwards."""
        visit = self.visit().open("stream=photos&sections=none")
        page = visit.page
        page.locator(".cell a").nth(3).focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#lightbox .frame img")
        assert page.locator("#lightbox .counter").inner_text() == "4 / 61"
        page.keyboard.press("ArrowRight")
        visit.rest()
        assert page.locator("#lightbox .counter").inner_text() == "5 / 61" and "photo=" in page.url
        page.keyboard.press("i")
        visit.rest()
        assert page.locator("#lightbox dd").count() >= 2
        page.keyboard.press("+")
        assert "scale(1.5)" in page.locator("#lightbox .frame").get_attribute("style")
        page.keyboard.press("0")
        link = page.url
        page.keyboard.press("Escape")
        visit.rest()
        assert not page.locator("#lightbox").is_visible() and "photo=" not in page.url
        assert page.evaluate("document.activeElement.parentElement.getAttribute('aria-posinset')") == "5"
        other = self.visit().open(link.split("#")[1], wait="#lightbox .frame img")
        assert other.page.locator("#lightbox .counter").inner_text() == "5 / 61"
        other.page.keyboard.press("Escape")
        other.rest()
        assert not other.page.locator("#lightbox").is_visible()
        other.close()
        visit.close()

    def the_keyboard_moves_by_geometry(self):
        visit = self.visit().open("stream=photos&layout=grid&sections=none")
        page = visit.page
        page.locator(".cell a[tabindex='0']").focus()

        def focused():
            return int(page.evaluate("document.activeElement.parentElement.getAttribute('aria-posinset')"))

        def press(key):
            before = focused()
            page.keyboard.press(key)
            visit.until(lambda: focused() != before, 5)
            return focused()

        columns = len({round(cell["x"]) for cell in visit.cells()})
        steps = [press(key) for key in ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "End", "Home"]]
        assert steps == [2, 2 + columns, 1 + columns, 1, 61, 1], steps
        for _ in range(8):
            position = press("ArrowDown")
            assert position in {cell["position"] for cell in visit.cells()}
        visit.close()

    # Selecting, deleting, editing, moving, searching

    def _album(self, count=120):
        return [{"id": f"p{i:03}", "width": 600 + i * 37 % 900, "height": 600, "caption": f"Photo {i}", "tags": ["album"],
                 "takenAt": f"{2020 - i // 60}-06-{1 + i % 28:02}T10:00:00Z", "color": f"#{60 + i % 150:02x}8090"}
                for i in range(count)]

    def _editable(self, fragment, stream="album", **options):
        visit = self.visit(**options).open(f"stream={stream}&{fragment}")
        visit.until(lambda: "can-edit" in (visit.page.locator("html").get_attribute("class") or ""))
        return visit

    def photos_are_selected(self):
        """By mark, range and keys; a selection survives scrolling, and Escape ends it."""
        for direction in ["ltr", "rtl"]:
            visit = self._editable(f"layout=grid&sections=none&direction={direction}", "many")
            page = visit.page
            box = page.locator(".cell[aria-posinset='3']").bounding_box()
            page.mouse.click(box["x"] + (18 if direction == "ltr" else box["width"] - 18), box["y"] + 18)
            assert visit.number_selected() == 1 and not page.locator("#lightbox").is_visible()
            assert page.locator("#photos").get_attribute("role") == "listbox"
            chosen = [cell for cell in visit.cells() if cell["isSelected"]]
            assert [cell["position"] for cell in chosen] == [3], chosen
            visit.scroll_to(20_000)
            far = visit.cells()[5]
            page.mouse.click(far["x"] + far["width"] / 2, far["top"] + 60 + far["height"] / 2)
            assert visit.number_selected() == 2
            far = visit.cells()[9]
            page.keyboard.down("Shift")
            page.mouse.click(far["x"] + far["width"] / 2, far["top"] + 60 + far["height"] / 2)
            page.keyboard.up("Shift")
            visit.rest()
            between = [cell["position"] for cell in visit.cells() if cell["isSelected"]]
            assert len(between) == visit.number_selected() - 1 == max(between) - min(between) + 1 >= 2, between
            visit.scroll_to(0)
            assert [cell["position"] for cell in visit.cells() if cell["isSelected"]] == [3]
            page.keyboard.press("Escape")
            assert visit.number_selected() == 0 and page.locator("#photos").get_attribute("role") == "list"
            assert not any(cell["isSelected"] for cell in visit.cells())
            visit.close()

    def keys_select(self):
        """Space selects, Shift with arrows extends and takes back, and a range may be longer than the window."""
        visit = self._editable("layout=grid&sections=none", "many")
        page = visit.page
        page.locator(".cell[aria-posinset='2'] a").focus()
        page.keyboard.press("Space")
        assert visit.number_selected() == 1
        columns = len({round(cell["x"]) for cell in visit.cells()})
        for key, number in [("ArrowRight", 2), ("ArrowDown", 2 + columns), ("ArrowLeft", 1 + columns), ("ArrowUp", 1)]:
            page.keyboard.press(f"Shift+{key}")
            visit.until(lambda: visit.number_selected() == number, 5)
        ids = self.server.ask("/v1/streams/many/layout/items?width=900&from=1&count=900&fields=photo")["items"]
        page.evaluate("document.querySelector('#scroller').scrollTop = 9000")
        visit.rest()
        target = visit.cells()[3]
        visit.photo(target["id"]).click(modifiers=["Shift"])
        visit.until(lambda: visit.number_selected() == target["position"] - 1, 5)
        assert ids[target["position"] - 2]["photo"] == target["id"]
        page.keyboard.press("Enter")
        visit.until(lambda: page.locator("#lightbox").is_visible(), 5)
        page.keyboard.press("Escape")
        visit.until(lambda: not page.locator("#lightbox").is_visible(), 5)
        assert visit.number_selected() == target["position"] - 1
        page.keyboard.press("Escape")
        assert visit.number_selected() == 0
        visit.close()

    def a_long_press_selects(self):
        """On a touch screen: a long press begins, taps go on, and a swipe scrolls."""
        self.server.make_stream("album", self._album())
        visit = self._editable(
            "layout=grid&sections=none", width=390, height=844, scale=2, has_touch=True, is_mobile=True)
        page = visit.page
        touch = page.context.new_cdp_session(page)
        box = page.locator(".cell[aria-posinset='1']").bounding_box()
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        visit.until(lambda: visit.number_selected() == 1, 5)
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        visit.rest(200)
        assert visit.number_selected() == 1 and not page.locator("#lightbox").is_visible()
        page.locator(".cell").nth(3).tap()
        visit.until(lambda: visit.number_selected() == 2, 5)
        page.locator(".cell").nth(3).tap()
        visit.until(lambda: visit.number_selected() == 1, 5)
        page.locator("#selection .clear").tap()
        page.locator(".cell").nth(1).tap()
        visit.until(lambda: page.locator("#lightbox").is_visible(), 5)
        visit.close()

    def deleted_photos_come_back(self):
        """Deleting many, at most six requests at once; undo by button and key puts each exactly where it was."""
        self.server.make_stream("album", self._album())
        before = self.server.frames("album")
        visit = self._editable("layout=masonry&captions=yes&sections=none")
        page = visit.page
        running, most = set(), [0]

        def started(request):
            if request.method in ("DELETE", "POST"):
                running.add(request)
                most[0] = max(most[0], len(running))
        page.on("request", started)
        page.on("response", lambda response: running.discard(response.request))
        page.locator(".cell[aria-posinset='4'] a").focus()
        page.keyboard.press("Space")
        page.keyboard.press("Shift+ArrowDown")
        visit.until(lambda: visit.number_selected() >= 2, 5)
        last = page.locator(".cell a[aria-posinset='25']")
        last.click(modifiers=["Shift"])
        visit.until(lambda: visit.number_selected() == 22, 5)
        page.keyboard.press("Delete")
        visit.until(lambda: "22 photos deleted" in page.locator("#toast").inner_text())
        assert page.locator("#toast").get_attribute("role") == "status"
        visit.until(lambda: visit.cells()[0]["size"] == "98")
        assert visit.number_selected() == 0
        gone = [photo for photo, _ in before[3:25]]
        assert self.server.ids("album") == [photo for photo, _ in before if photo not in gone]
        # What vanishes does so for a moment.
        visit.until(lambda: not {cell["id"] for cell in visit.cells()} & set(gone), 2)
        assert page.evaluate("document.activeElement.parentElement.getAttribute('aria-posinset')") is not None
        self.shot(visit, "deleted")
        page.click(".toast button")
        visit.until(lambda: "22 photos restored" in page.locator("#toast").inner_text())
        assert self.server.frames("album") == before
        visit.until(lambda: visit.cells()[0]["size"] == "120")
        assert 2 <= most[0] <= 6, most
        # One photo, without a selection; and back with the keyboard.
        page.locator(".cell[aria-posinset='2'] a").focus()
        page.keyboard.press("Delete")
        visit.until(lambda: "1 photo deleted" in page.locator("#toast").inner_text())
        assert len(self.server.ids("album")) == 119
        visit.rest()
        assert page.evaluate("document.activeElement.parentElement.getAttribute('aria-posinset')") == "2"
        page.keyboard.press("Control+z")
        visit.until(lambda: "1 photo restored" in page.locator("#toast").inner_text())
        assert self.server.frames("album") == before
        visit.close()

    def the_focus_stays_where_a_person_puts_it(self):
        """A restored photo gets the focus, unless the person has gone on before it is there."""
        self.server.make_stream("album", self._album(40))
        ids = self.server.ids("album")
        visit = self._editable("layout=grid&sections=none")
        page = visit.page
        for goes_on in [False, True]:
            visit.photo(ids[6]).focus()
            page.keyboard.press("Delete")
            visit.until(lambda: not visit.photo(ids[6]).count() and f"photo={ids[7]}" in self._focused(visit), 5)
            # The event comes before the answer.
            held = []
            page.route("**/restore", lambda route: held.append((route, route.fetch())))
            page.keyboard.press("Control+z")
            visit.until(lambda: held and visit.photo(ids[6]).count(), 5)
            if goes_on:
                visit.photo(ids[2]).focus()
            [(route, answer)] = held
            route.fulfill(response=answer)
            page.unroute("**/restore")
            visit.until(lambda: "1 photo restored" in page.locator("#toast").inner_text(), 5)
            visit.rest()
            expected = ids[2 if goes_on else 6]
            visit.until(lambda: f"photo={expected}" in self._focused(visit), 5)
        visit.close()

    def _focused(self, visit):
        """The address of the photo with the focus; empty if another element has it."""
        return visit.page.evaluate("document.activeElement.href ?? ''")

    def what_is_not_deleted_is_said(self):
        """Failures with their number and reason; a photo that is gone already counts as such."""
        self.server.make_stream("album", self._album())
        visit = self._editable("layout=grid&sections=none")
        page = visit.page
        ids = self.server.ids("album")
        problem = {"type": "urn:photostream:problem:locked", "title": "Locked", "status": 409, "detail": "the photo is locked"}
        for photo in ids[1:3]:
            page.route(f"**/photos/{photo}", lambda route: route.fulfill(
                status=409, content_type="application/problem+json", body=json.dumps(problem)))
        page.locator(".cell[aria-posinset='1'] a").focus()
        for key in ["Space", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight"]:
            page.keyboard.press(key)
            visit.rest(150)
        assert visit.number_selected() == 4
        page.click("#selection .delete")
        visit.until(lambda: "deleted" in page.locator("#toast").inner_text())
        text = page.locator("#toast").inner_text()
        assert "2 photos deleted; 2 photos could not be deleted: the photo is locked" in text, text
        visit.until(lambda: visit.number_selected() == 2, 5)
        assert self.server.ids("album") == ids[1:3] + ids[4:]
        visit.forgive("409")
        visit.close()

    def the_focus_leaves_what_is_gone(self):
        """A photo that another program deletes gives its focus, and its place in the selection, up."""
        self.server.make_stream("album", self._album())
        ids = self.server.ids("album")
        visit = self._editable("layout=grid&sections=none")
        page = visit.page
        visit.photo(ids[6]).focus()
        page.keyboard.press("Space")
        page.keyboard.press("Shift+ArrowRight")
        visit.until(lambda: visit.number_selected() == 2, 5)
        self.server.ask(f"/v1/streams/album/photos/{ids[7]}", "DELETE")
        visit.until(lambda: visit.number_selected() == 1, 10)
        visit.until(lambda: ids[7] not in {cell["id"] for cell in visit.cells()}, 5)
        visit.until(lambda: f"photo={ids[8]}" in page.evaluate("document.activeElement.href ?? ''"), 5)
        visit.close()

    def a_note_waits(self):
        """The note with the way back stays for ten seconds, and as long as the pointer is on it."""
        self.server.make_stream("album", self._album(20))
        visit = self.visit()
        page = visit.page
        page.clock.install()
        visit.open("stream=album&layout=grid&sections=none")
        visit.until(lambda: "can-edit" in (page.locator("html").get_attribute("class") or ""))
        page.locator(".cell[aria-posinset='2'] a").focus()
        page.keyboard.press("Delete")
        visit.until(lambda: "1 photo deleted" in page.locator("#toast").inner_text())
        page.clock.fast_forward(9_000)
        assert page.locator(".toast").is_visible()
        page.hover(".toast")
        page.clock.fast_forward(60_000)
        assert page.locator(".toast").is_visible()
        page.mouse.move(5, 300)
        visit.rest(100)
        page.clock.fast_forward(14_000)
        visit.until(lambda: not page.locator(".toast").is_visible(), 5)
        page.context.close()

    def a_photo_is_deleted_from_the_lightbox(self):
        """The next photo is shown; undo shows the deleted one again; the last one closes."""
        self.server.make_stream("album", self._album(3))
        first, second, third = self.server.ids("album")
        visit = self._editable("layout=grid&sections=none")
        page = visit.page
        counter = page.locator("#lightbox .counter")
        visit.photo(second).click()
        visit.until(lambda: counter.inner_text() == "2 / 3", 5)
        visit.rest()
        page.keyboard.press("Delete")
        visit.until(lambda: "1 photo deleted" in page.locator("#toast").inner_text(), 5)
        visit.until(lambda: counter.inner_text() == "2 / 2" and f"photo={third}" in page.url, 5)
        page.click("#lightbox .toast button")
        visit.until(lambda: counter.inner_text() == "2 / 3" and f"photo={second}" in page.url, 5)
        assert self.server.ids("album") == [first, second, third]
        visit.rest()
        for left in ["2 / 2", "1 / 1"]:
            page.click("#lightbox .delete")
            visit.until(lambda: counter.inner_text() == left, 5)
            visit.rest()
        page.click("#lightbox .delete")
        visit.until(lambda: not page.locator("#lightbox").is_visible(), 5)
        visit.until(lambda: page.locator("#state").is_visible(), 5)
        assert self.server.ids("album") == []
        visit.until(lambda: page.locator(".toast").is_visible(), 5)
        page.keyboard.press("Control+z")
        visit.until(lambda: len(visit.cells()) == 1, 5)
        visit.close()

    def a_photo_is_edited(self):
        """The form writes what was changed; what the server refuses is said at its field."""
        self.server.make_stream("album", self._album(5))
        photo = self.server.ids("album")[2]
        address = f"/v1/streams/album/photos/{photo}"
        visit = self._editable(f"sections=none&photo={photo}")
        page = visit.page
        visit.until(lambda: page.locator("#lightbox .counter").inner_text() == "3 / 5", 5)
        visit.rest()
        page.keyboard.press("e")
        page.wait_for_selector(".editor [name=title]")
        page.fill(".editor [name=title]", "<b>Title</b> שלום")
        page.fill(".editor [name=tags]", "sea\nsky, blue\n\nsea")
        page.locator(".editor").get_by_label("4 stars").check()
        page.keyboard.press("ArrowRight")
        page.click(".editor .primary")
        visit.until(lambda: not page.locator(".editor").is_visible(), 5)
        stored = self.server.ask(address)
        assert stored["title"] == "<b>Title</b> שלום" and stored["tags"] == ["sea", "sky, blue"], stored
        assert stored["rating"] == 5 and set(stored["edited"]) == {"title", "tags", "rating"}, stored
        visit.until(lambda: page.locator("#lightbox .words .title").inner_text() == "<b>Title</b> שלום", 5)
        visit.until(lambda: "★★★★★" in page.locator("#lightbox .panel > dl").inner_text(), 5)
        # Refused, and the reason is at the field; then cleared.
        page.click("#lightbox .edit")
        page.wait_for_selector(".editor [name=title]")
        page.fill(".editor [name=title]", "x" * 5_000)
        page.click(".editor .primary")
        visit.until(lambda: page.locator("#error-title").inner_text() != "", 5)
        title = page.locator(".editor [name=title]")
        assert title.get_attribute("aria-invalid") == "true" and title.evaluate("field => field === document.activeElement")
        assert self.server.ask(address) == stored
        title.fill("")
        page.locator(".editor").get_by_label("None").check()
        page.keyboard.press("Control+Enter")
        visit.until(lambda: not page.locator(".editor").is_visible(), 5)
        stored = self.server.ask(address)
        assert "title" not in stored and not stored.get("rating") and stored["tags"] == ["sea", "sky, blue"], stored
        # Escape leaves the form, not the photo; nothing is written.
        page.keyboard.press("e")
        page.wait_for_selector(".editor [name=caption]")
        page.fill(".editor [name=caption]", "Never written")
        for button in [".close", ".info", ".edit"]:
            page.click(f"#lightbox .bar {button}")
            assert page.locator(".editor .problem").inner_text() == "Save or cancel your changes first."
        page.locator(".editor [name=caption]").focus()
        page.keyboard.press("Escape")
        assert page.locator("#lightbox").is_visible() and not page.locator(".editor").is_visible()
        assert self.server.ask(address) == stored
        visit.forgive("422")
        visit.close()

    def two_people_edit(self):
        """What another person wrote meanwhile is shown, and the person decides."""
        self.server.make_stream("album", self._album(5))
        photo = self.server.ids("album")[2]
        address = f"/v1/streams/album/photos/{photo}"
        for choice, expected in [(".keep", "Mine"), (".take", "Theirs")]:
            self.server.ask(address, "PATCH", {"title": "Before", "caption": "Before", "rating": 1}, "application/merge-patch+json")
            visit = self._editable(f"sections=none&photo={photo}")
            page = visit.page
            visit.until(lambda: page.locator("#lightbox .counter").inner_text() == "3 / 5", 5)
            visit.rest()
            page.keyboard.press("e")
            page.wait_for_selector(".editor [name=title]")
            page.fill(".editor [name=title]", "Mine")
            self.server.ask(address, "PATCH", {"title": "Theirs", "caption": "Theirs too"}, "application/merge-patch+json")
            page.click(".editor .primary")
            page.wait_for_selector(".conflict:not([hidden])")
            text = page.locator(".conflict").inner_text()
            assert "Theirs" in text and "Theirs too" in text and "Rating" not in text, text
            assert self.server.ask(address)["title"] == "Theirs"
            self.shot(visit, "conflict")
            page.click(choice)
            visit.until(lambda: not page.locator(".editor").is_visible(), 5)
            stored = self.server.ask(address)
            assert (stored["title"], stored["caption"], stored["rating"]) == (expected, "Theirs too", 1), stored
            visit.forgive("412")
            visit.close()

    def nothing_is_offered_where_nothing_can_be_edited(self):
        self.server.make_stream("album", self._album(5))
        visit = self.visit()
        page = visit.page
        stream = {**self.server.ask("/v1/streams/album"), "canEdit": False}
        page.route("**/v1/streams/album", lambda route: route.fulfill(json=stream))
        visit.open("stream=album&layout=grid&sections=none")
        page.locator(".cell a[tabindex='0']").focus()
        for key in ["Space", "Delete"]:
            page.keyboard.press(key)
        visit.rest()
        assert visit.number_selected() == 0 and len(self.server.ids("album")) == 5
        box = page.locator(".cell").nth(1).bounding_box()
        page.mouse.click(box["x"] + 15, box["y"] + 15)
        visit.until(lambda: page.locator("#lightbox").is_visible(), 5)
        for key in ["e", "Delete"]:
            page.keyboard.press(key)
        visit.rest()
        assert page.locator("#lightbox .edits:visible").count() == 0 and not page.locator(".editor").is_visible()
        assert len(self.server.ids("album")) == 5
        visit.close()

    def keys_move_photos(self):
        """Alt with arrows moves a photo, or the selected ones; undo puts them back."""
        for order in ["manual", "newest"]:
            self.server.make_stream("album", self._album(30), order)
            before = self.server.ids("album")
            visit = self._editable("layout=grid&sections=none")
            page = visit.page
            columns = len({round(cell["x"]) for cell in visit.cells()})
            visit.photo(before[4]).focus()
            page.keyboard.press("Alt+ArrowRight")
            visit.until(lambda: self.server.ids("album")[4:6] == [before[5], before[4]], 5)
            visit.until(lambda: "1 photo moved" in page.locator("#toast").inner_text(), 5)
            visit.rest()
            assert f"photo={before[4]}" in page.evaluate("document.activeElement.href")
            page.keyboard.press("Control+z")
            visit.until(lambda: self.server.ids("album") == before, 5)
            visit.until(lambda: "moved back" in page.locator("#toast").inner_text(), 5)
            visit.rest()
            page.keyboard.press("Alt+ArrowDown")
            visit.until(lambda: self.server.ids("album").index(before[4]) == 4 + columns, 5)
            visit.rest()
            page.keyboard.press("Control+z")
            visit.until(lambda: self.server.ids("album") == before, 5)
            visit.rest()
            page.keyboard.press("Space")
            page.keyboard.press("Shift+ArrowRight")
            visit.until(lambda: visit.number_selected() == 2, 5)
            page.keyboard.press("Alt+ArrowRight")
            expected = before[:4] + [before[6], before[4], before[5]] + before[7:]
            visit.until(lambda: self.server.ids("album") == expected, 5)
            visit.close()

    def photos_are_dragged(self):
        """A drag with the mouse moves a photo to the line; Escape gives it up; a click afterwards still opens."""
        for direction in ["ltr", "rtl"]:
            self.server.make_stream("album", self._album(30), "manual")
            before = self.server.ids("album")
            visit = self._editable(f"layout=grid&sections=none&direction={direction}")
            page = visit.page
            places = {cell["id"]: cell for cell in visit.cells()}

            def middle(photo, part=0.5):
                cell = places[photo]
                return cell["x"] + cell["width"] * part, cell["top"] + 52 + cell["height"] / 2
            page.mouse.move(*middle(before[1]))
            page.mouse.down()
            page.mouse.move(*middle(before[3], 0.8 if direction == "ltr" else 0.2), steps=8)
            assert page.locator(".ghost").count() == 1 and page.locator("#drop").is_visible()
            self.shot(visit, f"drag-{direction}")
            page.keyboard.press("Escape")
            assert page.locator(".ghost").count() == 0
            page.mouse.up()
            visit.rest()
            assert self.server.ids("album") == before and not page.locator("#lightbox").is_visible()
            page.mouse.move(*middle(before[1]))
            page.mouse.down()
            page.mouse.move(*middle(before[3], 0.8 if direction == "ltr" else 0.2), steps=8)
            page.mouse.up()
            after = [before[0], before[2], before[3], before[1], *before[4:]]
            visit.until(lambda: self.server.ids("album") == after, 5)
            visit.until(lambda: [cell["id"] for cell in sorted(visit.cells(), key=lambda cell: cell["position"])][:5] == after[:5], 5)
            assert not page.locator("#lightbox").is_visible()
            page.click(".toast button")
            visit.until(lambda: self.server.ids("album") == before, 5)
            visit.rest()
            page.mouse.click(*middle(before[2]))
            visit.until(lambda: page.locator("#lightbox").is_visible(), 5)
            visit.close()

    def photos_are_dragged_by_touch(self):
        """After a long press a finger drags the photo, or all that are selected; without one it scrolls."""
        self.server.make_stream("album", self._album(60), "manual")
        before = self.server.ids("album")
        visit = self._editable(
            "layout=grid&sections=none", width=390, height=844, scale=2, has_touch=True, is_mobile=True)
        page = visit.page
        touch = page.context.new_cdp_session(page)
        top = lambda: page.evaluate("document.querySelector('#scroller').scrollTop")

        def send(type, point=None):
            points = [] if point is None else [{"x": point[0], "y": point[1]}]
            touch.send("Input.dispatchTouchEvent", {"type": type, "touchPoints": points})

        def middle(photo, part=0.5):
            box = visit.photo(photo).bounding_box()
            return box["x"] + box["width"] * part, box["y"] + box["height"] / 2

        def drag(photo, target, selected):
            """Presses long, and moves to the second half of another photo."""
            start, end = middle(photo), middle(target, 0.8)
            send("touchStart", start)
            visit.until(lambda: visit.number_selected() == selected, 5)
            for step in range(1, 9):
                send("touchMove", [a + (b - a) * step / 8 for a, b in zip(start, end)])
                visit.rest(20)
            assert page.locator(".ghost").count() == 1 and page.locator("#drop").is_visible()

        drag(before[1], before[4], 1)
        self.shot(visit, "drag-touch")
        send("touchEnd")
        expected = [before[0], *before[2:5], before[1], *before[5:]]
        visit.until(lambda: self.server.ids("album") == expected, 5)
        visit.until(lambda: visit.number_selected() == 0, 5)
        assert top() == 0 and page.locator(".ghost").count() == 0 and not page.locator("#lightbox").is_visible()
        page.locator(".toast button").tap()
        visit.until(lambda: self.server.ids("album") == before, 5)
        visit.rest()
        # Two that are selected.
        send("touchStart", middle(before[0]))
        visit.until(lambda: visit.number_selected() == 1, 5)
        send("touchEnd")
        visit.photo(before[2]).tap()
        visit.until(lambda: visit.number_selected() == 2, 5)
        drag(before[2], before[5], 1)
        assert page.locator(".ghost").get_attribute("data-count") == "2"
        send("touchEnd")
        expected = [before[1], *before[3:6], before[0], before[2], *before[6:]]
        visit.until(lambda: self.server.ids("album") == expected, 5)
        visit.until(lambda: visit.number_selected() == 2, 5)
        page.locator("#selection .clear").tap()
        visit.rest()
        # A swipe, and a drag that another finger ends.
        send("touchStart", (200, 600))
        for step in range(1, 11):
            send("touchMove", (200, 600 - 30 * step))
            visit.rest(16)
        send("touchEnd")
        visit.until(lambda: top() > 200, 5)
        visit.rest()
        assert self.server.ids("album") == expected and visit.number_selected() == 0
        shown = sorted(visit.cells(), key=lambda cell: cell["position"])
        shown = [cell["id"] for cell in shown if cell["top"] > 10]
        drag(shown[0], shown[3], 1)
        here, there = middle(shown[3]), middle(shown[0])
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [
            {"x": here[0], "y": here[1], "id": 0}, {"x": there[0], "y": there[1], "id": 1}]})
        visit.until(lambda: page.locator(".ghost").count() == 0, 5)
        send("touchEnd")
        visit.rest()
        assert self.server.ids("album") == expected
        visit.close()

    def a_text_is_found(self):
        """Matches are laid out by the server; the address shows them again; Escape leads back to the same place."""
        visit = self.visit().open("stream=photos&layout=masonry&sections=month")
        page = visit.page
        visit.scroll_to(2_345)
        before = {cell["id"]: cell["top"] for cell in visit.cells()}
        page.keyboard.press("/")
        page.keyboard.type("THE ", delay=20)
        visit.until(lambda: page.locator(".found").inner_text() != "")
        visit.rest()
        number = self._compare_matches(visit, "the")
        assert page.locator(".found").inner_text() == f"{number} photos" and "search=THE" in page.url
        self.shot(visit, "search")
        link = page.url.split("#")[1]
        other = self.visit().open(link)
        assert self._compare_matches(other, "the") == number
        assert other.page.locator(".search input").input_value() == "THE"
        other.close()
        # The neighbours of a match are matches.
        page.keyboard.press("Enter")
        visit.until(lambda: page.evaluate("document.activeElement.closest('.cell') !== null"), 5)
        page.keyboard.press("Enter")
        visit.until(lambda: page.locator("#lightbox .counter").inner_text() == f"1 / {number}", 5)
        visit.rest()
        page.keyboard.press("ArrowRight")
        visit.until(lambda: page.locator("#lightbox .counter").inner_text() == f"2 / {number}", 5)
        page.keyboard.press("Escape")
        visit.rest()
        page.keyboard.press("Escape")
        visit.until(lambda: "search=" not in page.url, 5)
        visit.rest()
        after = {cell["id"]: cell["top"] for cell in visit.cells()}
        assert before == after, (before, after)
        assert page.locator(".search input").input_value() == ""
        assert page.evaluate("document.activeElement.closest('.cell') !== null")
        page.go_back()
        visit.until(lambda: page.locator(".found").inner_text() == f"{number} photos", 5)
        visit.rest()
        self._compare_matches(visit, "the")
        # At once, before the answer has come: the focus is on a match then.
        page.keyboard.press("/")
        page.keyboard.type("orientation")
        page.keyboard.press("Enter")
        visit.until(lambda: "search=orientation" in page.url and page.locator(".found").inner_text() not in ("", f"{number} photos"), 5)
        visit.until(lambda: page.evaluate("document.activeElement.closest('.cell') !== null"), 5)
        self._compare_matches(visit, "orientation")
        visit.close()

    def _compare_matches(self, visit, text):
        """Compares the photos in the window with the answer of the interface; returns the number of matches."""
        visit.until(lambda: len(visit.cells()) > 0)
        asked = visit.page.evaluate(
            "performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => /search\\?/.test(name)).pop()")
        answer = self.server.ask(asked[len(self.server.address):])
        items = {item["photo"]: (position, item) for position, item in enumerate(answer["items"])}
        assert len(items) == answer["matches"]
        for photo, (_, item) in items.items():
            texts = [item.get("title", ""), item.get("caption", ""), *self.server.ask(
                f"/v1/streams/photos/photos/{urllib.parse.quote(photo, safe='')}").get("tags", [])]
            assert any(text in words.lower() for words in texts), item
        for cell in visit.cells():
            position, item = items[cell["id"]]
            assert (cell["position"], cell["size"]) == (position + 1, str(len(items))), cell
            for side in ["x", "y", "width", "height"]:
                assert abs(cell[side] - item["frame"][side]) < 0.1, (cell, item["frame"])
        return len(items)

    def a_search_has_bounds(self):
        """Only the first 1,000; nothing found; a newer text cancels the former request; markup is text."""
        visit = self.visit().open("stream=many&search=caption&sections=none")
        visit.until(lambda: page_text(visit, ".found") == "only the first 1,000")
        visit.scroll_to(30_000)
        last = max(cell["position"] for cell in visit.cells())
        assert 100 < last <= 1_000 and visit.cells()[0]["size"] == "1000", last
        visit.close()
        visit = self.visit().open("stream=photos&sections=none")
        page = visit.page
        failed = []
        page.on("requestfailed", lambda request: failed.append(request.url))
        page.route("**/layout/search?**text=ba&**", lambda route: None)
        page.route("**/layout/search?**text=ba", lambda route: None)
        page.keyboard.press("/")
        page.keyboard.type("ba")
        visit.rest(600)
        page.keyboard.type("<script>wasRun=1</script>")
        visit.until(lambda: page.locator("#state").is_visible())
        assert "<script>wasRun=1</script>" in page_text(visit, "#state-text")
        assert len(failed) == 1 and "text=ba" in failed[0], failed
        assert page.evaluate("window.wasRun === undefined")
        self.shot(visit, "nothing-found")
        page.click("#state-button")
        visit.until(lambda: len(visit.cells()) > 5)
        assert visit.cells()[0]["size"] == "61" and "search" not in page.url
        visit.close()

    # Changes

    def changes_arrive(self):
        """Photos are added above, edited, deleted and moved, and nothing that is looked at moves by a pixel."""
        server = self.server
        if "live" in [stream["stream"] for stream in server.ask("/v1/streams")["streams"]]:
            server.ask("/v1/streams/live?with-photos=true", "DELETE")
        server.ask("/v1/streams", "POST", {"stream": "live"})
        server.import_photos("live", [
            {"id": f"p{i:03}", "width": 600 + i * 37 % 900, "height": 600, "caption": f"Photo {i}",
             "takenAt": f"{2020 - i // 60}-06-11T10:00:00Z", "color": f"#{60 + i % 150:02x}8090"} for i in range(400)])
        visit = self.visit().open("stream=live&layout=masonry&captions=yes&sections=year")
        server.import_photos("live", [
            {"id": "first", "width": 900, "height": 600, "takenAt": "2026-02-01T00:00:00Z", "caption": "The first"}])
        visit.page.wait_for_selector(".cell >> text=The first")
        assert not visit.page.locator("#news").is_visible()
        visit.scroll_to(5_000)
        before = {cell["id"]: (cell["x"], cell["top"]) for cell in visit.cells()}
        server.import_photos("live", [
            {"id": f"new{i}", "width": 900, "height": 600 + i, "takenAt": "2026-03-01T00:00:00Z"} for i in range(50)])
        visit.page.wait_for_selector("#news:not([hidden])")
        visit.rest(700)
        assert "50 photos" in visit.page.locator("#news").inner_text()
        after = {cell["id"]: (cell["x"], cell["top"]) for cell in visit.cells()}
        assert before == after
        middle = sorted(visit.cells(), key=lambda cell: cell["top"])[len(before) // 2]["id"]
        server.ask(f"/v1/streams/live/photos/{middle}", "PATCH", {"caption": "Edited"}, "application/merge-patch+json")
        visit.page.wait_for_selector(".cell >> text=Edited")
        server.ask(f"/v1/streams/live/photos/{middle}", "DELETE")
        visit.page.wait_for_selector(".cell >> text=Edited", state="detached")
        server.import_photos("live", [
            {"id": f"many{i}", "width": 900, "height": 700, "takenAt": "2026-04-01T00:00:00Z"} for i in range(500)])
        visit.until(lambda: "550" in visit.page.locator("#news").inner_text())
        self.shot(visit, "news")
        visit.page.click("#news")
        visit.rest(900)
        assert min(cell["position"] for cell in visit.cells()) == 1 and not visit.page.locator("#news").is_visible()
        visit.close()
        server.ask("/v1/streams/live?with-photos=true", "DELETE")

    def _copy_sample(self, name, target):
        """Copies a sample picture to the watched folder; no server has seen these bytes before."""
        with open(os.path.join(SAMPLES, name), "rb") as file:
            content = file.read()
        with open(os.path.join(self.watched, target), "wb") as file:
            # What follows the end of a JPEG file is not a part of its picture.
            file.write(content + str(time.time_ns()).encode())

    def a_copied_file_appears(self):
        """A file in a watched folder is on an open page within 2 s after the 2 s in which it must not change."""
        if not self.watched:
            return
        visit = self.visit().open("stream=watched&layout=grid&sections=none")
        times = []
        for _ in range(3):
            name = f"copied-{time.time_ns()}.jpg"
            self._copy_sample("harbour-dusk.jpg", name)
            start = time.monotonic()
            visit.until(lambda: visit.photo(name).count())
            times.append(time.monotonic() - start)
            visit.until(lambda: visit.photo(name).locator("img").count())
            print(f"      on the page after {times[-1]:.2f} s, with its picture after {time.monotonic() - start:.2f} s")
        assert all(seconds >= 2 for seconds in times), times
        assert min(times) < 4 or not is_quiet(), times
        visit.close()

    def pictures_appear_when_they_are_ready(self):
        """Photos whose thumbnails are made while the page is open get them by themselves."""
        if not self.watched:
            return
        visit = self.visit().open("stream=watched&layout=grid&sections=none")
        names = [name for name in sorted(os.listdir(SAMPLES)) if name.endswith(".jpg")][:24]
        unique = str(time.time_ns())
        for name in names:
            self._copy_sample(name, f"{unique}-{name}")
        visit.until(lambda: visit.page.locator(f'.cell a[href*="photo={unique}"]').count() > 5)
        first = sum(cell["image"] is None for cell in visit.cells())
        visit.sharp()
        print(f"      {first} photos were on the page before their pictures")
        assert first > 0
        visit.close()

    # Several tabs

    def _tabs(self, count, fragment, script=None):
        """Pages in one browser, each on the screen."""
        first = self.visit()
        if script:
            first.context.add_init_script(script)
        tabs = [first, *(self.visit(beside=first) for _ in range(count - 1))]
        for tab in tabs:
            tab.page.goto(f"{self.server.address}/#{fragment}")
        for tab in tabs:
            tab.page.wait_for_selector(".cell")
        return tabs

    def _readers(self, tabs):
        return [tab for tab in tabs if tab.following]

    def _followers(self):
        """The number of clients that read events, as the server counts them."""
        lines = self.server.ask("/metrics").splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("photostream_event_clients "))

    def _add_above(self, stream, name):
        self.server.import_photos(stream, [
            {"id": name, "width": 900, "height": 600, "takenAt": f"2090-01-01T00:00:00Z", "color": "#408090"}])

    def _hide(self, tab, is_hidden):
        """Tells a page that it is not seen, or seen again."""
        tab.page.evaluate("""(isHidden) => {
            Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""", is_hidden)

    def _all_show(self, tabs, name, seconds=20):
        """Waits until all tabs show a photo; returns the time that it took."""
        start = time.monotonic()
        missing = list(tabs)
        while missing:
            missing = [tab for tab in missing if not tab.photo(name).count()]
            assert time.monotonic() - start < seconds, f"{len(missing)} of {len(tabs)} tabs do not show {name}"
            tabs[0].rest(5)
        return time.monotonic() - start

    def _close_all(self, tabs):
        for tab in reversed(tabs):
            tab.forgive("404")
            tab.close()

    def eight_tabs_share_the_events(self):
        """A browser opens six connections to a server: one of them is for the events of all tabs."""
        others = self._followers()
        tabs = self._tabs(8, "stream=photos&layout=grid&sections=none")
        for tab in tabs:
            tab.sharp()
        tabs[0].until(lambda: len(self._readers(tabs)) == 1 and self._followers() <= others + 1, 5)
        names, times = [], []
        try:
            for _ in range(3):
                name = f"shared {time.time_ns()}"
                self._add_above("photos", name)
                names.append(name)
                times.append(self._all_show(tabs, name))
            tabs[0].rest(300)
            assert len(self._readers(tabs)) == 1 and self._followers() <= others + 1
        finally:
            for name in names:
                self.server.ask(f"/v1/streams/photos/photos/{urllib.parse.quote(name)}", "DELETE")
        print("      changes are on eight tabs after", ", ".join(f"{seconds * 1000:.0f} ms" for seconds in times))
        assert min(times) < 1 or not is_quiet(), times
        self._close_all(tabs)

    def another_tab_reads_on(self):
        """The tab that reads events is closed, then hidden: another one reads, and shows what has changed meanwhile."""
        self.server.make_stream("album", self._album(40))
        tabs = self._tabs(4, "stream=album&layout=grid&sections=none")
        context = tabs[0].context
        tabs[0].until(lambda: len(self._readers(tabs)) == 1, 5)
        held = []
        context.route("**/v1/streams/album/events?*", lambda route: held.append(route))
        (reader,) = self._readers(tabs)
        tabs.remove(reader)
        reader.close()
        self._add_above("album", "closed")
        tabs[0].until(lambda: held, 5)
        tabs[0].rest(300)
        assert not any(tab.photo("closed").count() for tab in tabs)
        held[0].continue_()
        context.unroute("**/v1/streams/album/events?*")
        self._all_show(tabs, "closed")
        assert len(held) == 1, held
        (reader,) = self._readers(tabs)
        others = [tab for tab in tabs if tab is not reader]
        # What the page still asks for would bring the next change, too.
        reader.rest()
        # Only a tab that is not seen is frozen.
        self._hide(reader, True)
        others[0].until(lambda: len(self._readers(others)) == 1, 5)
        self._add_above("album", "hidden")
        self._all_show(others, "hidden")
        self._hide(reader, False)
        self._all_show(tabs, "hidden")
        assert self._readers(tabs) == self._readers(others)
        self._close_all(tabs)

    def a_late_tab_catches_up(self):
        """A tab that follows again has what it missed, change by change; of more changes than an event has, the result."""
        self.server.make_stream("album", self._album(40))
        ids = self.server.ids("album")
        tabs = self._tabs(2, "stream=album&layout=grid&sections=none")
        tabs[0].until(lambda: len(self._readers(tabs)) == 1, 5)
        late = next(tab for tab in tabs if not tab.following)
        late.until(lambda: "can-edit" in (late.page.locator("html").get_attribute("class") or ""))
        late.photo(ids[2]).focus()
        late.page.keyboard.press("Space")
        assert late.number_selected() == 1
        late.rest()
        self._hide(late, True)
        self.server.ask(f"/v1/streams/album/photos/{ids[2]}", "DELETE")
        self._add_above("album", "few")
        self._all_show([tab for tab in tabs if tab is not late], "few")
        late.rest(300)
        assert not late.photo("few").count()
        self._hide(late, False)
        self._all_show(tabs, "few")
        late.until(lambda: late.number_selected() == 0, 5)
        self._hide(late, True)
        self.server.import_photos("album", [
            {"id": f"more{i}", "width": 3, "height": 2, "takenAt": "2080-01-01T00:00:00Z"} for i in range(150)])
        self._add_above("album", "many")
        self._all_show([tab for tab in tabs if tab is not late], "many")
        self._hide(late, False)
        self._all_show(tabs, "many")
        late.until(lambda: late.cells()[0]["size"] == str(len(self.server.ids("album"))), 5)
        assert len(self._readers(tabs)) == 1
        self._close_all(tabs)

    def tabs_without_locks_read_by_themselves(self):
        """As on plain HTTP from another machine, where browsers have no locks."""
        self.server.make_stream("album", self._album(40))
        tabs = self._tabs(2, "stream=album&layout=grid&sections=none",
                          "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });")
        tabs[0].until(lambda: len(self._readers(tabs)) == 2, 5)
        self._add_above("album", "alone")
        self._all_show(tabs, "alone")
        self._close_all(tabs)

    def all_tabs_say_that_a_stream_is_gone(self):
        self.server.make_stream("album", self._album(40))
        tabs = self._tabs(3, "stream=album&layout=grid&sections=none")
        tabs[0].until(lambda: len(self._readers(tabs)) == 1, 5)
        self.server.ask("/v1/streams/album?with-photos=true", "DELETE")
        for tab in tabs:
            tab.until(lambda: "There is no stream named" in page_text(tab, "#state-text"), 10)
        tabs[0].until(lambda: not self._readers(tabs), 5)
        self._close_all(tabs)

    def nothing_moves_in_the_middle_of_a_long_stream(self):
        """1,000 photos are inserted above in four writes: no photo moves in any frame, and no pixel of them changes."""
        middle = self.server.ask("/v1/streams/many")["count"] // 2
        for layout in ["justified", "masonry"]:
            unique = time.time_ns()
            visit = self.visit().open(f"stream=many&layout={layout}&captions=yes")
            self._go(visit, "number", str(middle))
            visit.page.evaluate("document.querySelector('#news').style.visibility = 'hidden'")
            visit.page.mouse.move(600, 5)
            visit.rest(300)
            clip = {"x": 0, "y": 70, "width": 1200, "height": 730}
            positions = {cell["id"]: cell["position"] for cell in visit.cells()}
            assert middle in positions.values(), positions
            before = visit.page.screenshot(clip=clip)
            visit.page.evaluate(WATCH)
            for part in range(4):
                self.server.import_photos("many", [
                    {"id": f"above {unique} {part} {i}", "width": 300 + 7 * i, "height": 400, "takenAt": "2089-01-01T00:00:00Z"}
                    for i in range(250)])
            visit.until(lambda: {cell["id"]: cell["position"] - 1_000 for cell in visit.cells()} == positions)
            visit.until(lambda: "1,000 photos" in visit.page.locator("#news").text_content(), 5)
            visit.rest()
            after = visit.page.screenshot(clip=clip)
            watched = visit.page.evaluate("watched")
            assert watched["photos"] >= 5 and watched["frames"] > 20 and not watched["moved"], (watched["frames"], watched["moved"][:3])
            self.shot(visit, f"middle-{layout}")
            assert before == after, "the screenshots differ"
            visit.close()

    def a_restart_heals(self):
        """Pages wait for a server that ends, and go on by themselves."""
        if not self.restart:
            return
        visit, other = self._tabs(2, "stream=many")
        visit.until(lambda: len(self._readers([visit, other])) == 1, 5)
        visit.page.bring_to_front()
        subprocess.run([self.restart, "stop"], check=True)
        visit.page.mouse.move(600, 400)
        for _ in range(30):
            visit.page.mouse.wheel(0, 3_000)
            visit.rest(16)
        for tab in [visit, other]:
            tab.page.wait_for_selector("#offline:not([hidden])")
        self.shot(visit, "offline")
        subprocess.run([self.restart, "start"], check=True)
        for tab in [visit, other]:
            tab.page.wait_for_selector("#offline", state="hidden", timeout=30_000)
        visit.rest()
        assert len(visit.cells()) >= 5
        for tab in [visit, other]:
            # A browser logs requests that fail.
            tab.forgive("ERR_CONNECTION")
            tab.close()

    # Adding

    def _clear_added(self):
        for id in self.server.ids("added"):
            self.server.ask(f"/v1/streams/added/photos/{urllib.parse.quote(id, safe='')}", "DELETE")

    def _drop(self, visit, files, ends=True):
        """Drags files over the page as a desktop does, and drops them unless that is left out."""
        visit.page.evaluate("""([files, ends]) => {
            const data = new DataTransfer();
            for (const { name, text, type } of files) {
              const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
              data.items.add(new File([bytes], name, { type }));
            }
            const target = document.querySelector("#scroller");
            for (const kind of ends ? ["dragenter", "dragover", "drop"] : ["dragenter", "dragover"]) {
              const event = new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
              target.dispatchEvent(event);
              if (!event.defaultPrevented) throw new Error(`${kind} is left to the browser`);
            }
        }""", [files, ends])

    def _choosing(self, visit):
        """Returns a function that chooses files in the next dialog for them.

        The browser must know early that nobody looks at the dialog: telling it races with the press that opens it.
        """
        choosers = []
        visit.page.on("filechooser", lambda chooser: choosers.append(chooser))

        def choose(files):
            visit.until(lambda: choosers, 5)
            choosers.pop().set_files(files)

        return choose

    def photos_are_added(self):
        """Chosen and dropped, with progress, and with a reason for each file that is refused."""
        self._clear_added()
        visit = self.visit()
        choose = self._choosing(visit)
        visit.open("stream=added&layout=grid&sections=none", wait="#state:not([hidden])")
        page = visit.page
        button = page.locator("#state-button")
        visit.until(lambda: button.is_visible() and button.inner_text() == "Add photos…", 5)
        self.shot(visit, "adding-empty")
        note = page.locator(".toast")
        unique = str(time.time_ns())
        picture = lambda name: os.path.join(SAMPLES, name)

        def content(name, as_name=None, type=""):
            with open(picture(name), "rb") as file:
                return {"name": as_name or name, "type": type, "text": base64.b64encode(file.read()).decode()}

        def payload(file):
            return {"name": file["name"], "mimeType": file["type"] or "image/png", "buffer": base64.b64decode(file["text"])}

        # With the keyboard alone.
        button.focus()
        page.keyboard.press("Enter")
        names = [f"{unique}-{name}" for name in ["poster-arches.png", "moonrise.webp", "orientation-6.jpg"]]
        choose([payload(content(name.split("-", 1)[1], name)) for name in names])
        visit.until(lambda: note.is_visible() and note.inner_text().startswith("Adding "), 5)
        visit.until(lambda: "3 photos added" in note.inner_text())
        visit.until(lambda: len(visit.cells()) == 3)
        visit.sharp()
        assert sorted(self.server.ids("added")) == sorted(names)
        page.click(".toast button")
        visit.until(lambda: page.evaluate("document.activeElement.closest('.cell') !== null"), 5)

        # Dropped, while one sees where to.
        zone = page.locator("#dropzone")
        self._drop(visit, [content("one-pixel.png")], ends=False)
        assert zone.is_visible() and zone.inner_text() == "Drop photos to add to “added”", zone.inner_text()
        visit.rest()
        self.shot(visit, "adding-dragged")
        markup = "<img src=x onerror=alert(1)>.png"
        broken = {"name": markup, "type": "image/png", "text": base64.b64encode(b"no picture").decode()}
        text = {"name": "notes.txt", "type": "text/plain", "text": base64.b64encode(b"some words").decode()}
        self._drop(visit, [content("one-pixel.png", f"{unique}-one.png", "image/png"), content("poster-tiles.png", names[0]),
                           broken, text])
        assert not zone.is_visible()
        visit.until(lambda: note.is_visible() and "could not be added" in note.inner_text())
        lines = note.locator("span").inner_text().split("\n")
        assert lines[0] == "1 photo added; 3 could not be added:", lines
        expected = [
            f"• there is a file \"{names[0]}\" already, and files are never replaced",
            f"• {markup}: the picture cannot be decoded: The content is not a picture of a known format.",
            "• \"notes.txt\" cannot be the name of a picture: files with the extension .txt are not imported as pictures",
        ]
        assert sorted(lines[1:]) == sorted(expected), lines
        visit.rest()
        self.shot(visit, "adding-refused")
        assert len(self.server.ids("added")) == 4
        # It stays until it is closed.
        page.get_by_role("button", name="Close", exact=True).click()
        assert not note.is_visible()
        visit.forgive("status of 409", "status of 422", "status of 400")
        visit.close()

    def a_file_of_records_is_imported(self):
        """Dropped or chosen; what it did is counted, and each record that was refused is named."""
        self.server.make_stream("album", self._album(5))
        visit = self._editable("layout=grid&sections=none")
        page = visit.page
        choose_files = self._choosing(visit)
        visit.until(lambda: page.locator("#add").is_enabled(), 5)
        assert page.locator("#add").get_attribute("aria-label") == "Add records…"
        lines = [{"id": "p000", "caption": "told"}, {"id": "new", "width": 3, "height": 2, "takenAt": "2031"}, {"id": "bad", "width": 0, "height": 1}]
        note = page.locator(".toast")

        def choose(name, text, type):
            page.click("#add")
            choose_files({"name": name, "mimeType": type, "buffer": text.encode()})

        choose("photos.jsonl", "\n".join(map(json.dumps, lines)), "application/jsonl")
        visit.until(lambda: note.is_visible() and "refused" in note.inner_text())
        words = note.locator("span").inner_text().split("\n")
        assert words[0] == "photos.jsonl: 1 added, 1 changed, 1 refused; 1 could not be added:", words
        assert len(words) == 2 and words[1].startswith("• photos.jsonl, line 3: "), words
        visit.until(lambda: len(visit.cells()) == 6)
        choose("more.csv", "id,width,height\nrow,3,2\n", "text/csv")
        visit.until(lambda: note.inner_text() == "more.csv: 1 added")
        choose("list.json", json.dumps([{"id": "row"}, {"id": "other", "width": 3, "height": 2}]), "application/json")
        visit.until(lambda: note.inner_text() == "list.json: 1 added, 1 unchanged")
        # Pictures are not taken here, and nothing is asked of the server.
        self._drop(visit, [{"name": "a.png", "type": "image/png", "text": ""}])
        visit.until(lambda: note.locator("span").inner_text() ==
                    "1 could not be added:\n• a.png: the server takes no pictures for this stream")
        visit.close()

    def a_slow_answer_moves_nothing(self):
        """The words while photos are awaited, and those that follow, begin at the same place."""
        visit = self.visit()
        page = visit.page
        held = []
        page.route("**/v1/streams/empty/layout?*", lambda route: held.append(route))
        visit.open("stream=empty&sections=none", wait=None)
        visit.until(lambda: page_text(visit, "#state-title") == "Loading photos…", 5)
        held[0].continue_()
        visit.until(lambda: page_text(visit, "#state-title") == "No photos yet", 5)
        visit.rest()
        visit.close()

    def the_menu_of_a_small_screen_adds(self):
        visit = self.visit(width=390, height=844)
        choose = self._choosing(visit)
        visit.open("stream=added&layout=grid&sections=none", wait="header")
        page = visit.page
        assert not page.locator("#add").is_visible()
        page.locator("[popovertarget=view]").click()
        page.get_by_role("button", name="Add photos…", exact=True).filter(visible=True).first.click()
        assert not page.locator("#view").is_visible()
        choose([])
        visit.rest()
        assert not page.locator(".toast").is_visible()
        visit.close()

    def adding_can_be_stopped(self):
        """What was sent stays; the rest is not sent."""
        self._clear_added()
        visit = self.visit().open("stream=added&layout=grid&sections=none", wait="#state:not([hidden])")
        page = visit.page
        held = []
        page.route("**/v1/streams/added/pictures*", lambda route: held.append(route))
        visit.until(lambda: page.locator("#add").is_enabled(), 5)
        files = [{"name": f"{i}.png", "type": "image/png", "text": ""} for i in range(12)]
        self._drop(visit, files)
        visit.until(lambda: len(held) == 2, 5)
        note = page.locator(".toast")
        assert note.locator("span").inner_text() == "Adding 1 of 12 photos…", note.inner_text()
        self.shot(visit, "adding-progress")
        page.click(".toast button")
        visit.until(lambda: note.is_visible() and note.inner_text() == "Stopped", 5)
        visit.rest()
        assert len(held) == 2
        for route in held:
            route.abort()
        visit.close()

    # Looks

    def nothing_is_inaccessible(self):
        """axe finds nothing serious."""
        for name, fragment, wait in [
            ("grid", "stream=photos&captions=yes&layout=masonry", ".cell img"), ("map", "stream=photos&layout=map", ".cell img"),
            ("lightbox", "stream=photos&photo=balloons-01.jpg", "#lightbox .frame img"),
            ("empty", "stream=empty", "#state:not([hidden])"), ("error", "stream=unknown", "#state:not([hidden])"),
            ("search", "stream=photos&search=the", ".cell img"), ("nothing found", "stream=photos&search=qqq", "#state:not([hidden])"),
            ("selection", "stream=photos&sections=none", ".cell img"),
            ("form", "stream=photos&photo=balloons-01.jpg", "#lightbox .frame img"),
            ("adding", "stream=added&layout=grid", None), ("dragging", "stream=added&layout=grid", None),
        ]:
            visit = self.visit().open(fragment, wait=wait)
            if name == "lightbox":
                visit.page.keyboard.press("i")
                visit.rest()
            if name == "form":
                visit.page.keyboard.press("e")
                visit.page.wait_for_selector(".editor [name=title]")
            if name == "selection":
                visit.page.locator(".cell a[tabindex='0']").focus()
                visit.page.keyboard.press("Space")
                visit.page.wait_for_selector("#selection:not([hidden])")
            if name in ("adding", "dragging"):
                visit.until(lambda: visit.page.locator("#add").is_enabled(), 5)
                files = [{"name": f"{i}.txt", "type": "text/plain", "text": ""} for i in range(30)]
                self._drop(visit, files, ends=name == "adding")
                visit.until(lambda: visit.page.get_by_role("button", name="Close", exact=True).is_visible()
                            or visit.page.locator("#dropzone").is_visible(), 10)
                visit.forgive("status of 400")
            for scheme in ["light", "dark"]:
                visit.page.emulate_media(color_scheme=scheme)
                visit.rest()
                if name in ("adding", "dragging"):
                    self.shot(visit, f"{name}-{scheme}")
                result = Axe().run(visit.page)
                serious = [
                    (violation["id"], [node["html"][:120] for node in violation["nodes"][:3]])
                    for violation in result.response["violations"] if violation["impact"] in ("serious", "critical")]
                assert not serious, (scheme, name, serious)
            visit.problems = [problem for problem in visit.problems if "404" not in problem or name != "error"]
            visit.close()

    def screenshots(self):
        """Each layout, desktop and phone, light and dark, both directions, one photo, no photo."""
        desktop = dict(width=1440, height=900, scale=1)
        phone = dict(width=390, height=844, scale=2, has_touch=True, is_mobile=True)
        for kind, size in [("desktop", desktop), ("phone", phone)]:
            for fragments in [
                [("justified", "stream=photos"), ("months", "stream=photos&sections=month"),
                 ("masonry", "stream=photos&layout=masonry&captions=yes&sections=none"), ("grid", "stream=photos&layout=grid&sections=year"),
                 ("flow", "stream=photos&layout=flow&captions=yes&sections=year"),
                 ("map", "stream=photos&layout=map&zoom=" + ("2" if kind == "desktop" else "3"))],
                [("rtl", "stream=photos&direction=rtl&layout=masonry&captions=yes")],
            ]:
                visit = self.visit(**size)
                for name, fragment in fragments:
                    visit.open(fragment, wait=".cell img")
                    visit.sharp()
                    if name == "months":
                        visit.scroll_to(1_400)
                        visit.sharp()
                    for scheme in ["light", "dark"]:
                        visit.page.emulate_media(color_scheme=scheme)
                        visit.rest()
                        self.shot(visit, f"{kind}-{scheme}-{name}")
                visit.close()
            for name, fragment, wait in [
                ("lightbox", "stream=photos&photo=balloons-01.jpg", "#lightbox .frame img"),
                ("empty", "stream=empty", "#state:not([hidden])"), ("sample", "stream=sample&layout=masonry&captions=yes", ".cell"),
                ("added", "stream=added", "#state:not([hidden])"), ("menu", "stream=added", "#state:not([hidden])"),
            ]:
                visit = self.visit(**size).open(fragment, wait=wait)
                visit.rest()
                if name == "menu":
                    visit.page.locator("[popovertarget=view]").click()
                    visit.rest()
                if name == "lightbox":
                    visit.page.locator("#lightbox .info").click()
                    visit.rest()
                self.shot(visit, f"{kind}-{name}")
                visit.close()


def is_quiet():
    """Whether this machine has time for a page to be as fast as it can: other programs make every bound in seconds fail."""
    return os.getloadavg()[0] < 2 * os.cpu_count()


def page_text(visit, selector):
    return visit.page.locator(selector).inner_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address", help="the server, such as http://127.0.0.1:8080")
    parser.add_argument("--screenshots", default=".", help="the folder for screenshots")
    parser.add_argument("--restart", help="a program that stops and starts the server")
    parser.add_argument("--watched", help="the folder of the stream `watched`, whose files the server imports")
    parser.add_argument("--only", help="a part of the names of the checks to run")
    arguments = parser.parse_args()
    os.makedirs(arguments.screenshots, exist_ok=True)
    failures = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        checks = Checks(browser, arguments)
        for name in [name for name in vars(Checks) if not name.startswith("_") and name not in ("visit", "shot")]:
            if arguments.only and arguments.only not in name:
                continue
            start = time.monotonic()
            try:
                getattr(checks, name)()
                print(f"ok    {name} ({time.monotonic() - start:.1f} s)", flush=True)
            except Exception:  # Every check is run, and every failure shown.
                failures += 1
                print(f"FAIL  {name}\n{traceback.format_exc()}", flush=True)
        browser.close()
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
