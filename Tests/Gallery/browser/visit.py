"""A page in Chromium, and requests to its server that do not use the page."""

import json
import time
import urllib.parse
import urllib.request

# The seconds after which a wait fails.
TIMEOUT = 90
# Counts layout shifts, long tasks and elements from the beginning.
OBSERVERS = """
window.seen = { shift: 0, shifts: [], long: [], most: 0 };
// The time at which the page handled the last key or press: on a busy machine that is later than the input itself.
let inputTime = -Infinity;
for (const kind of ["keydown", "pointerdown", "pointerup"]) {
  addEventListener(kind, () => { inputTime = performance.now(); }, { capture: true });
}
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    // After input, elements may move, and a dialog changes when the server has answered.
    if (entry.hadRecentInput || entry.startTime - inputTime < 500) continue;
    const isInDialog = ({ node }) => (node instanceof Element ? node : node?.parentElement)?.closest("dialog");
    if (entry.sources.length && entry.sources.every(isInDialog)) continue;
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
# The photos in the window: id, frame in the content, and whether the picture is loaded.
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
() => [document.getAnimations().length, ...[...document.querySelectorAll(".cell:not([hidden]), .cluster")].map((cell) => {
  const { left, top, width, height } = cell.getBoundingClientRect();
  return [left, top, width, height].join(" ");
})]
"""
# Ends when the page's timers of up to 130 ms have fired, and their frames are drawn.
MOMENT = """
() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(() =>
  requestAnimationFrame(() => requestAnimationFrame(() => resolve())), 130)))
"""
# Notes each frame in which a photo that is visible now is elsewhere or missing.
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


class Server:
    """Sends requests without the gallery."""

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
        """Creates a stream for one check."""
        if name in [stream["stream"] for stream in self.ask("/v1/streams")["streams"]]:
            self.ask(f"/v1/streams/{urllib.parse.quote(name)}?with-photos=true", "DELETE")
        self.ask("/v1/streams", "POST", {"stream": name, "order": order})
        self.import_photos(name, photos)

    def frames(self, stream):
        """Returns the ids and frames of all photos, in the order of the stream."""
        path = f"/v1/streams/{stream}/layout/items?width=900&from=0&count=1000&fields=photo,frame"
        return [(item["photo"], item["frame"]) for item in self.ask(path)["items"]]

    def ids(self, stream):
        return [photo for photo, _ in self.frames(stream)]

    def import_photos(self, stream, photos):
        self.ask(f"/v1/streams/{urllib.parse.quote(stream)}/photos", "POST", "\n".join(map(json.dumps, photos)), "application/jsonl")


class Visit:
    """A page in its own browser context or in that of another page. `close` fails if the page had errors or layout shifts."""

    def __init__(self, browser, address, width=1280, height=800, scale=1, scheme="light", beside=None, **options):
        self.address = address
        self.context = beside.context if beside else browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=scale, color_scheme=scheme, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(TIMEOUT * 1_000)
        self.page.add_init_script(OBSERVERS)
        self.problems, self.forgiven = [], []
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.problems.append("a dialog"), dialog.dismiss()))
        self.page.on("console", self._logged)
        self.page.on("request", self._asked)
        # The open connections for events, and the other pending requests, except those for pictures and videos.
        self.following, self.asking = set(), set()
        for end in ["requestfinished", "requestfailed"]:
            self.page.on(end, self._answered)

    def _logged(self, message):
        if message.type == "error":
            self.problems.append(f"console: {message.text} {message.location.get('url', '')}")

    def _asked(self, request):
        if not request.url.startswith((self.address + "/", "blob:" + self.address + "/")):
            self.problems.append(f"request: {request.url}")
        if urllib.parse.urlparse(request.url).path.endswith("/events"):
            self.following.add(request)
        elif request.resource_type not in ("image", "media"):
            self.asking.add(request)

    def _answered(self, request):
        self.following.discard(request)
        self.asking.discard(request)

    def open(self, fragment, wait=".cell"):
        self.page.goto(f"{self.address}/#{fragment}")
        self.settle(wait)
        return self

    def settle(self, wait=".cell"):
        """Waits until the page is loaded and shows something."""
        # The first photos appear before the rest of the page is loaded, which notices that a server ends.
        self.page.wait_for_selector("html.ready")
        if wait:
            self.page.wait_for_selector(wait)
        self.rest()

    def rest(self):
        """Waits until no request is pending and nothing moves.

        What a page does 120 ms after scrolling has begun by then: the page's own timers measure that time, however busy the
        machine is.
        """
        self.page.evaluate(MOMENT)
        end, before = time.monotonic() + 15, None
        while time.monotonic() < end:
            now = self.page.evaluate(PLACES)
            if now == before and not self.asking:
                return
            before = now
            self.page.wait_for_timeout(40)
        print("      no rest:", [request.url for request in self.asking] or "something moves")

    def frame(self):
        """Waits for the next frame of the page."""
        self.page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => resolve()))")

    def relayout(self, action):
        """Does something after which the page requests a layout, and waits until that is shown."""
        with self.page.expect_response(lambda response: "/layout" in response.url):
            action()
        self.rest()

    def cells(self):
        return [cell for cell in self.page.evaluate(CELLS) if cell["isSeen"]]

    def until(self, condition):
        """Waits for a condition, long enough for a busy machine. The page's policy forbids Playwright to evaluate one in it."""
        end = time.monotonic() + TIMEOUT
        while not condition():
            assert time.monotonic() < end, "the condition did not become true in time"
            self.page.wait_for_timeout(20)

    def sharp(self):
        """Waits until all pictures in the window are loaded."""
        self.until(lambda: all(cell["image"] for cell in self.cells()))

    def scroll_to(self, top):
        self.page.evaluate("(top) => { document.querySelector('#scroller').scrollTop = top; }", top)
        self.rest()

    def number_selected(self):
        text = self.page.locator("#selection .number").inner_text()
        return int(text.split()[0].replace(",", "")) if text and self.page.locator("#selection").is_visible() else 0

    def photo(self, id):
        """Returns the link of a photo that is shown."""
        return self.page.locator(f'.cell:not([hidden]) a[href$="photo={urllib.parse.quote_plus(id)}"]')

    def forgive(self, *words):
        """Ignores errors that a check provokes; the browser may log them a moment later."""
        self.forgiven += words

    def close(self, allow_shift=False):
        seen = self.page.evaluate("window.seen")
        self.page.close()
        if not self.context.pages:
            self.context.close()
        problems = [problem for problem in self.problems if not any(word in problem for word in self.forgiven)]
        assert not problems, problems
        assert allow_shift or seen["shift"] == 0, seen
        assert seen["most"] < 300, seen["most"]
        return seen
