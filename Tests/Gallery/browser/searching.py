"""The search field and its matches."""

import urllib.parse

from browser.checks import Checks, page_text


class SearchingChecks(Checks):
    def a_text_is_found(self):
        """The server lays out the matches; the address shows them again; Escape returns to the same place."""
        visit = self._visit().open("stream=photos&layout=masonry&sections=month")
        page = visit.page
        visit.scroll_to(2_345)
        before = {cell["id"]: cell["top"] for cell in visit.cells()}
        page.keyboard.press("/")
        page.keyboard.type("THE ", delay=20)
        visit.until(lambda: page.locator(".found").inner_text() != "")
        visit.rest()
        number = self._compare_matches(visit, "the")
        assert page.locator(".found").inner_text() == f"{number} photos" and "search=THE" in page.url
        self._shot(visit, "search")
        link = page.url.split("#")[1]
        other = self._visit().open(link)
        assert self._compare_matches(other, "the") == number
        assert other.page.locator(".search input").input_value() == "THE"
        other.close()
        # The neighbours of a match are matches.
        page.keyboard.press("Enter")
        visit.until(lambda: page.evaluate("document.activeElement.closest('.cell') !== null"))
        page.keyboard.press("Enter")
        visit.until(lambda: page.locator("#lightbox .counter").inner_text() == f"1 / {number}")
        visit.rest()
        page.keyboard.press("ArrowRight")
        visit.until(lambda: page.locator("#lightbox .counter").inner_text() == f"2 / {number}")
        page.keyboard.press("Escape")
        visit.rest()
        page.keyboard.press("Escape")
        visit.until(lambda: "search=" not in page.url)
        visit.rest()
        after = {cell["id"]: cell["top"] for cell in visit.cells()}
        assert before == after, (before, after)
        assert page.locator(".search input").input_value() == ""
        assert page.evaluate("document.activeElement.closest('.cell') !== null")
        page.go_back()
        visit.until(lambda: page.locator(".found").inner_text() == f"{number} photos")
        visit.rest()
        self._compare_matches(visit, "the")
        # Enter before the answer: the focus is on a match afterwards.
        page.keyboard.press("/")
        page.keyboard.type("orientation")
        page.keyboard.press("Enter")
        visit.until(lambda: "search=orientation" in page.url and page.locator(".found").inner_text() not in ("", f"{number} photos"))
        visit.until(lambda: page.evaluate("document.activeElement.closest('.cell') !== null"))
        self._compare_matches(visit, "orientation")
        visit.close()

    def _compare_matches(self, visit, text):
        """Compares the photos in the window with the answer of the interface; returns the number of matches."""
        visit.until(lambda: len(visit.cells()) > 0)
        asked = visit.page.evaluate(
            "performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => /search\\?/.test(name)).pop()")
        answer = self.server.ask(asked[len(self.server.address):])
        items = {item["photo"]: (position, item) for position, item in enumerate(answer["items"])}
        assert len(items) == answer["matches"]
        for photo, (_, item) in items.items():
            texts = [item.get("title", ""), item.get("caption", ""), *self.server.ask(
                f"/v1/streams/photos/photos/{urllib.parse.quote(photo, safe='')}").get("tags", [])]
            assert any(text in words.lower() for words in texts), item
        for cell in visit.cells():
            position, item = items[cell["id"]]
            assert (cell["position"], cell["size"]) == (position + 1, str(len(items))), cell
            for side in ["x", "y", "width", "height"]:
                assert abs(cell[side] - item["frame"][side]) < 0.1, (cell, item["frame"])
        return len(items)

    def a_search_has_bounds(self):
        """Shows only the first 1,000, and no match; a newer text cancels the former request; markup is text."""
        visit = self._visit().open("stream=many&search=caption&sections=none")
        visit.until(lambda: page_text(visit, ".found") == "only the first 1,000")
        visit.scroll_to(30_000)
        last = max(cell["position"] for cell in visit.cells())
        assert 100 < last <= 1_000 and visit.cells()[0]["size"] == "1000", last
        visit.close()
        visit = self._visit().open("stream=photos&sections=none")
        page = visit.page
        asked, failed = [], []
        page.on("request", lambda request: asked.append(request.url))
        # Requests for pictures of the former photos may be cancelled, too.
        page.on("requestfailed", lambda request: "/search?" in request.url and failed.append(request.url))
        page.route("**/layout/search?**text=ba&**", lambda route: None)
        page.route("**/layout/search?**text=ba", lambda route: None)
        page.keyboard.press("/")
        page.keyboard.type("ba")
        visit.until(lambda: any("text=ba" in url for url in asked))
        page.keyboard.type("<script>wasRun=1</script>")
        # The answer to a shorter text may be shown for a moment.
        visit.until(lambda: "<script>wasRun=1</script>" in page_text(visit, "#state-text"))
        assert len(failed) == 1 and "text=ba" in failed[0], failed
        assert page.evaluate("window.wasRun === undefined")
        self._shot(visit, "nothing-found")
        page.click("#state-button")
        visit.until(lambda: len(visit.cells()) > 5)
        assert visit.cells()[0]["size"] == "61" and "search" not in page.url
        visit.close()
