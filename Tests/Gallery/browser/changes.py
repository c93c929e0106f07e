"""Changes by others while a page is open, and a server that ends."""

import os
import re
import time

from browser.checks import Checks, SAMPLES
from browser.visit import WATCH


class ChangeChecks(Checks):
    def changes_arrive(self):
        """Photos are added above, edited and deleted, and no visible photo moves by a pixel."""
        server = self.server
        if "live" in [stream["stream"] for stream in server.ask("/v1/streams")["streams"]]:
            server.ask("/v1/streams/live?with-photos=true", "DELETE")
        server.ask("/v1/streams", "POST", {"stream": "live"})
        server.import_photos("live", [
            {"id": f"p{i:03}", "width": 600 + i * 37 % 900, "height": 600, "caption": f"Photo {i}",
             "takenAt": f"{2020 - i // 60}-06-11T10:00:00Z", "color": f"#{60 + i % 150:02x}8090"} for i in range(400)])
        visit = self._visit().open("stream=live&layout=masonry&captions=yes&sections=year")
        server.import_photos("live", [
            {"id": "first", "width": 900, "height": 600, "takenAt": "2026-02-01T00:00:00Z", "caption": "The first"}])
        visit.page.wait_for_selector(".cell >> text=The first")
        assert not visit.page.locator("#news").is_visible()
        visit.scroll_to(5_000)
        before = {cell["id"]: (cell["x"], cell["top"]) for cell in visit.cells()}
        server.import_photos("live", [
            {"id": f"new{i}", "width": 900, "height": 600 + i, "takenAt": "2026-03-01T00:00:00Z"} for i in range(50)])
        visit.page.wait_for_selector("#news:not([hidden])")
        visit.until(lambda: "50 new photos" in visit.page.locator("#news").inner_text())
        visit.rest()
        after = {cell["id"]: (cell["x"], cell["top"]) for cell in visit.cells()}
        assert before == after
        middle = sorted(visit.cells(), key=lambda cell: cell["top"])[len(before) // 2]["id"]
        server.ask(f"/v1/streams/live/photos/{middle}", "PATCH", {"caption": "Edited"}, "application/merge-patch+json")
        visit.page.wait_for_selector(".cell >> text=Edited")
        server.ask(f"/v1/streams/live/photos/{middle}", "DELETE")
        visit.page.wait_for_selector(".cell >> text=Edited", state="detached")
        server.import_photos("live", [
            {"id": f"many{i}", "width": 900, "height": 700, "takenAt": "2026-04-01T00:00:00Z"} for i in range(500)])
        visit.until(lambda: "550 new photos" in visit.page.locator("#news").inner_text())
        self._shot(visit, "news")
        visit.page.click("#news")
        visit.until(lambda: min((cell["position"] for cell in visit.cells()), default=0) == 1 and not visit.page.locator("#news").is_visible())
        visit.close()
        server.ask("/v1/streams/live?with-photos=true", "DELETE")

    def news_are_counted_once(self):
        """Photos that are added while the page counts others are not counted twice."""
        self.server.make_stream("album", self._album(200))
        visit = self._visit().open("stream=album&layout=grid&sections=none")
        visit.scroll_to(1_500)
        held = []
        # Those about new photos, and not the one about the anchor.
        visit.page.route(re.compile(r"/layout/items\?.*id=.*&id="), lambda route: held.append(route))
        positions = {cell["id"]: cell["position"] for cell in visit.cells()}
        shown = lambda added: {cell["id"]: cell["position"] - added for cell in visit.cells()} == positions
        # More changes than in an event.
        for part in range(2):
            self.server.import_photos("album", [
                {"id": f"{part} {i}", "width": 3, "height": 2, "takenAt": "2080-01-01T00:00:00Z"} for i in range(150)])
            if part == 0:
                visit.until(lambda: shown(150))
        for route in held:
            route.continue_()
        visit.page.unroute_all()
        visit.until(lambda: shown(300) and "300 new photos" in visit.page.locator("#news").text_content())
        visit.rest()
        assert "300 new photos" in visit.page.locator("#news").text_content()
        visit.close()

    def _copy_sample(self, name, target):
        """Copies a sample picture to the watched folder; no server has seen these bytes before."""
        with open(os.path.join(SAMPLES, name), "rb") as file:
            content = file.read()
        with open(os.path.join(self.lane.watched, target), "wb") as file:
            # Bytes after the end of a JPEG file do not change its picture.
            file.write(content + str(time.time_ns()).encode())

    def a_copied_file_appears(self):
        """A file that is copied to a watched folder is on an open page, with its picture."""
        visit = self._visit().open("stream=watched&layout=grid&sections=none")
        for _ in range(3):
            name = f"copied-{time.time_ns()}.jpg"
            self._copy_sample("harbour-dusk.jpg", name)
            start = time.monotonic()
            visit.until(lambda: visit.photo(name).count())
            seconds = time.monotonic() - start
            visit.until(lambda: visit.photo(name).locator("img").count())
            print(f"      on the page after {seconds:.2f} s, with its picture after {time.monotonic() - start:.2f} s")
        visit.close()

    def pictures_appear_when_they_are_ready(self):
        """Photos whose thumbnails are made while the page is open get them by themselves."""
        visit = self._visit().open("stream=watched&layout=grid&sections=none")
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

    def nothing_moves_in_the_middle_of_a_long_stream(self):
        """1,000 photos are inserted above in four writes: no photo moves in any frame, and no pixel of them changes."""
        middle = self.server.ask("/v1/streams/many")["count"] // 2
        for layout in ["justified", "masonry"]:
            unique = time.time_ns()
            visit = self._visit().open(f"stream=many&layout={layout}&captions=yes")
            self._go(visit, "number", str(middle))
            visit.page.evaluate("document.querySelector('#news').style.visibility = 'hidden'")
            visit.page.mouse.move(600, 5)
            visit.rest()
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
            visit.until(lambda: "1,000 new photos" in visit.page.locator("#news").text_content())
            visit.rest()
            after = visit.page.screenshot(clip=clip)
            watched = visit.page.evaluate("watched")
            assert watched["photos"] >= 5 and watched["frames"] > 20 and not watched["moved"], (watched["frames"], watched["moved"][:3])
            self._shot(visit, f"middle-{layout}")
            assert before == after, "the screenshots differ"
            visit.close()

    def a_restart_heals(self):
        """Pages wait for a server that ends, and continue by themselves."""
        visit, other = self._tabs(2, "stream=many")
        visit.until(lambda: len(self._readers([visit, other])) == 1)
        visit.page.bring_to_front()
        self.lane.stop()
        visit.page.mouse.move(600, 400)
        for _ in range(30):
            visit.page.mouse.wheel(0, 3_000)
            visit.frame()
        for tab in [visit, other]:
            tab.page.wait_for_selector("#offline:not([hidden])")
        self._shot(visit, "offline")
        self.lane.start()
        for tab in [visit, other]:
            tab.page.wait_for_selector("#offline", state="hidden")
        visit.rest()
        assert len(visit.cells()) >= 5
        for tab in [visit, other]:
            # A browser logs requests that fail.
            tab.forgive("ERR_CONNECTION")
            tab.close()

    def pictures_that_fail_come_later(self):
        """A busy server refuses some pictures; they are loaded later, without any input."""
        visit = self._visit()
        refused = []

        def refuse(route):
            refused.append(route.request.url)
            route.fulfill(status=503, headers={"Retry-After": "1"}, body="")

        visit.page.route("**/v1/images/**", refuse)
        visit.open("stream=photos&layout=masonry")
        visit.until(lambda: len(refused) >= 4)
        assert not any(cell["image"] for cell in visit.cells())
        visit.page.unroute("**/v1/images/**", refuse)
        visit.sharp()
        visit.forgive("status of 503")
        visit.close()
