"""Several tabs of one browser."""

import time
import urllib.parse

from browser.checks import Checks, page_text


class TabChecks(Checks):
    def eight_tabs_share_the_events(self):
        """One of a browser's six connections to a server is for the events of all tabs."""
        others = self._followers()
        tabs = self._tabs(8, "stream=photos&layout=grid&sections=none")
        for tab in tabs:
            tab.sharp()
        tabs[0].until(lambda: len(self._readers(tabs)) == 1 and self._followers() <= others + 1)
        names, times = [], []
        try:
            for _ in range(3):
                name = f"shared {time.time_ns()}"
                self._add_above("photos", name)
                names.append(name)
                times.append(self._all_show(tabs, name))
            tabs[0].rest()
            assert len(self._readers(tabs)) == 1 and self._followers() <= others + 1
        finally:
            for name in names:
                self.server.ask(f"/v1/streams/photos/photos/{urllib.parse.quote(name)}", "DELETE")
        print("      changes are on eight tabs after", ", ".join(f"{seconds * 1000:.0f} ms" for seconds in times))
        self._close_all(tabs)

    def another_tab_reads_on(self):
        """The tab that reads events is closed, the next one hidden: each time another one reads, and shows what it missed."""
        self.server.make_stream("album", self._album(40))
        tabs = self._tabs(4, "stream=album&layout=grid&sections=none")
        context = tabs[0].context
        tabs[0].until(lambda: len(self._readers(tabs)) == 1)
        held = []
        context.route("**/v1/streams/album/events?*", lambda route: held.append(route))
        (reader,) = self._readers(tabs)
        tabs.remove(reader)
        reader.close()
        self._add_above("album", "closed")
        tabs[0].until(lambda: held)
        tabs[0].rest()
        assert not any(tab.photo("closed").count() for tab in tabs)
        held[0].continue_()
        context.unroute("**/v1/streams/album/events?*")
        self._all_show(tabs, "closed")
        assert len(held) == 1, held
        (reader,) = self._readers(tabs)
        others = [tab for tab in tabs if tab is not reader]
        # A pending request of the page would also show the next change.
        reader.rest()
        # Browsers freeze only hidden tabs.
        self._hide(reader, True)
        others[0].until(lambda: len(self._readers(others)) == 1)
        self._add_above("album", "hidden")
        self._all_show(others, "hidden")
        self._hide(reader, False)
        self._all_show(tabs, "hidden")
        assert self._readers(tabs) == self._readers(others)
        self._close_all(tabs)

    def a_late_tab_catches_up(self):
        """A tab that follows again shows what it missed: few changes one by one, more than an event contains by their result."""
        self.server.make_stream("album", self._album(40))
        ids = self.server.ids("album")
        tabs = self._tabs(2, "stream=album&layout=grid&sections=none")
        tabs[0].until(lambda: len(self._readers(tabs)) == 1)
        late = next(tab for tab in tabs if not tab.following)
        late.until(lambda: "can-edit" in (late.page.locator("html").get_attribute("class") or ""))
        late.photo(ids[2]).focus()
        late.page.keyboard.press("Space")
        assert late.number_selected() == 1
        late.rest()
        self._hide(late, True)
        self.server.ask(f"/v1/streams/album/photos/{ids[2]}", "DELETE")
        self._add_above("album", "few")
        self._all_show([tab for tab in tabs if tab is not late], "few")
        late.rest()
        assert not late.photo("few").count()
        self._hide(late, False)
        self._all_show(tabs, "few")
        late.until(lambda: late.number_selected() == 0)
        self._hide(late, True)
        self.server.import_photos("album", [
            {"id": f"more{i}", "width": 3, "height": 2, "takenAt": "2080-01-01T00:00:00Z"} for i in range(150)])
        self._add_above("album", "many")
        self._all_show([tab for tab in tabs if tab is not late], "many")
        self._hide(late, False)
        self._all_show(tabs, "many")
        late.until(lambda: late.cells()[0]["size"] == str(len(self.server.ids("album"))))
        assert len(self._readers(tabs)) == 1
        self._close_all(tabs)

    def tabs_without_locks_read_by_themselves(self):
        """As on plain HTTP from another machine, where browsers have no locks."""
        self.server.make_stream("album", self._album(40))
        tabs = self._tabs(2, "stream=album&layout=grid&sections=none",
                          "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });")
        tabs[0].until(lambda: len(self._readers(tabs)) == 2)
        self._add_above("album", "alone")
        self._all_show(tabs, "alone")
        self._close_all(tabs)

    def all_tabs_show_that_a_stream_is_deleted(self):
        self.server.make_stream("album", self._album(40))
        tabs = self._tabs(3, "stream=album&layout=grid&sections=none")
        tabs[0].until(lambda: len(self._readers(tabs)) == 1)
        self.server.ask("/v1/streams/album?with-photos=true", "DELETE")
        for tab in tabs:
            tab.until(lambda: "There is no stream named" in page_text(tab, "#state-text"))
        tabs[0].until(lambda: not self._readers(tabs))
        self._close_all(tabs)
