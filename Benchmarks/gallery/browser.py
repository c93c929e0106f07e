"""A page in a browser of its own, and what can be measured of it."""

import json
import os
import statistics
import threading
import time

# Observes the page from its first moment on, the same in all galleries. A time is that at which the frame that shows the thing
# is done: the first task after the frame's callbacks.
PROBE = """
window.probe = { shift: 0, shiftAfterInput: 0, elements: 0 };
const shown = (name) => {
  if (name in probe) return;
  probe[name] = null;
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { probe[name] = performance.now(); };
    channel.port2.postMessage(0);
  });
};
new PerformanceObserver((list) => {
  // What was just clicked may move; scrolling does not count as that.
  for (const { value, hadRecentInput } of list.getEntries()) probe[hadRecentInput ? "shiftAfterInput" : "shift"] += value;
}).observe({ type: "layout-shift", buffered: true });
document.addEventListener("DOMContentLoaded", () => {
  const plane = document.querySelector("#plane");
  if (!plane) return;
  const look = () => {
    if (!("layout" in probe) && plane.style.height) probe.layout = performance.now();
    if (!("cell" in probe) && plane.querySelector(".cell:not([hidden])")) shown("cell");
    if (!("placeholder" in probe) && plane.querySelector(".cell:not([hidden]) [style*=background-image]")) {
      shown("placeholder");
    }
    if ("picture" in probe) return;
    const image = plane.querySelector(".cell:not([hidden]) img");
    if (!image) return;
    if (image.complete) shown("picture");
    else image.addEventListener("load", () => shown("picture"), { once: true });
  };
  new MutationObserver((mutations) => {
    if (!("picture" in probe)) look();
    if (mutations.some(({ type }) => type === "childList")) {
      probe.elements = Math.max(probe.elements, plane.getElementsByTagName("*").length);
    }
  }).observe(plane, { attributes: true, attributeFilter: ["style"], childList: true, subtree: true });
  look();
});
"""
# Resolves with the milliseconds from the last scroll event until every photo in the window has its picture, opaque.
SHARP = """
() => new Promise((resolve) => {
  const scroller = document.querySelector("#scroller");
  const { top, bottom } = scroller.getBoundingClientRect();
  let scrolled = performance.now();
  scroller.addEventListener("scroll", () => { scrolled = performance.now(); });
  const isSharp = (cell) => {
    const image = cell.querySelector("img");
    return image?.complete && image.naturalWidth > 0 && getComputedStyle(image).opacity === "1";
  };
  let since = null;
  const look = () => {
    const time = performance.now();
    const seen = [...document.querySelectorAll(".cell:not([hidden])")].filter((cell) => {
      const frame = cell.getBoundingClientRect();
      return frame.bottom > top && frame.top < bottom;
    });
    since = seen.length >= 4 && seen.every(isSharp) ? since ?? time : null;
    // Scrolling has ended only when nothing has moved for a while.
    if (since !== null && time - scrolled > 600) resolve(Math.max(0, since - scrolled));
    else if (time - scrolled > 10_000) resolve(Infinity);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})
"""
TRACED = ["disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame"]


def launch(playwright):
    return playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])


