"""The base class of the checks."""

import os
import sqlite3
import struct
import time
import urllib.parse
import zlib

from browser.visit import TIMEOUT, Server, Visit

# The sample pictures.
SAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../SampleData/pictures")


def page_text(visit, selector):
    return visit.page.locator(selector).inner_text()


def one_pixel():
    """Returns a PNG file of one pixel, whose colour no other picture has."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", 1, 1, 16, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" + os.urandom(6))) + chunk(b"IEND", b"")


class Checks:
    """Checks of one kind: each method whose name begins with a letter. They share only the streams."""

    def __init__(self, browser, lane, screenshots):
        self.browser = browser
        self.lane = lane
        self.server = Server(lane.address)
        self.folder = screenshots

    def _visit(self, **options):
        return Visit(self.browser, self.server.address, **options)

    def _shot(self, visit, name):
        if self.folder:
            visit.page.screenshot(path=os.path.join(self.folder, f"{name}.png"))

    def _go(self, visit, name, value):
        visit.page.click("[popovertarget=go]")
        visit.page.fill(f"[name={name}]", value)
        visit.page.keyboard.press("Enter")
        if name == "number":
            visit.until(lambda: int(value) in {cell["position"] for cell in visit.cells()})
        visit.rest()

    def _album(self, count=120):
        return [{"id": f"p{i:03}", "width": 600 + i * 37 % 900, "height": 600, "caption": f"Photo {i}", "tags": ["album"],
                 "takenAt": f"{2020 - i // 60}-06-{1 + i % 28:02}T10:00:00Z", "color": f"#{60 + i % 150:02x}8090"}
                for i in range(count)]

    def _editable(self, fragment, stream="album", wait=".cell", **options):
        visit = self._visit(**options).open(f"stream={stream}&{fragment}", wait=wait)
        visit.until(lambda: "can-edit" in (visit.page.locator("html").get_attribute("class") or ""))
        return visit

    def _focused(self, visit):
        """Returns the address of the photo with the focus; empty if another element has it."""
        return visit.page.evaluate("document.activeElement.href ?? ''")

    def _open_deleted(self, visit):
        """Opens the dialog of deleted photos, and waits until its list is loaded."""
        page = visit.page
        visit.until(lambda: "can-edit" in (page.locator("html").get_attribute("class") or ""))
        page.click("[popovertarget=view]")
        page.click("#show-deleted")
        page.wait_for_selector("#deleted[open]:not([aria-busy])")

    def _drop(self, visit, files, ends=True):
        """Drags files over the page as a desktop does, and drops them if `ends`."""
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

        Call it before the press that opens the dialog, because the browser has to know that the page is driven by a program.
        """
        choosers = []
        visit.page.on("filechooser", lambda chooser: choosers.append(chooser))

        def choose(files):
            visit.until(lambda: choosers)
            choosers.pop().set_files(files)

        return choose

    def _clear_added(self):
        """Deletes all photos that were added, and forgets that they were deleted: the server accepts them again."""
        for id in self.server.ids("added"):
            self.server.ask(f"/v1/streams/added/photos/{urllib.parse.quote(id, safe='')}", "DELETE")
        database = sqlite3.connect(os.path.join(self.lane.folder, "photos.sqlite"), timeout=60)
        with database:
            database.execute("DELETE FROM tombstone")
        database.close()

    def _tabs(self, count, fragment, script=None):
        """Opens pages in one browser, each of which is visible."""
        first = self._visit()
        if script:
            first.context.add_init_script(script)
        tabs = [first, *(self._visit(beside=first) for _ in range(count - 1))]
        for tab in tabs:
            tab.page.goto(f"{self.server.address}/#{fragment}")
        for tab in tabs:
            tab.settle()
        return tabs

    def _readers(self, tabs):
        return [tab for tab in tabs if tab.following]

    def _followers(self):
        """Returns the number of clients that read events, from the server's metrics."""
        lines = self.server.ask("/metrics").splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("photostream_event_clients "))

    def _add_above(self, stream, name):
        self.server.import_photos(stream, [
            {"id": name, "width": 900, "height": 600, "takenAt": f"2090-01-01T00:00:00Z", "color": "#408090"}])

    def _hide(self, tab, is_hidden):
        """Makes a page hidden or visible."""
        tab.page.evaluate("""(isHidden) => {
            Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""", is_hidden)

    def _all_show(self, tabs, name):
        """Waits until all tabs show a photo, and returns the time that it took."""
        start = time.monotonic()
        missing = list(tabs)
        while missing:
            missing = [tab for tab in missing if not tab.photo(name).count()]
            assert time.monotonic() - start < TIMEOUT, f"{len(missing)} of {len(tabs)} tabs do not show {name}"
            tabs[0].page.wait_for_timeout(5)
        return time.monotonic() - start

    def _close_all(self, tabs):
        for tab in reversed(tabs):
            tab.forgive("404")
            tab.close()
