"""The gallery in a real browser, against a running server: what it shows is what the interface says.

Run by scripts/gallery-test, which starts the server with the streams `photos` (pictures), `many` (no pictures), `markup`
(texts that look like markup) and `empty`.
"""

import argparse
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
      y: top - plane.top, position: Number(cell.getAttribute("aria-posinset")), size: cell.getAttribute("aria-setsize"),
      image: cell.querySelector("img")?.src ?? null, isSeen: bottom > scroller.top && top < scroller.bottom,
    };
  });
}
"""


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

    def import_photos(self, stream, photos):
        self.ask(f"/v1/streams/{stream}/photos", "POST", "\n".join(map(json.dumps, photos)), "application/jsonl")


class Visit:
    """A page in a browser of its own, which fails if the page does what none may."""

    def __init__(self, browser, address, width=1280, height=800, scale=1, scheme="light", **options):
        self.address = address
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=scale, color_scheme=scheme, **options)
        self.page = self.context.new_page()
        self.page.add_init_script(OBSERVERS)
        self.problems = []
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.problems.append("a dialog"), dialog.dismiss()))
        self.page.on("console", self._logged)
        self.page.on("request", self._asked)

    def _logged(self, message):
        if message.type == "error":
            self.problems.append(f"console: {message.text}")

    def _asked(self, request):
        if not request.url.startswith((self.address + "/", "blob:" + self.address + "/")):
            self.problems.append(f"request: {request.url}")

    def open(self, fragment, wait=".cell"):
        self.page.goto(f"{self.address}/#{fragment}")
        if wait:
            self.page.wait_for_selector(wait)
        self.rest()
        return self

    def rest(self, milliseconds=450):
        self.page.wait_for_timeout(milliseconds)

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

    def close(self, allow_shift=False):
        seen = self.page.evaluate("window.seen")
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

    def visit(self, **options):
        return Visit(self.browser, self.server.address, **options)

    def shot(self, visit, name):
        visit.page.screenshot(path=os.path.join(self.folder, f"{name}.png"))

    # The frames

    def frames_are_those_of_the_interface(self):
        """Every frame on the page is the interface's, to the device pixel."""
        for scale in [1, 1.5, 2, 3]:
            for layout in ["justified", "masonry", "grid", "flow"]:
                for more in ["sections=year&captions=yes", "sections=none&spacing=0&direction=rtl"]:
                    visit = self.visit(scale=scale, width=1111, height=700)
                    visit.open(f"stream=photos&layout={layout}&{more}")
                    visit.page.evaluate("document.querySelector('#scroller').scrollTop = 777")
                    visit.until(lambda: len(visit.cells()) >= 3)
                    self._compare(visit, scale)
                    visit.close()

    def _compare(self, visit, scale):
        asked = visit.page.evaluate(
            "performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => /rect\\?/.test(name)).pop()")
        query = urllib.parse.parse_qs(urllib.parse.urlparse(asked).query)
        options = {name: values[0] for name, values in query.items()
                   if name not in ("rect", "limit", "ids", "pictures", "fields", "revision")}
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

    def a_restart_heals(self):
        """The page waits for a server that ends, and goes on by itself."""
        if not self.restart:
            return
        visit = self.visit().open("stream=many")
        subprocess.run([self.restart, "stop"], check=True)
        visit.page.mouse.move(600, 400)
        for _ in range(30):
            visit.page.mouse.wheel(0, 3_000)
            visit.rest(16)
        visit.page.wait_for_selector("#offline:not([hidden])")
        self.shot(visit, "offline")
        subprocess.run([self.restart, "start"], check=True)
        visit.page.wait_for_selector("#offline", state="hidden", timeout=30_000)
        visit.rest()
        assert len(visit.cells()) >= 5
        # A browser logs requests that fail.
        visit.problems = [problem for problem in visit.problems if "ERR_CONNECTION" not in problem]
        visit.close()

    # Looks

    def nothing_is_inaccessible(self):
        """axe finds nothing serious."""
        for scheme in ["light", "dark"]:
            for name, fragment, wait in [
                ("grid", "stream=photos&captions=yes&layout=masonry", ".cell img"), ("map", "stream=photos&layout=map", ".cell img"),
                ("lightbox", "stream=photos&photo=balloons-01.jpg", "#lightbox .frame img"),
                ("empty", "stream=empty", "#state:not([hidden])"), ("error", "stream=unknown", "#state:not([hidden])"),
            ]:
                visit = self.visit(scheme=scheme).open(fragment, wait=wait)
                if name == "lightbox":
                    visit.page.keyboard.press("i")
                    visit.rest()
                result = Axe().run(visit.page)
                serious = [
                    (violation["id"], [node["html"][:120] for node in violation["nodes"][:3]])
                    for violation in result.response["violations"] if violation["impact"] in ("serious", "critical")]
                visit.problems = [problem for problem in visit.problems if "404" not in problem or name != "error"]
                assert not serious, (scheme, name, serious)
                visit.close()

    def screenshots(self):
        """Each layout, desktop and phone, light and dark, both directions, one photo, no photo."""
        desktop = dict(width=1440, height=900, scale=1)
        phone = dict(width=390, height=844, scale=2, has_touch=True, is_mobile=True)
        for kind, size in [("desktop", desktop), ("phone", phone)]:
            for scheme in ["light", "dark"]:
                for name, fragment in [
                    ("justified", "stream=photos"), ("months", "stream=photos&sections=month"), ("masonry", "stream=photos&layout=masonry&captions=yes&sections=none"),
                    ("grid", "stream=photos&layout=grid&sections=year"),
                    ("flow", "stream=photos&layout=flow&captions=yes&sections=year"),
                    ("map", "stream=photos&layout=map&zoom=" + ("2" if kind == "desktop" else "3")),
                    ("rtl", "stream=photos&direction=rtl&layout=masonry&captions=yes"),
                ]:
                    visit = self.visit(scheme=scheme, **size).open(fragment, wait=".cell img")
                    visit.sharp()
                    if name == "months":
                        visit.scroll_to(1_400)
                        visit.sharp()
                    visit.rest()
                    self.shot(visit, f"{kind}-{scheme}-{name}")
                    visit.close()
            for name, fragment, wait in [
                ("lightbox", "stream=photos&photo=balloons-01.jpg", "#lightbox .frame img"),
                ("empty", "stream=empty", "#state:not([hidden])"), ("sample", "stream=sample&layout=masonry&captions=yes", ".cell"),
            ]:
                visit = self.visit(**size).open(fragment, wait=wait)
                visit.rest()
                if name == "lightbox":
                    visit.page.locator("#lightbox .info").click()
                    visit.rest()
                self.shot(visit, f"{kind}-{name}")
                visit.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address", help="the server, such as http://127.0.0.1:8080")
    parser.add_argument("--screenshots", default=".", help="the folder for screenshots")
    parser.add_argument("--restart", help="a program that stops and starts the server")
    parser.add_argument("--only", help="a part of the names of the checks to run")
    arguments = parser.parse_args()
    os.makedirs(arguments.screenshots, exist_ok=True)
    failures = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
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
