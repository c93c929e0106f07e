"""Adding pictures and files of records."""

import base64
import json
import os
import time

from browser.checks import Checks, SAMPLES, page_text


class AddingChecks(Checks):
    def photos_are_added(self):
        """Chosen and dropped, with progress, and with a reason for each file that is refused."""
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

        # Dropped, while one sees where to.
        zone = page.locator("#dropzone")
        self._drop(visit, [content("one-pixel.png")], ends=False)
        assert zone.is_visible() and zone.inner_text() == "Drop photos to add to “added”", zone.inner_text()
        visit.rest()
        self._shot(visit, "adding-dragged")
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
        self._shot(visit, "adding-refused")
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
        visit.until(lambda: page.locator("#add").is_enabled())
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
        """What was sent stays; the rest is not sent."""
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
        assert note.locator("span").inner_text() == "Adding 1 of 12 photos…", note.inner_text()
        self._shot(visit, "adding-progress")
        page.click(".toast button")
        visit.until(lambda: note.is_visible() and note.inner_text() == "Stopped")
        visit.rest()
        assert len(held) == 2
        for route in held:
            route.abort()
        visit.close()
