"""What a screen reader reads, and in which order."""

from browser.checks import Checks

# The headers and photos in the order of the document.
ORDER = """
() => [...document.querySelectorAll("#photos > :is(.cell, .section):not([hidden])")].map((element) => {
  const title = element.querySelector("h2");
  const { top } = element.getBoundingClientRect();
  return title ? { header: title.ariaLabel, top } : { name: element.querySelector("a")?.ariaLabel, top,
    index: Number(element.ariaPosInSet) };
})
"""


class ReadingChecks(Checks):
    def a_header_is_before_its_photos(self):
        """Also after scrolling, when elements are reused."""
        # Months of 60 photos, at least two of which begin in a window of 1,400 pixels.
        self.server.make_stream("months", [
            {"id": f"{number}", "width": 300 + number % 7 * 20, "height": 400,
             "takenAt": f"{2000 + number // 720}-{number // 60 % 12 + 1:02}-10T10:00:00Z"} for number in range(2_880)])
        sections = self.server.ask("/v1/streams/months/layout?width=900&algorithm=grid&section-by=month&limit=100")["sections"]
        for layout in ["masonry", "justified"]:
            visit = self._visit(height=1_400).open(f"stream=months&sections=month&layout={layout}&size=100")
            headers = 0
            for top in [0, 9_000, 4_000]:
                visit.scroll_to(top)
                order = visit.page.evaluate(ORDER)
                headers += sum("header" in element for element in order)
                seen = 0
                for element, following in zip(order, order[1:]):
                    if "header" in element and "index" in following:
                        # It begins a section, or is the first that is known.
                        starts = {section["firstIndex"] + 1: section for section in sections}
                        assert following["index"] in starts or seen == 0, (element, following)
                        number = element["header"].rsplit(", ", 1)[1]
                        if following["index"] in starts:
                            count = starts[following["index"]]["count"]
                            assert number == f"{count:,} photo{'s' if count != 1 else ''}", (element, count)
                    seen += "index" in element
            assert headers > 5, headers
            visit.close()

    def names_are_texts_and_dates(self):
        self.server.make_stream("album", [
            {"id": "a", "width": 3, "height": 2, "caption": "sunset", "takenAt": "2026-09-18T08:50:00Z"},
            {"id": "b", "width": 3, "height": 2, "takenAt": "2026-09-17T08:50:00Z"}, {"id": "c", "width": 3, "height": 2},
        ])
        visit = self._visit().open("stream=album&sections=none")
        names = [visit.photo(id).get_attribute("aria-label").replace("\u202f", " ") for id in "abc"]
        assert names == ["sunset, September 18, 2026", "September 17, 2026, 8:50 AM", "Photo 3"], names
        visit.close()

    def the_open_picture_is_an_image_with_its_text(self):
        visit = self._visit().open("stream=photos&photo=balloons-01.jpg", wait="#lightbox .frame img")
        visit.rest()
        images = visit.page.locator("#lightbox").get_by_role("img")
        item = self.server.ask("/v1/streams/photos/photos/balloons-01.jpg")
        text = item.get("alt") or item.get("title") or item.get("caption") or ""
        assert images.count() == 1 and images.first.get_attribute("alt").startswith(text) and images.first.get_attribute("alt")
        visit.close()

    def masonry_is_walked_by_geometry(self):
        """Left and Right go to that side, or stay at the edge."""
        for direction in ["ltr", "rtl"]:
            visit = self._visit().open(f"stream=photos&layout=masonry&sections=none&direction={direction}")
            page = visit.page
            for cell in [cell for cell in visit.cells() if 0 <= cell["top"] < 600][:20]:
                for key, sign in [("ArrowRight", 1), ("ArrowLeft", -1)]:
                    visit.photo(cell["id"]).focus()
                    page.keyboard.press(key)
                    visit.rest()
                    x = page.evaluate("""() => document.activeElement.getBoundingClientRect().left
                        - document.querySelector("#plane").getBoundingClientRect().left""")
                    others = [other for other in visit.cells() if (other["x"] - cell["x"]) * sign > 1]
                    assert (x - cell["x"]) * sign > 1 if others else x == cell["x"], (cell, key, x)
            visit.close(allow_shift=True)
