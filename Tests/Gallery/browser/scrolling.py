"""Long streams and places."""

import urllib.parse

from browser.checks import Checks


class ScrollingChecks(Checks):
    def a_long_stream_scrolls(self):
        """Flings, drags and jumps through a long stream to its very end: few elements, and no layout shift."""
        count = self.server.ask("/v1/streams/many")["count"]
        visit = self._visit().open("stream=many&sections=day")
        visit.page.mouse.move(600, 400)
        for step in [2_500, -1_500, 400]:
            for _ in range(40):
                visit.page.mouse.wheel(0, step)
                visit.frame()
        visit.rest()
        assert len(visit.cells()) >= 5
        box = visit.page.locator("#scrubber").bounding_box()
        visit.page.mouse.move(box["x"] + box["width"] - 10, box["y"] + 20)
        visit.page.mouse.down()
        for part in range(0, 20):
            visit.page.mouse.move(box["x"] + box["width"] - 10, box["y"] + 20 + part / 20 * (box["height"] - 60))
            visit.frame()
        self._shot(visit, "scrubber")
        visit.page.mouse.up()
        visit.rest()
        self._compare_many(visit)
        self._go(visit, "number", str(count))
        last = max(visit.cells(), key=lambda cell: cell["position"])
        assert last["position"] == count, last
        self._compare_many(visit)
        self._go(visit, "number", "1")
        assert min(cell["position"] for cell in visit.cells()) == 1
        seen = visit.close()
        print(f"      elements at most {seen['most']}, tasks over 50 ms: {seen['long']}")

    def _compare_many(self, visit):
        for cell in visit.cells()[:5]:
            item = self.server.ask(
                f"/v1/streams/many/layout/items?width=9&from={cell['position'] - 1}&count=1&fields=photo")["items"][0]
            assert item["photo"] == cell["id"], (cell, item)

    def extreme_pictures_take_few_elements(self):
        """Hundreds of slivers in a large window: under 300 elements, colours for the others, and all of them can be opened."""
        for name, size, layout, more in [
            ("wide", (5_000, 100), "masonry", "captions=yes&sections=none"), ("narrow", (100, 5_000), "justified", "sections=none"),
            ("small", (60, 40), "flow", "captions=yes&sections=none"), ("small", (60, 40), "flow", "sections=year"),
        ]:
            self.server.make_stream("extreme", [
                {"id": f"p{i:03}", "width": size[0], "height": size[1], "color": f"#{30 + i % 200:02x}4080", "caption": name,
                 "takenAt": f"{2000 - i // 60}-01-01T00:00:00Z"} for i in range(800)])
            visit = self._visit(width=2560, height=1440).open(f"stream=extreme&layout={layout}&size=80&spacing=0&{more}")
            for top in [300, 0]:
                visit.scroll_to(top)
            if name != "small":
                self._check_slivers(visit)
                self._shot(visit, f"slivers-{name}")
            seen = visit.close()
            print(f"      {name}, {layout}, {more}: at most {seen['most']} elements")

    def _check_slivers(self, visit):
        page = visit.page
        cells = {cell["id"]: cell for cell in visit.cells()}
        asked = page.evaluate(
            "performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => /rect\\?/.test(name)).pop()")
        query = {name: values[0] for name, values in urllib.parse.parse_qs(urllib.parse.urlparse(asked).query).items()}
        query.update({"rect": "0,0,2560,1380", "limit": "1000", "fields": "photo,frame,index,color,captionExtent"})
        path = urllib.parse.urlparse(asked).path
        items = self.server.ask(f"{path}?{urllib.parse.urlencode(query)}")["items"]
        others = [item for item in items if item["photo"] not in cells]
        assert len(items) > 100 and others, (len(items), len(cells))
        for item in others[:: len(others) // 9]:
            frame = item["frame"]
            x, y = frame["x"] + frame["width"] / 2, frame["y"] + (frame["height"] - item.get("captionExtent", 0)) / 2
            red, green, blue, _ = page.evaluate("""([x, y]) => {
                const canvas = document.querySelector("canvas.slivers");
                const { left, top } = document.querySelector("#plane").getBoundingClientRect();
                const box = canvas.getBoundingClientRect();
                return [...canvas.getContext("2d").getImageData(x + left - box.left, y + top - box.top, 1, 1).data];
            }""", [x, y])
            assert f"#{red:02x}{green:02x}{blue:02x}" == item["color"], (item, red, green, blue)
        last = others[-1]
        box = page.locator("#plane").bounding_box()
        frame = last["frame"]
        page.mouse.click(box["x"] + frame["x"] + frame["width"] / 2, box["y"] + frame["y"] + 2)
        visit.until(lambda: page.locator("#lightbox .counter").inner_text() == f"{last['index'] + 1} / 800")
        page.keyboard.press("Escape")
        visit.until(lambda: f"photo={last['photo']}" in self._focused(visit))
        page.keyboard.press("ArrowLeft")
        visit.until(lambda: page.evaluate("document.activeElement.parentElement.getAttribute('aria-posinset')")
                    == str(last["index"]))

    def a_date_is_found(self):
        """The first photo of a day, by the sections of the interface."""
        layout = self.server.ask("/v1/streams/many/layout?width=900&algorithm=grid&section-by=day&from-section=700&limit=1")
        section = layout["sections"][0]
        visit = self._visit().open("stream=many&sections=month")
        self._go(visit, "day", section["id"])
        visit.until(lambda: section["firstIndex"] + 1 in {cell["position"] for cell in visit.cells()})
        visit.close()

    def the_place_is_kept(self):
        """A reload moves no photo; a change of the window keeps the photo at the top."""
        for stream in ["photos", "many"]:
            visit = self._visit().open(f"stream={stream}&layout=masonry&captions=yes")
            visit.scroll_to(3_210)
            before = {cell["id"]: cell["top"] for cell in visit.cells()}
            visit.page.reload()
            visit.page.wait_for_selector(".cell")
            visit.rest()
            after = {cell["id"]: cell["top"] for cell in visit.cells()}
            assert before == after, (before, after)
            top = urllib.parse.parse_qs(urllib.parse.urlparse(visit.page.url).fragment)["at"][0]
            # A response about the former layout may come first.
            is_there = lambda: top in {cell["id"] for cell in visit.cells()}
            visit.relayout(lambda: visit.page.set_viewport_size({"width": 900, "height": 700}))
            visit.until(is_there)
            visit.relayout(lambda: visit.page.click("input[value=grid]", force=True))
            visit.until(is_there)
            visit.relayout(visit.page.go_back)
            visit.until(lambda: "layout=masonry" in visit.page.url and is_there())
            visit.close()
