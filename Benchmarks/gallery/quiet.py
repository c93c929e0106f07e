"""A page in a browser that no tool watches, and the heap of a long visit to it.

Playwright has the browser record every answer for as long as a page is open, which is half a megabyte a minute of the page's
own heap: a long visit measured with it grows without end. Here the browser is asked through two pipes for nothing but input,
scripts and the size of the heap.
"""

import itertools
import json
import os
import random
import subprocess
import tempfile
import time

from browser import PROBE


class QuietVisit:
    """A browser with one page."""

    def __init__(self, width=1280, height=800):
        self.width, self.height = width, height
        self.numbers, self.session = itertools.count(1), None
        # Chromium may still write while its folder is deleted.
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)

    def __enter__(self):
        its_input, self.output = os.pipe()
        self.input, its_output = os.pipe()
        # A browser reads from the file descriptor 3, and writes to 4.
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{its_input} 4>&{its_output}', "bash", "chromium", "--headless", "--no-sandbox",
             "--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}",
             "about:blank"],
            pass_fds=[its_input, its_output], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(its_input)
        os.close(its_output)
        self.answers = os.fdopen(self.input, "rb")
        page = next(target for target in self.send("Target.getTargets")["targetInfos"] if target["type"] == "page")
        self.session = self.send("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        self.send("Emulation.setDeviceMetricsOverride", width=self.width, height=self.height, deviceScaleFactor=1, mobile=False)
        self.send("Page.enable")
        self.send("Page.addScriptToEvaluateOnNewDocument", source=PROBE)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.output)
        self.answers.close()
        self.folder.cleanup()

    def send(self, method, **params):
        """Sends a command, and returns its result."""
        number = next(self.numbers)
        command = {"id": number, "method": method, "params": params}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.output, json.dumps(command).encode() + b"\0")
        while True:
            answer = json.loads(self._message())
            if answer.get("id") == number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]

    def _message(self):
        """The next message of the browser, which ends with a zero."""
        message = bytearray()
        while (byte := self.answers.read(1)) != b"\0":
            if not byte:
                raise SystemExit("the browser has ended")
            message += byte
        return message

    def evaluate(self, script):
        return self.send("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def open(self, address):
        self.send("Page.navigate", url=address)
        end = time.monotonic() + 30
        while not self.evaluate("window.probe?.picture"):
            if time.monotonic() > end:
                raise SystemExit(f"{address}: no picture within 30 s")
            time.sleep(0.05)

    def press(self, x, y):
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"]:
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="none" if kind == "mouseMoved" else "left", clickCount=1)

    def place(self, selector):
        """The left, top, width and height of an element."""
        return self.evaluate(f"""(({{x, y, width, height}}) => [x, y, width, height])(
            document.querySelector({json.dumps(selector)}).getBoundingClientRect())""")

    def scrub(self, fraction):
        """Presses on a place of the scroll bar."""
        x, y, width, height = self.place("#scrubber")
        self.press(x + width - 8, y + 4 + fraction * (height - 8))
        self.send("Input.dispatchMouseEvent", type="mouseMoved", x=600, y=400)

    def go(self, number):
        """Goes to a photo by its number."""
        x, y, width, height = self.place("[popovertarget=go]")
        self.press(x + width / 2, y + height / 2)
        self.evaluate("document.querySelector('#go [name=number]').focus(); document.querySelector('#go [name=number]').select()")
        self.send("Input.insertText", text=str(number))
        for kind in ["keyDown", "keyUp"]:
            self.send("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13, text="\r" if kind == "keyDown" else "")

    def fling(self, seconds):
        """Flings down twice as often as up."""
        end, number = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            number += 1
            self.send("Input.synthesizeScrollGesture", x=600, y=self.height // 2, yDistance=9_600 if number % 3 == 0 else -9_600,
                      speed=8_000, gestureSourceType="mouse")

    def heap(self):
        """The bytes that scripts, elements and arrays hold after collecting garbage: in all, and those of scripts alone."""
        for _ in range(2):
            self.send("HeapProfiler.collectGarbage")
            time.sleep(0.2)
        usage = self.send("Runtime.getHeapUsage")
        return usage["usedSize"] + usage["embedderHeapUsedSize"] + usage["backingStorageSize"], usage["usedSize"]


def long_visit(address, minutes, pictures):
    """Flings and jumps for some minutes, and returns the heap at the start and at the end of each minute, what moved, and the
    elements."""
    with QuietVisit() as visit:
        visit.open(address)
        time.sleep(2)
        heaps, start = [(0, *visit.heap())], time.monotonic()
        while (passed := time.monotonic() - start) < minutes * 60:
            visit.go(random.randint(1, max(1, pictures // 2)))
            visit.fling(8)
            for _ in range(2):
                visit.scrub(random.random())
                time.sleep(0.7)
                visit.go(random.randint(1, pictures))
                time.sleep(0.7)
            if time.monotonic() - start >= 60 * len(heaps):
                heaps.append((time.monotonic() - start, *visit.heap()))
        time.sleep(1)
        heaps.append((time.monotonic() - start, *visit.heap()))
        return heaps, visit.evaluate("window.probe")
