"""What the page says is true of what it shows."""

import os
import pathlib
import re
import shutil
import struct
import subprocess
import zlib

from browser.checks import SAMPLES, Checks


class WordChecks(Checks):
    def former_matches_are_dimmed(self):
        """Until the answer to a text arrives, the page says that it searches, and dims what it shows."""
        visit = self._visit().open("stream=photos&search=the")
        page, held = visit.page, []
        page.route("**/layout?**where=water**", lambda route: held.append(route))
        page.keyboard.press("/")
        page.keyboard.type("water")
        visit.until(lambda: held)
        assert page.locator(".found").inner_text() == "Searching…"
        assert page.locator("#photos").get_attribute("aria-busy") == "true"
        visit.until(lambda: page.evaluate("getComputedStyle(document.querySelector('#photos')).opacity") == "0.35")
        self._shot(visit, "searching")
        for route in held:
            route.continue_()
        visit.until(lambda: page.locator("#photos").get_attribute("aria-busy") == "false")
        visit.until(lambda: page.locator(".found").inner_text() != "Searching…")
        visit.close(allow_shift=True)

    def the_count_is_that_of_the_stream_that_is_shown(self):
        visit = self._visit().open("stream=photos")
        page, held = visit.page, []
        visit.until(lambda: page.locator(".count").inner_text() == "61")
        page.route("**/v1/streams/many/layout**", lambda route: held.append(route))
        page.select_option("[name=stream]", "many")
        visit.until(lambda: held)
        assert page.locator(".count").inner_text() == "" and page.locator("#photos").get_attribute("aria-busy") == "true"
        for route in held:
            route.continue_()
        page.unroute_all()
        visit.until(lambda: page.locator(".count").inner_text() != "")
        visit.close(allow_shift=True)

    def many_deletions_show_progress_and_stop(self):
        self.server.make_stream("album", self._album(400))
        visit = self._editable("layout=grid&sections=none")
        page, held = visit.page, []
        page.keyboard.press("Control+a")
        visit.until(lambda: visit.number_selected() == 400)
        assert page.evaluate("getSelection().toString()") == ""
        page.route("**/v1/streams/album/photos/*", lambda route: held.append(route) if len(done) >= 60 else (done.append(1), route.continue_()))
        done = []
        page.locator("#selection .delete").click()
        note = page.locator(".toast")
        visit.until(lambda: held)
        visit.until(lambda: re.fullmatch(r"\d+ of 400", note.locator(".amount").inner_text() or ""))
        assert "Deleting 400 photos…" in note.inner_text()
        self._shot(visit, "deleting")
        note.get_by_role("button", name="Stop").click()
        for route in list(held):
            route.continue_()
        visit.until(lambda: "Stopped" in note.inner_text())
        left = len(self.server.ids("album"))
        assert 400 - 80 <= left <= 400 - 60, left
        assert f"{400 - left} photos deleted" in note.inner_text(), note.inner_text()
        note.get_by_role("button", name="Undo").click()
        page.unroute("**/v1/streams/album/photos/*")
        visit.until(lambda: len(self.server.ids("album")) == 400)
        visit.close(allow_shift=True)

    def a_step_back_ends_a_selection(self):
        self.server.make_stream("album", self._album(40))
        visit = self._editable("layout=grid&sections=none")
        page = visit.page
        start = page.evaluate("history.length")
        page.locator(".cell a[tabindex='0']").focus()
        page.keyboard.press("Space")
        visit.until(lambda: visit.number_selected() == 1)
        page.go_back()
        visit.until(lambda: visit.number_selected() == 0)
        assert "stream=album" in page.url
        page.locator(".cell a[tabindex='0']").focus()
        page.keyboard.press("Space")
        visit.until(lambda: visit.number_selected() == 1)
        page.keyboard.press("Escape")
        visit.until(lambda: visit.number_selected() == 0)
        visit.rest()
        assert page.evaluate("history.state.isSelecting") is False and page.evaluate("history.length") == start + 1
        visit.close()

    def dates_and_numbers_beyond_the_ends_are_named(self):
        self.server.make_stream("album", self._album(60))
        visit = self._visit().open("stream=album&layout=grid&sections=none")
        toast = visit.page.locator("#toast")
        for name, value, words in [
            ("number", "99999", "There is no photo 99,999: the photos have the numbers 1 to 60."),
            ("number", "0", "There is no photo 0: the photos have the numbers 1 to 60."),
            ("day", "1999-01-01", "No photos from January 1, 1999. The last photo with a date is from June"),
            ("day", "2050-01-01", "No photos from January 1, 2050. The first photo with a date is from June"),
        ]:
            visit.page.click("[popovertarget=go]")
            visit.page.fill(f"[name={name}]", value)
            visit.page.keyboard.press("Enter")
            visit.until(lambda: words in toast.inner_text())
        visit.close(allow_shift=True)

    def the_scroll_bar_and_the_header_name_the_same_month(self):
        visit = self._visit().open("stream=many&sections=month")
        page = visit.page
        height = page.evaluate("document.querySelector('#plane').offsetHeight")
        for part in range(1, 12):
            visit.scroll_to(height * part / 13)
            bubble, header = page.evaluate("""() => {
                const top = document.querySelector("#scroller").getBoundingClientRect().top;
                const shown = [...document.querySelectorAll(".section")].find((section) => {
                    const box = section.getBoundingClientRect();
                    return box.top <= top && box.bottom > top;
                });
                return [document.querySelector(".bubble").textContent, shown?.querySelector("h2").textContent];
            }""")
            month, year = header.split() if header and header != "No date" else ("No", "date")
            assert bubble in (f"{month[:3]} {year}", f"{month} {year}"), (bubble, header)
        visit.close()

    def a_photo_without_a_picture_shows_its_title(self):
        self.server.make_stream("album", [{"id": "a", "width": 3, "height": 2, "title": "The mill"}])
        visit = self._visit().open("stream=album&sections=none")
        content = visit.page.evaluate("getComputedStyle(document.querySelector('.cell a'), '::before').content")
        assert content == '"The mill"', content
        visit.close()

    def a_photo_whose_file_is_gone_says_so(self):
        folder = os.path.join(self.lane.folder, "gone")
        os.makedirs(folder, exist_ok=True)
        names = ["gone.png", "kept.png"]
        for name in names:
            shutil.copy(os.path.join(SAMPLES, "one-pixel.png"), os.path.join(folder, name))
        for _ in names:
            subprocess.run([self.lane.photostream, "import", "--database", os.path.join(self.lane.folder, "photos.sqlite"),
                            "--stream", "gone", "--no-pictures", folder], check=True, capture_output=True)
            # The next import notices it.
            pathlib.Path(folder, "gone.png").unlink(missing_ok=True)
        visit = self._visit().open("stream=gone&photo=gone.png", wait="#lightbox[open]")
        visit.until(lambda: visit.page.locator("#lightbox .note").inner_text() == "The file of this photo is gone.")
        visit.forgive("404")
        visit.close()

    def a_position_leads_to_the_map(self):
        self.server.make_stream("album", [
            {**photo, "latitude": 38.7 - number, "longitude": -9.1 + 3 * number} for number, photo in enumerate(self._album(20))])
        visit = self._visit().open("stream=album&sections=none&photo=p005", wait="#lightbox[open]")
        page = visit.page
        page.keyboard.press("i")
        link = page.locator(".panel a[title='Show on the map']")
        visit.until(lambda: link.count() == 1)
        assert "day, June " in page.locator(".panel dd").first.inner_text()
        link.click()
        visit.until(lambda: "layout=map" in page.url and not page.locator("#lightbox").is_visible())
        visit.until(lambda: page.locator('.cluster[aria-label^="Photo 5,"]').count() == 1)
        assert "middle=33.7%2C5.9" in page.url and "at=p005" in page.url, page.url
        visit.close(allow_shift=True)

    def the_keys_are_listed(self):
        visit = self._editable("sections=none", "photos")
        page = visit.page
        page.keyboard.press("?")
        visit.until(lambda: page.locator("#keys").is_visible())
        text = page.locator("#keys").inner_text()
        assert "Undo the last deletion, move or archiving" in text and "Zoom in" in text and "Mark as a favourite" in text
        self._shot(visit, "keys")
        page.keyboard.press("Escape")
        visit.until(lambda: not page.locator("#keys").is_visible())
        visit.close()

    def a_stream_without_uploads_offers_none(self):
        visit = self._editable("sections=none", "photos")
        assert not visit.page.locator("#add").is_visible()
        visit.close()

    def zooming_loads_the_original(self):
        """Beyond the largest thumbnail, if browsers display its type."""
        folder = os.path.join(self.lane.folder, "large")
        os.makedirs(folder, exist_ok=True)
        self._make_picture(os.path.join(folder, "large.png"), 4_000, 3_000)
        subprocess.run([self.lane.photostream, "import", "--database", os.path.join(self.lane.folder, "photos.sqlite"),
                        "--stream", "large", folder], check=True, capture_output=True)
        visit = self._visit().open("stream=large&photo=large.png", wait="#lightbox .frame img")
        visit.rest()
        for _ in range(4):
            visit.page.keyboard.press("+")
        visit.until(lambda: visit.page.evaluate("document.querySelector('#lightbox .frame img').naturalWidth") == 4_000)
        visit.close()

    def animations_play(self):
        """The original follows the thumbnail, unless the system is set to reduced motion."""
        folder = os.path.join(self.lane.folder, "moving")
        os.makedirs(folder, exist_ok=True)
        frames = b"".join(b"!\xf9\x04\x04\x14\0\0\0,\0\0\0\0\1\0\1\0\0\2\2" + bytes([pixel, 1, 0]) for pixel in (0x44, 0x4C))
        with open(os.path.join(folder, "moving.gif"), "wb") as file:
            file.write(b"GIF89a\1\0\1\0\x80\0\0\xff\0\0\0\0\xff!\xff\x0bNETSCAPE2.0\3\1\0\0\0" + frames + b";")
        subprocess.run([self.lane.photostream, "import", "--database", os.path.join(self.lane.folder, "photos.sqlite"),
                        "--stream", "moving", folder], check=True, capture_output=True)
        for motion in ["no-preference", "reduce"]:
            visit = self._visit(reduced_motion=motion).open("stream=moving&photo=moving.gif", wait="#lightbox .frame img")
            image = visit.page.locator("#lightbox .frame img")
            seen = set()
            if motion == "reduce":
                visit.rest()
                assert "/images/" in image.get_attribute("src")
            else:
                # The element of the thumbnail goes when the original is there.
                visit.until(lambda: "/photos/moving.gif/image" in (image.get_attribute("src") or ""))
                visit.until(lambda: seen.add(image.screenshot(animations="allow")) or len(seen) > 1)
            visit.close(allow_shift=True)

    def _make_picture(self, path, width, height):
        """Writes a PNG of one colour."""
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        rows = (b"\0" + b"\x40\x80\x90" * width) * height
        with open(path, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
                       + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
