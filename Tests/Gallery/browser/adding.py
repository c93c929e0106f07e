"""Adding pictures and files of records."""

import base64
import json
import os
import shutil
import tempfile
import time

from browser.checks import Checks, SAMPLES, one_pixel, page_text


class AddingChecks(Checks):
    def photos_are_added(self):
        """Chosen and dropped, with progress, and with a reason for each rejected file."""
        self._clear_added()
        visit = self._visit()
        choose = self._choosing(visit)
        visit.open("stream=added&layout=grid&sections=none", wait="#state:not([hidden])")
        page = visit.page
        button = page.locator("#state-button")
        visit.until(lambda: button.is_visible() and button.inner_text() == "Add photos…")
        self._shot(visit, "adding-empty")
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
        visit.until(lambda: note.is_visible() and note.inner_text().startswith("Adding "))
        visit.until(lambda: "3 photos added" in note.inner_text())
        visit.until(lambda: len(visit.cells()) == 3)
        visit.sharp()
        assert sorted(self.server.ids("added")) == sorted(names)
        page.click(".toast button")
        visit.until(lambda: page.evaluate("document.activeElement.closest('.cell') !== null"))

        # Dropped, on a zone that names the stream.
        zone = page.locator("#dropzone")
        self._drop(visit, [content("one-pixel.png")], ends=False)
        assert zone.is_visible() and zone.inner_text() == "Drop photos to add them to “added”", zone.inner_text()
        visit.rest()
        self._shot(visit, "adding-dragged")
        markup = "<img src=x onerror=alert(1)>.png"
        broken = {"name": markup, "type": "image/png", "text": base64.b64encode(b"no picture").decode()}
        text = {"name": "notes.txt", "type": "text/plain", "text": base64.b64encode(b"some words").decode()}
        video = {"name": "film.WMV", "type": "", "text": base64.b64encode(b"a film").decode()}
        self._drop(visit, [content("one-pixel.png", f"{unique}-one.png", "image/png"), content("poster-tiles.png", names[0]),
                           broken, text, video])
        assert not zone.is_visible()
        visit.until(lambda: note.is_visible() and "could not be added" in note.inner_text())
        lines = note.locator("span").inner_text().split("\n")
        assert lines[0] == "2 photos added; 3 could not be added:", lines
        expected = [
            f"• {markup}: this file is damaged, or neither a picture nor a video",
            "• notes.txt: only pictures and videos can be added, and their names end as usual for their kind, such as .jpg",
            "• film.WMV: videos of this kind cannot be added",
        ]
        assert sorted(lines[1:]) == sorted(expected), lines
        visit.rest()
        self._shot(visit, "adding-refused")
        # Another picture with a name that is taken gets a name of its own.
        renamed = names[0].replace(".png", "-2.png")
        assert sorted(self.server.ids("added")) == sorted([*names, f"{unique}-one.png", renamed])
        # The note stays until it is closed.
        page.get_by_role("button", name="Close", exact=True).click()
        assert not note.is_visible()
        visit.forgive("status of 422", "status of 400")
        visit.close()

    def _empty_stream(self):
        """Opens a stream without photos that can be added to; returns the visit, its page and its note."""
        self._clear_added()
        visit = self._visit().open("stream=added&layout=grid&sections=none", wait="#state:not([hidden])")
        visit.until(lambda: visit.page.locator("#add").is_enabled())
        return visit, visit.page, visit.page.locator(".toast")

    def a_photo_is_added_once(self):
        """The same content under any name is already there."""
        visit, page, note = self._empty_stream()
        unique = str(time.time_ns())
        text = base64.b64encode(one_pixel()).decode()
        picture = lambda name: {"name": name, "type": "image/png", "text": text}
        self._drop(visit, [picture(f"{unique}.png")])
        visit.until(lambda: note.count() and note.locator("span").first.inner_text() == "1 photo added")
        self._drop(visit, [picture(f"{unique}.png"), picture(f"{unique}-other.png")])
        visit.until(lambda: note.count() and note.locator("span").first.inner_text() == "2 photos already there")
        assert self.server.ids("added") == [f"{unique}.png"]
        visit.close()

    def uploads_survive_a_lost_connection(self):
        """Photos whose answers are lost are not added twice, and the upload goes on as soon as the device is connected again."""
        visit, page, note = self._empty_stream()
        count = [0]

        def lose(route):
            count[0] += 1
            if count[0] == 9:
                # The connection is lost for longer than one pause.
                page.context.set_offline(True)
            if count[0] in (3, 4, 7, 9):
                # The server has the photo, and the page does not get the answer.
                route.fetch()
                route.abort("connectionreset")
            elif count[0] == 12:
                route.fulfill(status=502, content_type="text/html", body="a proxy server")
            else:
                route.continue_()

        page.route("**/v1/streams/added/pictures*", lose)
        number = 30
        self._drop(visit, [{"name": "IMG_0001.png", "type": "image/png",
                            "text": base64.b64encode(one_pixel()).decode()} for _ in range(number)])
        visit.until(lambda: note.count() and "Waiting for the server · " in note.inner_text())
        visit.until(lambda: count[0] >= 9)
        self._shot(visit, "adding-waits")
        page.context.set_offline(False)
        visit.until(lambda: note.count() and " added; " in note.locator("span").first.inner_text())
        words = note.locator("span").first.inner_text()
        added, there = (int(part.split(" ")[0]) for part in words.split("; "))
        assert added + there == number and there >= 3, words
        names = [f"IMG_0001{'' if i == 1 else f'-{i}'}.png" for i in range(1, number + 1)]
        assert sorted(self.server.ids("added")) == sorted(names)
        visit.forgive("net::ERR", "status of 502", "Failed to load", "disconnected")
        visit.close()

    def a_file_of_records_is_imported(self):
        """Dropped or chosen; the outcomes are counted, and each rejected record is listed."""
        self.server.make_stream("album", self._album(5))
        visit = self._editable("layout=grid&sections=none")
        page = visit.page
        # The button is for pictures, which this stream does not take.
        assert not page.locator("#add").is_visible()
        lines = [{"id": "p000", "caption": "told"}, {"id": "new", "width": 3, "height": 2, "takenAt": "2031"}, {"id": "bad", "width": 0, "height": 1}]
        note = page.locator(".toast")

        def choose(name, text, type):
            page.set_input_files("#files", {"name": name, "mimeType": type, "buffer": text.encode()})

        choose("photos.jsonl", "\n".join(map(json.dumps, lines)), "application/jsonl")
        visit.until(lambda: note.is_visible() and "rejected" in note.inner_text())
        words = note.locator("span").inner_text().split("\n")
        assert words[0] == "photos.jsonl: 1 added, 1 updated, 1 rejected; 1 could not be added:", words
        assert len(words) == 2 and words[1].startswith("• photos.jsonl, line 3: "), words
        visit.until(lambda: len(visit.cells()) == 6)
        choose("more.csv", "id,width,height\nrow,3,2\n", "text/csv")
        visit.until(lambda: note.inner_text() == "more.csv: 1 added")
        choose("list.json", json.dumps([{"id": "row"}, {"id": "other", "width": 3, "height": 2}]), "application/json")
        visit.until(lambda: note.inner_text() == "list.json: 1 added, 1 unchanged")
        # The stream does not accept pictures, and the page does not send any.
        self._drop(visit, [{"name": "a.png", "type": "image/png", "text": ""}])
        visit.until(lambda: note.locator("span").inner_text() ==
                    "1 could not be added:\n• a.png: this stream does not accept pictures")
        visit.close()

    def a_slow_answer_moves_nothing(self):
        """The texts before and after the answer begin at the same place."""
        visit = self._visit()
        page = visit.page
        held = []
        page.route("**/v1/streams/empty/layout?*", lambda route: held.append(route))
        page.goto(f"{self.server.address}/#stream=empty&sections=none")
        visit.until(lambda: page_text(visit, "#state-title") == "Loading photos…")
        held[0].continue_()
        visit.until(lambda: page_text(visit, "#state-title") == "No photos yet")
        visit.rest()
        visit.close()

    def the_menu_of_a_small_screen_adds(self):
        visit = self._visit(width=390, height=844)
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
        """The sent photos stay; the others are not sent."""
        self._clear_added()
        visit = self._visit().open("stream=added&layout=grid&sections=none", wait="#state:not([hidden])")
        page = visit.page
        held = []
        page.route("**/v1/streams/added/pictures*", lambda route: held.append(route))
        visit.until(lambda: page.locator("#add").is_enabled())
        files = [{"name": f"{i}.png", "type": "image/png", "text": ""} for i in range(12)]
        self._drop(visit, files)
        visit.until(lambda: len(held) == 2)
        note = page.locator(".toast")
        assert note.inner_text().split("\n") == ["Adding 12 photos…", "0 of 12 · 0.0 of 0.0 MB", "Stop"], note.inner_text()
        self._shot(visit, "adding-progress")
        page.click(".toast button")
        visit.until(lambda: note.is_visible() and note.inner_text() == "Stopped")
        visit.rest()
        assert len(held) == 2
        for route in held:
            route.abort()
        visit.close()

    def the_note_says_how_much_is_sent(self):
        """Bytes, also within a file. The note does not move, and its button keeps the focus."""
        self._clear_added()
        visit = self._visit().open("stream=added&layout=grid&sections=none", wait="#state:not([hidden])")
        page = visit.page
        visit.until(lambda: page.locator("#add").is_enabled())
        with open(os.path.join(SAMPLES, "moonrise.webp"), "rb") as file:
            # Bytes after the end of a picture do not change it.
            content = file.read() + bytes(2_000_000)
        network = page.context.new_cdp_session(page)
        limits = {"offline": False, "latency": 0, "downloadThroughput": -1}
        network.send("Network.emulateNetworkConditions", {**limits, "uploadThroughput": 200_000})
        name = f"{time.time_ns()}.webp"
        self._drop(visit, [{"name": name, "type": "image/webp", "text": base64.b64encode(content).decode()}])
        note, bar = page.locator(".toast"), page.locator(".toast progress")
        part = lambda: bar.evaluate("(bar) => bar.value")
        visit.until(lambda: bar.count() and 0.1 < part() < 0.9)
        words = note.locator(".amount").inner_text()
        total = f"{len(content) / 1e6:.1f} MB"
        assert words.startswith("0 of 1 · ") and words.endswith(f" of {total}"), words
        assert 0 < float(words.split("· ")[1].split()[0]) < len(content) / 1e6, words
        page.locator(".toast button").focus()
        place, before = note.bounding_box(), part()
        self._shot(visit, "adding-bytes")
        visit.until(lambda: part() > before)
        assert note.bounding_box() == place and page.evaluate("document.activeElement.textContent") == "Stop"
        network.send("Network.emulateNetworkConditions", {**limits, "uploadThroughput": -1})
        visit.until(lambda: note.count() and note.inner_text().startswith("1 photo added"))
        assert self.server.ids("added") == [name]
        visit.close()

    def a_long_note_covers_no_button(self):
        """On the page of an empty stream, a long list of reasons scrolls below the button that adds photos."""
        self._clear_added()
        for name, size in [("desktop", {}), ("phone", {"width": 390, "height": 844}), ("wide phone", {"width": 844, "height": 390})]:
            visit = self._visit(scheme="dark", **size).open("stream=added&layout=grid", wait="#state:not([hidden])")
            page = visit.page
            button, note = page.locator("#state-button"), page.locator(".toast")
            visit.until(lambda: button.is_visible())
            self._drop(visit, [{"name": f"a long name of a file {i}.txt", "type": "text/plain", "text": ""} for i in range(40)])
            visit.until(lambda: note.is_visible() and "40 could not be added" in note.inner_text())
            visit.rest()
            self._shot(visit, f"adding-many-refused-{name}")
            self._assert_apart(name, button, note)
            words = note.locator("span")
            assert words.evaluate("(words) => words.scrollHeight > words.clientHeight && words.tabIndex === 0"), name
            # The note also leaves room for the message about the server.
            page.evaluate("document.querySelector('#offline').hidden = false")
            self._assert_apart(name, button, note)
            self._assert_apart(name, note, page.locator("#offline"))
            # The button works.
            with page.expect_file_chooser():
                button.click()
            visit.forgive("status of 400")
            visit.close(allow_shift=True)

    def _assert_apart(self, name, above, below):
        above, below = above.bounding_box(), below.bounding_box()
        assert above["y"] + above["height"] <= below["y"], (name, above, below)

    def folders_are_dropped(self):
        """Pictures in a folder and its subfolders are added; hidden files and files of other kinds are skipped."""
        self._clear_added()
        visit = self._visit().open("stream=added&layout=grid&sections=none", wait="#state:not([hidden])")
        page = visit.page
        visit.until(lambda: page.locator("#add").is_enabled())
        unique = str(time.time_ns())
        with tempfile.TemporaryDirectory() as root:
            def copy(*path):
                target = os.path.join(root, *path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "wb") as file:
                    file.write(one_pixel())

            for path in [("holiday", f"{unique}-1.png"), ("holiday", "day 2", "boat", f"{unique}-2.png"), ("holiday", ".hidden.png"),
                         ("holiday", "@eaDir", "thumb.png"), (f"{unique}-3.png",)]:
                copy(*path)
            # More than a browser lists at once.
            for number in range(130):
                copy("holiday", "many", f"{unique}-many-{number:03}.png")
            for name in ["notes.txt", "index.json", "drawing.svg"]:
                with open(os.path.join(root, "holiday", name), "w", encoding="utf-8") as file:
                    file.write("{}")
            os.mkdir(os.path.join(root, "nothing"))
            self._drop_files(visit, [os.path.join(root, name) for name in ["holiday", "nothing", f"{unique}-3.png"]])
            note = page.locator(".toast")
            visit.until(lambda: note.count() and "could not be added" in note.inner_text())
        lines = note.locator("span").first.inner_text().split("\n")
        assert lines == ["133 photos added; 1 could not be added:", "• nothing: this folder contains no pictures or videos"], lines
        expected = [f"{unique}-{name}.png" for name in ["1", "2", "3", *(f"many-{number:03}" for number in range(130))]]
        assert sorted(self.server.ids("added")) == sorted(expected)
        visit.close()
        self._clear_added()

    def folders_are_rejected_if_the_stream_does_not_accept_pictures(self):
        self.server.make_stream("album", self._album(5))
        visit = self._editable("layout=grid&sections=none")
        with tempfile.TemporaryDirectory() as root:
            self._drop_files(visit, [root])
            note = visit.page.locator(".toast")
            expected = f"1 could not be added:\n• {os.path.basename(root)}: this stream does not accept pictures"
            visit.until(lambda: note.count() and note.locator("span").inner_text() == expected)
        visit.close()

    def _drop_files(self, visit, paths):
        """Drops files and folders of this machine, as a desktop does."""
        input = visit.page.context.new_cdp_session(visit.page)
        for kind in ["dragEnter", "dragOver", "drop"]:
            input.send("Input.dispatchDragEvent", {
                "type": kind, "x": 600, "y": 400, "data": {"items": [], "files": paths, "dragOperationsMask": 1}})
