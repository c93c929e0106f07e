"""Archiving photos, with undo, and finding them again."""

import time

from axe_playwright_python.sync_playwright import Axe

from browser.checks import Checks, page_text


class ArchivingChecks(Checks):
    def _archived(self):
        """Returns the ids of the photos that the server has archived."""
        return self.server.ask("/v1/streams/album/layout/items?width=900&from=0&count=100&fields=photo&where=is:archived")["items"]

    def _number(self, visit):
        return int(visit.cells()[0]["size"])

    def the_open_photo_is_archived(self):
        """By key and by button; the next one is shown, and undo brings it back."""
        self.server.make_stream("album", self._album(12))
        order = self.server.ids("album")
        visit = self._editable(f"sections=none&layout=grid&photo={order[3]}")
        page = visit.page
        visit.until(lambda: page_text(visit, "#lightbox .counter") == "4 / 12")
        page.keyboard.press("a")
        visit.until(lambda: f"photo={order[4]}" in page.url and page_text(visit, "#lightbox .counter") == "4 / 11")
        visit.until(lambda: "1 photo archived" in page_text(visit, "#toast"))
        assert [item["photo"] for item in self._archived()] == [order[3]]
        assert self.server.ask(f"/v1/streams/album/photos/{order[3]}")["archived"] is True
        self._shot(visit, "archived")
        page.locator("#toast").get_by_role("button", name="Undo").click()
        visit.until(lambda: f"photo={order[3]}" in page.url and page_text(visit, "#lightbox .counter") == "4 / 12")
        assert self._archived() == []
        button = page.get_by_role("button", name="Archive", exact=True)
        assert button.get_attribute("aria-pressed") == "false"
        button.click()
        visit.until(lambda: page_text(visit, "#lightbox .counter") == "4 / 11")
        page.keyboard.press("Escape")
        visit.until(lambda: self._number(visit) == 11)
        visit.close()

    def selected_photos_are_archived_and_found_again(self):
        """A condition shows them, where the same key takes them out of the archive."""
        self.server.make_stream("album", self._album(20))
        visit = self._editable("sections=none&layout=grid")
        page = visit.page
        chosen = [cell["id"] for cell in visit.cells()[2:5]]
        for id in chosen:
            visit.photo(id).focus()
            page.keyboard.press("Space")
        visit.until(lambda: visit.number_selected() == 3)
        self._shot(visit, "archive-selected")
        page.locator("#selection").get_by_role("button", name="Archive selected photos").click()
        visit.until(lambda: self._number(visit) == 17 and visit.number_selected() == 0)
        assert "3 photos archived" in page_text(visit, "#toast")
        visit.until(lambda: not {cell["id"] for cell in visit.cells()} & set(chosen))
        page.keyboard.press("/")
        page.keyboard.type("is:archived")
        visit.until(lambda: page_text(visit, ".found") == "3 photos")
        visit.rest()
        assert {cell["id"] for cell in visit.cells()} == set(chosen)
        visit.photo(chosen[0]).click()
        visit.until(lambda: page_text(visit, "#lightbox .counter") == "1 / 3")
        visit.until(lambda: page.locator("#lightbox .archive").get_attribute("aria-pressed") == "true")
        page.keyboard.press("i")
        visit.until(lambda: "Archived\nyes" in page_text(visit, "#lightbox .panel"))
        page.keyboard.press("Escape")
        visit.until(lambda: not page.locator("#lightbox").is_visible())
        visit.photo(chosen[0]).focus()
        page.keyboard.press("a")
        visit.until(lambda: page_text(visit, ".found") == "2 photos")
        assert "1 photo taken out of the archive" in page_text(visit, "#toast")
        page.keyboard.press("Control+z")
        visit.until(lambda: page_text(visit, ".found") == "3 photos")
        assert len(self._archived()) == 3
        visit.close()

    def only_the_others_are_archived(self):
        """Those that already are stay archived after undo."""
        photos = self._album(10)
        photos[2]["archived"] = True
        self.server.make_stream("album", photos)
        visit = self._editable("sections=none&layout=grid&search=is:archived+OR+album")
        page = visit.page
        assert self._number(visit) == 10
        for id in ["p002", "p003", "p004"]:
            visit.photo(id).focus()
            page.keyboard.press("Space")
        page.keyboard.press("a")
        visit.until(lambda: "2 photos archived" in page_text(visit, "#toast"))
        assert len(self._archived()) == 3
        page.keyboard.press("Control+z")
        visit.until(lambda: "2 photos taken out" in page_text(visit, "#toast"))
        assert [item["photo"] for item in self._archived()] == ["p002"]
        visit.close()

    def readers_cannot_archive(self):
        """Neither button nor state is part of a share; archived photos are not listed there. Axe finds no serious violations."""
        photos = self._album(10)
        photos[2]["archived"] = True
        self.server.make_stream("album", photos)
        for scheme, locale, name in [("light", "en-GB", "Archive"), ("dark", "de-DE", "Archivieren"), ("light", "ar-EG", "أرشفة")]:
            visit = self._editable("sections=none&layout=grid", scheme=scheme, locale=locale)
            assert self._number(visit) == 9
            visit.cells()
            visit.page.locator(".cell a").first.click()
            visit.until(lambda: page_text(visit, "#lightbox .counter") != "")
            assert visit.page.locator("#lightbox .archive").get_attribute("aria-label") == name
            violations = Axe().run(visit.page).response["violations"]
            serious = [(violation["id"], [node["html"][:120] for node in violation["nodes"][:3]])
                       for violation in violations if violation["impact"] in ("serious", "critical")]
            assert not serious, serious
            visit.close()
        visit = self._visit()
        link = self.lane.share(f"{time.time_ns()}", "album", "--show-names")
        visit.page.goto(f"{link}#sections=none&layout=grid")
        visit.settle()
        assert self._number(visit) == 9
        visit.photo("p005").focus()
        visit.page.keyboard.press("a")
        visit.rest()
        assert self._number(visit) == 9 and len(self._archived()) == 1
        visit.close(allow_shift=True)