class Visit:
    """A page with an empty cache."""

    def __init__(self, browser, width=1280, height=800):
        self.browser, self.width, self.height = browser, width, height
        self.context = browser.new_context(viewport={"width": width, "height": height})
        self.page = self.context.new_page()
        self.page.add_init_script(PROBE)
        self.protocol = self.context.new_cdp_session(self.page)
        self.addresses, self.received = {}, []
        self.protocol.on("Network.requestWillBeSent", lambda event: self.addresses.update(
            {event["requestId"]: event["request"]["url"]}))
        self.protocol.on("Network.loadingFinished", lambda event: self.received.append(
            (self.addresses.get(event["requestId"], ""), event["encodedDataLength"])))
        self.protocol.send("Network.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()

    def rest(self, seconds):
        self.page.wait_for_timeout(seconds * 1_000)

    def probe(self):
        return self.page.evaluate("window.probe")

    def until(self, condition, seconds, what):
        """Waits for a condition; the gallery's policy forbids Playwright to evaluate one within the page."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise SystemExit(f"{self.page.url}: no {what} within {seconds} s")
            self.rest(0.05)

    def open(self, address, *wanted, seconds=30):
        """Opens an address and waits until the probe has seen some things; returns all that it has seen."""
        self.page.goto(address, wait_until="commit")
        self.until(lambda: all((self.probe() or {}).get(name) for name in wanted), seconds, " and ".join(wanted))
        return self.probe()

    def shot(self, folder, name):
        if folder:
            self.page.screenshot(path=os.path.join(folder, f"{name}.png"))

    def swipe(self, distance, speed):
        """Scrolls as a touchpad does, through the browser's own pipeline of input; in points and points per second."""
        self.protocol.send("Input.synthesizeScrollGesture", {
            "x": 600, "y": self.height // 2, "yDistance": -distance, "speed": speed, "gestureSourceType": "mouse"})

    def fling(self, seconds, speed=8_000, distance=9_600):
        """Flings down twice as often as up."""
        end, number = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            number += 1
            self.swipe(-distance if number % 3 == 0 else distance, speed)

    def heap(self):
        """The bytes that scripts, elements and arrays hold after collecting garbage: in all, and those of scripts alone."""
        for _ in range(2):
            self.protocol.send("HeapProfiler.collectGarbage")
            self.rest(0.2)
        usage = self.protocol.send("Runtime.getHeapUsage")
        return usage["usedSize"] + usage["embedderHeapUsedSize"] + usage["backingStorageSize"], usage["usedSize"]

    def bytes(self, start=0):
        """The bytes on the network since a number of answers: of everything but pictures and the page itself, and pictures."""
        self.rest(0)
        metadata = sum(size for address, size in self.received[start:] if "/v1/streams" in address)
        return metadata, sum(size for address, size in self.received[start:] if "/v1/images/" in address)

    def traced(self, act):
        """Calls a function and returns the processor times of the page's main-thread tasks in milliseconds, longest first,
        and the numbers of all frames and of those that were dropped."""
        self.browser.start_tracing(page=self.page, categories=TRACED)
        try:
            act()
        finally:
            data = self.browser.stop_tracing()
        return tasks_and_frames(json.loads(data)["traceEvents"])


def tasks_and_frames(events):
    process = next(event["args"]["data"]["frames"][0]["processId"] for event in events
                   if event["name"] == "TracingStartedInBrowser")
    thread = next(event["tid"] for event in events if event["name"] == "thread_name" and event["pid"] == process
                  and event["args"]["name"] == "CrRendererMain")
    tasks = [event["tdur"] / 1_000 for event in events if event["name"] == "RunTask" and event["ph"] == "X"
             and event["pid"] == process and event["tid"] == thread and "tdur" in event]
    assert tasks, "the trace has no tasks of the page's main thread"
    frames = [event["args"]["frame_reporter"] for event in events
              if event["name"] == "PipelineReporter" and event["pid"] == process and "frame_reporter" in event.get("args", {})]
    shown = sum(frame["state"].startswith("STATE_PRESENTED") for frame in frames)
    dropped = sum(frame["state"] == "STATE_DROPPED" and frame["affects_smoothness"] for frame in frames)
    return sorted(tasks, reverse=True), shown + dropped, dropped


def median(values):
    return statistics.median(values)


class Load:
    """The processes that wanted to run, in the mean: the load of the machine, by seconds."""

    def __init__(self):
        self.values, self.end = [], threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        while not self.end.wait(1):
            with open("/proc/loadavg") as file:
                # Running or ready now, without this one.
                self.values.append(int(file.read().split()[3].split("/")[0]) - 1)

    def mean(self):
        return statistics.mean(self.values or [0])
