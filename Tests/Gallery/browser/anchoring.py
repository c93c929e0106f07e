"""The photo that a person looks at stays, whatever changes around it."""

from browser.checks import Checks

LAYOUTS = ["justified", "masonry", "grid", "flow"]


class AnchoringChecks(Checks):
    def the_size_slider_keeps_the_justified_photo(self):
        self._slide("justified")

    def the_size_slider_keeps_the_masonry_photo(self):
        self._slide("masonry")

    def the_size_slider_keeps_the_grid_photo(self):
        self._slide("grid")

    def the_size_slider_keeps_the_flow_photo(self):
        self._slide("flow")

    def _slide(self, layout):
        """A hundred steps of the slider and back: all photos of the window are where they were; on the way, the one in the
        middle of the window stays there."""
        visit = self._visit(scale=2).open(f"stream=many&layout={layout}&sections=month&at=photo-10000&size=240")
        visit.scroll_to(visit.page.evaluate("document.querySelector('#scroller').scrollTop") + 777)
        before, (photo, _) = self._places(visit), self._middle(visit)
        visit.page.click("[popovertarget=view]")
        for size in [*range(250, 601, 10), *range(590, 79, -10), *range(90, 241, 10)]:
            self._set_size(visit, size)
            if size % 100 == 0:
                visit.rest()
                top, bottom = self._extent(visit, photo)
                assert top <= 374 + 30 and bottom >= 374 - 30, (size, photo, top, bottom)
        visit.rest()
        self._compare(before, self._places(visit), 2)
        visit.page.keyboard.press("Escape")
        # After a scroll, another photo is the one that stays.
        visit.scroll_to(visit.page.evaluate("document.querySelector('#scroller').scrollTop") + 3_000)
        before = self._places(visit)
        visit.page.click("[popovertarget=view]")
        for size in [500, 100, 240]:
            self._set_size(visit, size)
        visit.rest()
        self._compare(before, self._places(visit), 2)
        visit.close(allow_shift=True)

    def twenty_layouts_keep_the_photo(self):
        visit = self._visit().open("stream=many&layout=justified&sections=month&at=photo-15001")
        visit.scroll_to(visit.page.evaluate("document.querySelector('#scroller').scrollTop") + 345)
        before, (photo, _) = self._places(visit), self._middle(visit)
        for step in range(1, 21):
            layout = LAYOUTS[step % 4]
            visit.relayout(lambda: visit.page.click(f"input[value={layout}]", force=True))
            top, bottom = self._extent(visit, photo)
            assert top <= 374 + 30 and bottom >= 374 - 30, (layout, top, bottom)
        self._compare(before, self._places(visit), 1)
        # A map in between, and captions, spacing and sections.
        for layout in ["map", "justified"]:
            visit.relayout(lambda: visit.page.click(f"input[value={layout}]", force=True))
        self._compare(before, self._places(visit), 1)
        visit.page.click("[popovertarget=view]")
        for name, there, back in [("sections", "none", "month"), ("direction", "rtl", "ltr")]:
            for value in [there, back]:
                visit.relayout(lambda: visit.page.select_option(f"[name={name}]", value))
        for _ in range(2):
            visit.relayout(lambda: visit.page.click("[name=captions]"))
        self._compare(before, self._places(visit), 1)
        visit.close(allow_shift=True)

    def ten_widths_keep_the_photo(self):
        """Widths, heights and densities, as a turned phone or a zoomed page has them."""
        for layout in LAYOUTS:
            visit = self._visit().open(f"stream=many&layout={layout}&sections=year&at=photo-12001")
            visit.scroll_to(visit.page.evaluate("document.querySelector('#scroller').scrollTop") + 456)
            before = self._places(visit)
            for width, height in [(1000, 800), (844, 390), (390, 844), (320, 640), (500, 500), (1600, 900), (2560, 1440),
                                  (640, 400), (1920, 1080), (720, 800), (1280, 800)]:
                visit.relayout(lambda: visit.page.set_viewport_size({"width": width, "height": height}))
            self._compare(before, self._places(visit), 1)
            visit.close(allow_shift=True)

    def the_ends_of_a_stream_clamp_without_another_choice(self):
        """At the ends the photo cannot stay in the middle; it is there again as soon as it can be."""
        self.server.make_stream("album", self._album(60))
        for layout in LAYOUTS:
            visit = self._visit().open(f"stream=album&layout={layout}&sections=none&size=400")
            bottom = visit.page.evaluate("document.querySelector('#plane').offsetHeight - document.querySelector('#scroller').offsetHeight")
            for top in [40, bottom - 30]:
                visit.scroll_to(top)
                before = self._places(visit)
                visit.page.click("[popovertarget=view]")
                for size in [100, 120, 600, 80, 300, 400]:
                    self._set_size(visit, size)
                visit.rest()
                self._compare(before, self._places(visit), 1)
                visit.page.keyboard.press("Escape")
            visit.close(allow_shift=True)

    def arrivals_keep_the_photo(self):
        """A photo that arrives above moves nothing, also between two steps of a slider."""
        self.server.make_stream("album", self._album(200))
        visit = self._visit().open("stream=album&layout=masonry&sections=none")
        visit.scroll_to(1_234)
        visit.page.click("[popovertarget=view]")
        (photo, before) = self._middle(visit)
        self._set_size(visit, 400)
        visit.rest()
        there = self._extent(visit, photo)
        self._add_above("album", "above")
        visit.until(lambda: "1 new photo" in visit.page.locator("#news").inner_text())
        visit.rest()
        self._compare({photo: there[0]}, {photo: self._extent(visit, photo)[0]}, 1)
        self._set_size(visit, 240)
        visit.rest()
        self._compare({photo: before}, {photo: self._extent(visit, photo)[0]}, 1)
        visit.close(allow_shift=True)

    def the_pointer_keeps_its_photo_when_the_page_is_zoomed(self):
        """The wheel with Ctrl zooms the page, about the photo under the pointer."""
        visit = self._visit().open("stream=many&layout=masonry&sections=none&at=photo-9001")
        visit.scroll_to(visit.page.evaluate("document.querySelector('#scroller').scrollTop") + 321)
        cell = min(visit.cells(), key=lambda cell: abs(cell["top"] + cell["height"] / 2 - 600))
        y = cell["top"] + cell["height"] / 2
        visit.page.evaluate("""([x, y]) => document.querySelector("#scroller").dispatchEvent(new WheelEvent("wheel", {
            ctrlKey: true, deltaY: -100, clientX: x, clientY: y, bubbles: true }))""", [cell["x"] + 20, y + 52])
        visit.relayout(lambda: visit.page.set_viewport_size({"width": 853, "height": 533}))
        top, bottom = self._extent(visit, cell["id"])
        assert top <= y * (533 - 52) / (800 - 52) + 1 and bottom >= y * (533 - 52) / (800 - 52) - 1, (cell, top, bottom)
        visit.close(allow_shift=True)

    def a_pasted_address_acts_as_a_new_tab_does(self):
        """An address of the same stream that is entered in the tab at hand shows its place, its photo, or its start."""
        visit = self._visit().open("stream=photos&layout=masonry&sections=none")
        ids = self.server.ids("photos")
        for more in [f"&at={ids[40]}&offset=0", f"&at={ids[20]}&offset=33", f"&photo={ids[7]}", "", f"&at={ids[30]}&layout=grid"]:
            address = f"stream=photos&layout=masonry&sections=none{more}"
            visit.page.evaluate("(hash) => { location.hash = hash; }", address)
            wait = "#lightbox[open]" if "photo=" in more else ".cell"
            other = self._visit().open(address, wait=wait)
            visit.until(lambda: self._places(visit) == self._places(other))
            assert visit.page.locator("#lightbox").is_visible() == ("photo=" in more), more
            other.close()
        visit.rest()
        visit.page.go_back()
        visit.until(lambda: "layout=masonry" in visit.page.url)
        visit.close(allow_shift=True)

    def a_lost_photo_is_named(self):
        """A link to a photo that no longer exists shows the start, and says why."""
        for more in ["at=gone&offset=10", "photo=gone"]:
            visit = self._visit().open(f"stream=photos&sections=none&{more}")
            visit.until(lambda: "no longer in this stream" in visit.page.locator("#toast").inner_text())
            assert min(cell["position"] for cell in visit.cells()) == 1 and not visit.page.locator("#lightbox").is_visible()
            visit.forgive("404")
            visit.close()

    def _set_size(self, visit, size):
        """Moves the slider, and waits until the layout is shown."""
        with visit.page.expect_response(lambda response: "/layout" in response.url):
            visit.page.evaluate("""(size) => {
                const slider = document.querySelector("[name=size]");
                slider.value = size;
                slider.dispatchEvent(new Event("input", { bubbles: true }));
            }""", size)

    def _places(self, visit):
        return {cell["id"]: cell["top"] for cell in visit.cells()}

    def _extent(self, visit, photo):
        cell = next((cell for cell in visit.cells() if cell["id"] == photo), None)
        assert cell, f"{photo} is not in the window"
        return cell["top"], cell["top"] + cell["height"]

    def _middle(self, visit):
        """Returns the id and the top of the photo in the middle of the window."""
        x, y = 640, (800 - 52) / 2

        def distance(cell):
            return max(cell["x"] - x, x - cell["x"] - cell["width"], 0) + max(cell["top"] - y, y - cell["top"] - cell["height"], 0)
        cell = min(visit.cells(), key=distance)
        return cell["id"], cell["top"]

    def _compare(self, before, after, scale):
        """Compares tops to the device pixel."""
        assert before and before.keys() <= after.keys(), (before, after)
        for photo, top in before.items():
            assert abs(after[photo] - top) <= 1 / scale + 0.01, (photo, top, after[photo])
