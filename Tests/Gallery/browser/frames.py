"""Frames and texts of the photos."""

import urllib.parse

from browser.checks import Checks


class FrameChecks(Checks):
    def frames_are_those_of_the_interface_at_density_1(self):
        """Every frame on the page equals that of the interface, to the device pixel."""
        self._check_frames(1)

    def frames_are_those_of_the_interface_at_density_1_5(self):
        self._check_frames(1.5)

    def frames_are_those_of_the_interface_at_density_2(self):
        self._check_frames(2)

    def frames_are_those_of_the_interface_at_density_3(self):
        self._check_frames(3)

    def _check_frames(self, scale):
        for more in ["sections=year&captions=yes", "sections=none&spacing=0&direction=rtl"]:
            visit = self._visit(scale=scale, width=1111, height=700)
            for layout in ["justified", "masonry", "grid", "flow"]:
                visit.open(f"stream=photos&layout={layout}&{more}")
                visit.scroll_to(777)
                visit.until(lambda: len(visit.cells()) >= 3)
                self._compare(visit, scale, layout)
                # The browser keeps 250 entries.
                visit.page.evaluate("performance.clearResourceTimings()")
            visit.close()

    def _compare(self, visit, scale, layout):
        asked = visit.page.evaluate(
            "performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => /rect\\?/.test(name)).pop()")
        query = urllib.parse.parse_qs(urllib.parse.urlparse(asked).query)
        options = {name: values[0] for name, values in query.items()
                   if name not in ("rect", "limit", "ids", "pictures", "fields", "revision")}
        assert options["algorithm"] == layout, asked
        width, height = options["width"], 20_000
        path = urllib.parse.urlparse(asked).path
        answer = self.server.ask(
            f"{path}?{urllib.parse.urlencode({**options, 'rect': f'0,0,{width},{height}', 'limit': 1000})}")
        items = {item["photo"]: item for item in answer["items"]}
        cells = visit.cells()
        assert len(cells) >= 3, cells
        for cell in cells:
            item = items[cell["id"]]
            assert cell["position"] == item["index"] + 1 and cell["size"] == "61", cell
            for mine, theirs in [("x", "x"), ("y", "y"), ("width", "width"), ("height", "height")]:
                pixels, expected = cell[mine] * scale, round(item["frame"][theirs] * scale)
                assert abs(pixels - expected) < 0.1, (scale, cell, item["frame"])

    def captions_are_texts(self):
        """Texts that look like markup are shown as they are, and are not run."""
        for layout in ["masonry", "justified"]:
            visit = self._visit().open(f"stream=markup&layout={layout}&captions=yes")
            assert visit.page.locator(".caption").first.inner_text().startswith("<img"), layout
            visit.page.locator(".cell a").first.click()
            visit.rest()
            assert "<script>" in visit.page.locator("#lightbox .title").inner_text()
            assert visit.page.evaluate("document.querySelectorAll('img[src=x], main script, dialog script').length") == 0
            assert visit.page.evaluate("window.wasRun === undefined")
            visit.close()
