"""The dialog of deleted photos."""

import datetime
import urllib.parse

from browser.checks import Checks


class DeletedChecks(Checks):
    def _delete(self, count, deleted):
        """Makes an album and deletes some of its photos; returns the frames before, and the ids of the deleted photos, latest
        first."""
        self.server.make_stream("album", self._album(count))
        before = self.server.frames("album")
        ids = [before[index][0] for index in deleted]
        for photo in ids:
            self.server.ask(f"/v1/streams/album/photos/{photo}", "DELETE")
        return before, ids[::-1]

    def _names(self, visit):
        # The end of a name is an element of its own, so that a long one is cut in the middle.
        return visit.page.locator("#deleted .name").all_text_contents()

    def deleted_photos_are_listed_and_restored(self):
        """Latest first, with the time of their deletion; one by its button, and several that are checked."""
        markup = "<img src=x onerror='window.wasRun=1'>"
        before, ids = self._delete(12, [7, 2, 4, 9])
        visit = self._editable("layout=grid&sections=none")
        page = visit.page
        # Its title is its name here, and markup is text.
        self.server.ask(f"/v1/streams/album/photos/{before[0][0]}", "PATCH", {"title": markup}, "application/merge-patch+json")
        self.server.ask(f"/v1/streams/album/photos/{before[0][0]}", "DELETE")
        ids.insert(0, before[0][0])
        visit.until(lambda: visit.cells()[0]["size"] == "7")
        self._open_deleted(visit)
        names = [markup, *(f"Photo {int(photo[1:])}" for photo in ids[1:])]
        assert self._names(visit) == names, self._names(visit)
        assert page.evaluate("window.wasRun === undefined")
        assert page.get_by_role("dialog", name="Deleted photos").get_by_role("listitem").count() == 5
        details = page.locator("#deleted .details").first.inner_text()
        year = str(datetime.datetime.now(datetime.timezone.utc).year)
        assert "Deleted " in details and ids[0] in details and year in details, details
        assert page.locator("#deleted .number").inner_text() == "5 photos"
        restore = page.locator("#deleted .restore")
        assert restore.is_disabled()
        self._shot(visit, "deleted-list")
        page.get_by_role("button", name=f"Restore {names[3]}", exact=True).click()
        visit.until(lambda: len(self._names(visit)) == 4)
        assert "1 photo restored" in page.locator("#toast").inner_text()
        # The next row has the focus, and the photo is behind the dialog.
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == f"Restore {names[4]}"
        visit.until(lambda: visit.cells()[0]["size"] == "8")
        for row in [0, 2]:
            page.get_by_role("checkbox", name=names[row]).check()
        assert page.locator("#deleted .number").inner_text() == "2 selected"
        assert page.locator("#deleted .all").evaluate("(box) => box.indeterminate")
        restore.click()
        visit.until(lambda: self._names(visit) == [names[1], names[4]])
        assert restore.is_disabled() and page.locator("#deleted .number").inner_text() == "2 photos"
        page.locator("#deleted .all").check()
        restore.click()
        visit.until(lambda: "No photo was deleted" in page.locator("#deleted .message").inner_text())
        assert self.server.frames("album") == before
        page.keyboard.press("Escape")
        visit.until(lambda: not page.locator("#deleted").is_visible())
        # The photo that was restored last has the focus.
        visit.until(lambda: f"photo={ids[1]}" in self._focused(visit))
        assert visit.cells()[0]["size"] == "12"
        visit.close()

    def deleted_photos_are_restored_by_keys(self):
        """Arrow keys go from row to row, Space selects, and Escape returns the focus."""
        _, ids = self._delete(9, [1, 3, 5, 7])
        visit = self._editable("layout=grid&sections=none")
        page = visit.page
        page.locator("[popovertarget=view]").focus()
        page.keyboard.press("Enter")
        page.locator("#show-deleted").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#deleted[open]:not([aria-busy])")
        focused = lambda: page.evaluate("document.activeElement.closest('li')?.querySelector('.name').textContent")
        names = [f"Photo {int(photo[1:])}" for photo in ids]
        page.keyboard.press("Tab")
        assert focused() == names[0]
        for key, expected in [("ArrowDown", 1), ("End", 3), ("ArrowUp", 2), ("Home", 0), ("ArrowUp", 0), ("ArrowDown", 1)]:
            page.keyboard.press(key)
            assert focused() == names[expected], (key, focused())
        page.keyboard.press("Space")
        assert page.locator("#deleted .number").inner_text() == "1 selected"
        # The page ignores its keys while the dialog is open.
        for key in ["/", "Control+z", "Delete"]:
            page.keyboard.press(key)
        assert focused() == names[1] and len(self.server.ids("album")) == 5
        page.keyboard.press("Escape")
        visit.until(lambda: not page.locator("#deleted").is_visible())
        assert page.evaluate("document.activeElement.getAttribute('popovertarget')") == "view"
        assert len(self.server.ids("album")) == 5
        visit.close()

    def many_deleted_photos_are_shown_in_parts(self):
        """A hundred at a time; all that are shown are restored together."""
        self._delete(130, range(130))
        visit = self._visit().open("stream=album&sections=none", wait="#state:not([hidden])")
        page = visit.page
        self._open_deleted(visit)
        assert len(self._names(visit)) == 100
        page.get_by_role("button", name="Show more").click()
        visit.until(lambda: len(self._names(visit)) == 130)
        assert not page.locator("#deleted .more").is_visible()
        page.locator("#deleted .all").check()
        page.click("#deleted .restore")
        visit.until(lambda: "130 photos restored" in page.locator("#toast").inner_text())
        visit.until(lambda: "No photo was deleted" in page.locator("#deleted .message").inner_text())
        assert len(self.server.ids("album")) == 130
        page.click("#deleted .close")
        visit.until(lambda: len(visit.cells()) > 5)
        visit.close()

    def failed_restorations_are_shown(self):
        """A photo that another client has restored leaves the list; a failed request can be repeated."""
        _, ids = self._delete(9, [1, 3, 5])
        visit = self._editable("layout=grid&sections=none")
        page = visit.page
        page.route("**/v1/streams/album/deleted*", lambda route: route.abort())
        self._open_deleted(visit)
        assert "could not be loaded: the server did not respond" in page.locator("#deleted .message").inner_text()
        page.unroute("**/v1/streams/album/deleted*")
        page.click("#deleted .more")
        visit.until(lambda: len(self._names(visit)) == 3)
        # A hidden page does not follow, so the photo is still in the list.
        self._hide(visit, True)
        self.server.ask(f"/v1/streams/album/photos/{ids[1]}/restore", "POST", {})
        page.locator("#deleted .all").check()
        page.click("#deleted .restore")
        visit.until(lambda: "2 photos restored; 1 photo could not be restored: " in page.locator("#toast").inner_text())
        visit.until(lambda: "No photo was deleted" in page.locator("#deleted .message").inner_text())
        assert len(self.server.ids("album")) == 9
        visit.forgive("net::ERR_FAILED", "status of 404", "status of 409")
        visit.close()

    def deleted_photos_show_their_pictures(self):
        """The colour and placeholder of a photo of a file are those of its decode: its row shows them after the deletion."""
        photo = self.server.ids("photos")[0]
        path = f"/v1/streams/photos/photos/{urllib.parse.quote(photo, safe='')}"
        visit = self._editable("layout=grid&sections=none", stream="photos")
        visit.sharp()
        visit.until(lambda: "picture" in self.server.ask(path))
        own = self.server.ask(path)
        self.server.ask(path, "DELETE")
        try:
            self._open_deleted(visit)
            tile = visit.page.locator("#deleted .tile").first
            image, color = tile.evaluate("(tile) => [tile.style.backgroundImage, tile.style.backgroundColor]")
            assert image.startswith('url("blob:') and color.startswith("rgb("), (image, color)
            self._shot(visit, "deleted-pictures")
            visit.close()
        finally:
            restored = self.server.ask(f"{path}/restore", "POST", {})
        without = lambda answer: {name: value for name, value in answer.items() if name not in ("color", "placeholder", "picture")}
        assert without(restored) == without(own), (restored, own)

    def two_dialogs_of_deleted_photos_follow_each_other(self):
        """An open list follows what other clients delete and restore; focus and selection stay."""
        _, ids = self._delete(9, [1, 3, 5, 7])
        fragment = "stream=album&layout=grid&sections=none"
        tabs = self._tabs(2, fragment)
        names = [f"Photo {int(photo[1:])}" for photo in ids]
        for tab in tabs:
            self._open_deleted(tab)
        here, there = tabs
        focused = lambda tab: tab.page.evaluate("document.activeElement.closest('li')?.querySelector('.name').textContent")
        here.page.get_by_role("checkbox", name=names[1]).check()
        here.page.locator("#deleted input").nth(2).focus()
        there.page.get_by_role("button", name=f"Restore {names[0]}", exact=True).click()
        here.until(lambda: self._names(here) == names[1:])
        assert focused(here) == names[2] and here.page.locator("#deleted .number").inner_text() == "1 selected"
        # A photo that another client deletes becomes the first one of the list.
        other = next(photo for photo in self.server.ids("album") if photo != ids[0])
        self.server.ask(f"/v1/streams/album/photos/{other}", "DELETE")
        expected = [f"Photo {int(other[1:])}", *names[1:]]
        for tab in tabs:
            tab.until(lambda: self._names(tab) == expected)
        assert focused(here) == names[2] and here.page.get_by_role("checkbox", name=names[1]).is_checked()
        # The row with the focus is removed: the next one receives the focus.
        there.page.get_by_role("button", name=f"Restore {names[2]}", exact=True).click()
        here.until(lambda: self._names(here) == [expected[0], names[1], names[3]])
        here.until(lambda: focused(here) == names[3])
        for photo in (other, ids[1], ids[3]):
            self.server.ask(f"/v1/streams/album/photos/{photo}/restore", "POST", {})
        for tab in tabs:
            tab.until(lambda: "No photo was deleted" in tab.page.locator("#deleted .message").inner_text())
        self._close_all(tabs)
