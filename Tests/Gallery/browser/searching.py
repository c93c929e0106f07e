"""The search field, and the photos that meet its condition."""

import re
import urllib.parse

from browser.checks import Checks, page_text


class SearchingChecks(Checks):
    def a_text_is_found(self):
        """The server lays out the photos; the address shows them again; Escape returns to the same place."""
        visit = self._visit().open("stream=photos&layout=masonry&sections=month")
        page = visit.page
        visit.scroll_to(2_345)
        before = {cell["id"]: cell["top"] for cell in visit.cells()}
        page.keyboard.press("/")
        page.keyboard.type("THE ", delay=20)
        visit.until(lambda: page_text(visit, ".found") not in ("", "Searching…"))
        visit.rest()
        number = self._compare(visit, "photos", lambda photo: "the" in self._words(photo))
        assert page_text(visit, ".found") == f"{number} photos" and "search=THE" in page.url
        self._shot(visit, "search")
        link = page.url.split("#")[1]
        other = self._visit().open(link)
        assert self._compare(other, "photos", lambda photo: "the" in self._words(photo)) == number
        assert other.page.locator(".search input").input_value() == "THE"
        other.close()
        # The neighbours of a match are matches.
        page.keyboard.press("Enter")
        visit.until(lambda: page.evaluate("document.activeElement.closest('.cell') !== null"))
        page.keyboard.press("Enter")
        visit.until(lambda: page_text(visit, "#lightbox .counter") == f"1 / {number}")
        visit.rest()
        page.keyboard.press("ArrowRight")
        visit.until(lambda: page_text(visit, "#lightbox .counter") == f"2 / {number}")
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
        visit.until(lambda: page_text(visit, ".found") == f"{number} photos")
        visit.rest()
        self._compare(visit, "photos", lambda photo: "the" in self._words(photo))
        # Enter before the answer: the focus is on a match afterwards.
        page.keyboard.press("/")
        page.keyboard.type("orientation")
        page.keyboard.press("Enter")
        visit.until(lambda: "search=orientation" in page.url and page_text(visit, ".found") not in ("", "Searching…", f"{number} photos"))
        visit.until(lambda: page.evaluate("document.activeElement.closest('.cell') !== null"))
        self._compare(visit, "photos", lambda photo: "orientation" in self._words(photo))
        visit.close()

    def _words(self, photo):
        texts = [photo.get(name, "") for name in ("title", "caption", "alt", "camera", "location")] + photo.get("tags", [])
        return re.findall(r"[^\W_]+", " ".join(texts).lower())

    def _compare(self, visit, stream, is_found):
        """Compares the photos in the window with those of the stream for which a function returns true, and their frames with those
        of the interface; returns the number of photos."""
        visit.until(lambda: visit.cells())
        expected = [id for id in self.server.ids(stream) if is_found(
            self.server.ask(f"/v1/streams/{stream}/photos/{urllib.parse.quote(id, safe='')}"))]
        asked = visit.page.evaluate(
            "performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => /rect\\?.*where=/.test(name)).pop()")
        query = {name: values[0] for name, values in urllib.parse.parse_qs(urllib.parse.urlparse(asked).query).items()
                 if name not in ("rect", "limit", "fields", "ids", "pictures", "sizes")}
        answer = self.server.ask(f"/v1/streams/{stream}/layout/items?from=0&count=1000&fields=photo,frame&{urllib.parse.urlencode(query)}")
        assert [item["photo"] for item in answer["items"]] == expected, (answer, expected)
        for cell in visit.cells():
            item = answer["items"][cell["position"] - 1]
            assert (cell["id"], cell["size"]) == (item["photo"], str(len(expected))), (cell, item)
            for side in ["x", "y", "width", "height"]:
                assert abs(cell[side] - item["frame"][side]) < 0.1, (cell, item["frame"])
        return len(expected)

    def the_last_word_is_the_beginning_of_one_while_it_is_typed(self):
        """A press on a photo opens it; Enter searches for the word itself."""
        self.server.make_stream("album", self._album())
        visit = self._visit().open("stream=album&sections=none")
        page, field = visit.page, visit.page.locator(".search input")
        page.keyboard.press("/")
        page.keyboard.type("photo 1")
        visit.until(lambda: page_text(visit, ".found") == "31 photos")
        assert "search=photo+1*" in page.url
        visit.rest()
        page.locator(".cell:not([hidden]) a").nth(1).click()
        visit.until(lambda: page_text(visit, "#lightbox .counter").endswith(" / 31"))
        page.keyboard.press("Escape")
        page.wait_for_selector("#lightbox", state="hidden")
        assert field.input_value() == "photo 1*"
        page.keyboard.press("/")
        assert field.input_value() == "photo 1"
        page.keyboard.press("Enter")
        visit.until(lambda: page_text(visit, ".found") == "1 photo")
        assert field.input_value() == "photo 1" and page.url.endswith("search=photo+1")
        for text, condition in [("tag:alb", "tag:alb*"), ('"photo 1', '"photo 1'), ("album OR", "album OR"), ("rating:1", "rating:1")]:
            page.keyboard.press("/")
            field.fill(text)
            visit.until(lambda: f"search={urllib.parse.quote_plus(condition, safe='*')}" in page.url)
        visit.forgive("400")
        visit.close()

    def a_search_has_qualifiers_sections_and_dates(self):
        """Of a condition, exactly its photos are shown, with the sections and the scroll bar of a stream; a date is found in them."""
        photos = [{**photo, "rating": number % 6, "tags": ["beach"] if number % 2 else ["lake"]} for number, photo in enumerate(self._album(240))]
        self.server.make_stream("album", photos)
        visit = self._visit().open("stream=album&sections=month&layout=grid&size=200")
        page = visit.page
        page.keyboard.press("/")
        page.keyboard.type("tag:beach rating:>=3 taken:2018..2020 ")
        visit.until(lambda: page_text(visit, ".found") not in ("", "Searching…"))
        visit.rest()
        number = self._compare(visit, "album", lambda photo: photo["tags"] == ["beach"] and photo["rating"] >= 3
                               and photo["takenAt"][:4] in ("2018", "2019", "2020"))
        assert page_text(visit, ".found") == f"{number} photos" and 40 < number < 240, number
        headers = {}
        for top in [0, 500, 1_000, 1_500, 2_000]:
            visit.scroll_to(top)
            headers.update(page.evaluate(
                "[...document.querySelectorAll('.section h2, .section [aria-label]')].map((header) => [header.textContent, header.ariaLabel])"))
        each = number // 3
        assert headers == {f"June {year}": f"June {year}, {each} photos" for year in (2018, 2019, 2020)}, headers
        self._shot(visit, "search-sections")
        assert page.locator("#scrubber .labels").inner_text().split() == ["2019", "2018"]
        page.keyboard.press("Enter")
        self._go(visit, "day", "2019-06-15")
        first = next(position for position, (id, _) in enumerate(self._found(visit)) if id in {
            photo["id"] for photo in photos if photo["takenAt"][:10] <= "2019-06-15"}) + 1
        visit.until(lambda: first in {cell["position"] for cell in visit.cells()})
        self._go(visit, "day", "2024-06-15")
        assert "The first photo with a date is from" in page_text(visit, ".toast")
        visit.close()

    def _found(self, visit):
        condition = urllib.parse.parse_qs(visit.page.url.split("#")[1])["search"][0]
        answer = self.server.ask(
            f"/v1/streams/album/layout/items?width=900&from=0&count=1000&fields=photo,index&where={urllib.parse.quote(condition)}")
        return [(item["photo"], item["index"]) for item in answer["items"]]

    def an_invalid_condition_shows_why(self):
        """The sentence of the server is under the field, and the earlier photos stay, in other layouts, too."""
        visit = self._visit().open("stream=photos&sections=none")
        page, field, problem = visit.page, visit.page.locator(".search input"), visit.page.locator("#search-problem")
        page.keyboard.press("/")
        page.keyboard.type("the ")
        visit.until(lambda: page_text(visit, ".found") not in ("", "Searching…"))
        visit.rest()
        found, before = page_text(visit, ".found"), [cell["id"] for cell in visit.cells()]
        page.keyboard.type("tga:beach ")
        visit.until(lambda: problem.is_visible())
        assert problem.inner_text().startswith('Column 5: "tga:" is not a qualifier.') and 'Did you mean "tag:"?' in problem.inner_text()
        assert field.get_attribute("aria-invalid") == "true" and page_text(visit, ".found") == found
        assert page.locator("#photos").get_attribute("aria-busy") == "false" and not page.locator("#state").is_visible()
        assert [cell["id"] for cell in visit.cells()] == before
        self._shot(visit, "search-problem")
        visit.relayout(lambda: page.locator("[name=layout][value=masonry]").check(force=True))
        assert {cell["size"] for cell in visit.cells()} == {found.split()[0]} and problem.is_visible()
        page.keyboard.press("/")
        page.keyboard.press("End")
        for _ in "tga:beach ":
            page.keyboard.press("Backspace")
        visit.until(lambda: not problem.is_visible())
        assert field.get_attribute("aria-invalid") == "false" and page_text(visit, ".found") == found
        visit.forgive("400")
        visit.close()
        visit = self._visit().open("stream=photos&search=tga:beach", wait="#state:not([hidden])")
        assert '"tga:" is not a qualifier' in page_text(visit, "#state-text")
        visit.page.click("#state-button")
        visit.until(lambda: len(visit.cells()) > 5)
        assert "search" not in visit.page.url
        visit.forgive("400")
        visit.close()

    def a_search_has_no_bounds(self):
        """Thousands of photos, or none; a newer text cancels the former request; markup is text."""
        count = self.server.ask("/v1/streams/many/layout?width=900&where=caption&limit=1")["count"]
        visit = self._visit().open("stream=many&search=caption&sections=none")
        visit.until(lambda: page_text(visit, ".found") == f"{count:,} photos")
        assert count > 1_000
        self._go(visit, "number", str(count))
        assert max(cell["position"] for cell in visit.cells()) == count and visit.cells()[0]["size"] == str(count)
        visit.close()
        visit = self._visit().open("stream=photos&sections=none")
        page = visit.page
        asked, failed = [], []
        page.on("request", lambda request: asked.append(request.url))
        # Requests for pictures of the former photos may be cancelled, too.
        page.on("requestfailed", lambda request: "/layout?" in request.url and failed.append(request.url))
        page.route(re.compile(r"/layout\?.*where=ba\*(&|$)"), lambda route: None)
        page.keyboard.press("/")
        page.keyboard.type("ba")
        visit.until(lambda: any("where=ba*" in url for url in asked))
        page.keyboard.type("<script>wasRun=1</script>")
        # The answer to a shorter text may be shown for a moment.
        visit.until(lambda: "<script>wasRun=1</script>" in page_text(visit, "#state-text"))
        assert any("where=ba*" in url for url in failed), failed
        assert page.evaluate("window.wasRun === undefined")
        self._shot(visit, "nothing-found")
        page.click("#state-button")
        visit.until(lambda: len(visit.cells()) > 5)
        assert visit.cells()[0]["size"] == "61" and "search" not in page.url
        visit.close()

    def a_search_follows_the_stream(self):
        """New matches are counted above the window, whose photos keep their places; a photo that no longer matches disappears."""
        self.server.make_stream("album", self._album())
        visit = self._editable("layout=grid&sections=none&search=tag:album")
        visit.scroll_to(1_500)
        before = {cell["id"]: (cell["x"], cell["top"]) for cell in visit.cells()}
        new = {"width": 900, "height": 600, "takenAt": "2030-01-01T00:00:00Z", "tags": ["album"]}
        columns = len({place[0] for place in before.values()})
        self.server.import_photos("album", [{**new, "id": f"new{number}"} for number in range(columns)] + [{**new, "id": "other", "tags": []}])
        visit.until(lambda: f"{columns} new photos" in page_text(visit, "#news"))
        visit.rest()
        assert {cell["id"]: (cell["x"], cell["top"]) for cell in visit.cells()} == before
        assert page_text(visit, ".found") == f"{120 + columns} photos"
        gone = min(before)
        self.server.ask(f"/v1/streams/album/photos/{gone}", "PATCH", {"tags": []}, "application/merge-patch+json")
        visit.until(lambda: page_text(visit, ".found") == f"{119 + columns} photos" and visit.photo(gone).count() == 0)
        # Those that are selected and deleted are photos of the search only.
        visit.page.keyboard.press("Control+a")
        visit.until(lambda: visit.number_selected() == 119 + columns)
        visit.page.locator("#selection .delete").click()
        visit.until(lambda: visit.page.locator("#state").is_visible() and set(self.server.ids("album")) == {gone, "other"})
        visit.forgive("404")
        visit.close(allow_shift=True)
