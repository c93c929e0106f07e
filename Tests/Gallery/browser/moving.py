"""Moving photos by keys, mouse and finger."""

from browser.checks import Checks


class MovingChecks(Checks):
    def keys_move_photos(self):
        """Alt with arrows moves a photo, or the selected ones; undo puts them back."""
        for order in ["manual", "newest"]:
            self.server.make_stream("album", self._album(30), order)
            before = self.server.ids("album")
            visit = self._editable("layout=grid&sections=none")
            page = visit.page
            columns = len({round(cell["x"]) for cell in visit.cells()})
            visit.photo(before[4]).focus()
            page.keyboard.press("Alt+ArrowRight")
            visit.until(lambda: self.server.ids("album")[4:6] == [before[5], before[4]])
            visit.until(lambda: "1 photo moved" in page.locator("#toast").inner_text())
            visit.rest()
            assert f"photo={before[4]}" in page.evaluate("document.activeElement.href")
            page.keyboard.press("Control+z")
            visit.until(lambda: self.server.ids("album") == before)
            visit.until(lambda: "moved back" in page.locator("#toast").inner_text())
            visit.rest()
            page.keyboard.press("Alt+ArrowDown")
            visit.until(lambda: self.server.ids("album").index(before[4]) == 4 + columns)
            visit.rest()
            page.keyboard.press("Control+z")
            visit.until(lambda: self.server.ids("album") == before)
            visit.rest()
            page.keyboard.press("Space")
            page.keyboard.press("Shift+ArrowRight")
            visit.until(lambda: visit.number_selected() == 2)
            page.keyboard.press("Alt+ArrowRight")
            expected = before[:4] + [before[6], before[4], before[5]] + before[7:]
            visit.until(lambda: self.server.ids("album") == expected)
            visit.close()

    def photos_are_dragged(self):
        """A drag with the mouse moves a photo to the line; Escape cancels it; a later click still opens a photo."""
        for direction in ["ltr", "rtl"]:
            self.server.make_stream("album", self._album(30), "manual")
            before = self.server.ids("album")
            visit = self._editable(f"layout=grid&sections=none&direction={direction}")
            page = visit.page
            places = {cell["id"]: cell for cell in visit.cells()}

            def middle(photo, part=0.5):
                cell = places[photo]
                return cell["x"] + cell["width"] * part, cell["top"] + 52 + cell["height"] / 2
            page.mouse.move(*middle(before[1]))
            page.mouse.down()
            page.mouse.move(*middle(before[3], 0.8 if direction == "ltr" else 0.2), steps=8)
            assert page.locator(".ghost").count() == 1 and page.locator("#drop").is_visible()
            self._shot(visit, f"drag-{direction}")
            page.keyboard.press("Escape")
            assert page.locator(".ghost").count() == 0
            page.mouse.up()
            visit.rest()
            assert self.server.ids("album") == before and not page.locator("#lightbox").is_visible()
            page.mouse.move(*middle(before[1]))
            page.mouse.down()
            page.mouse.move(*middle(before[3], 0.8 if direction == "ltr" else 0.2), steps=8)
            page.mouse.up()
            after = [before[0], before[2], before[3], before[1], *before[4:]]
            visit.until(lambda: self.server.ids("album") == after)
            visit.until(lambda: [cell["id"] for cell in sorted(visit.cells(), key=lambda cell: cell["position"])][:5] == after[:5])
            assert not page.locator("#lightbox").is_visible()
            page.click(".toast button")
            visit.until(lambda: self.server.ids("album") == before)
            visit.rest()
            page.mouse.click(*middle(before[2]))
            visit.until(lambda: page.locator("#lightbox").is_visible())
            visit.close()

    def photos_are_dragged_by_touch(self):
        """After a long press a finger drags the photo, or all that are selected; without one it scrolls."""
        self.server.make_stream("album", self._album(60), "manual")
        before = self.server.ids("album")
        visit = self._editable(
            "layout=grid&sections=none", width=390, height=844, scale=2, has_touch=True, is_mobile=True)
        page = visit.page
        touch = page.context.new_cdp_session(page)
        top = lambda: page.evaluate("document.querySelector('#scroller').scrollTop")

        def send(type, point=None):
            points = [] if point is None else [{"x": point[0], "y": point[1]}]
            touch.send("Input.dispatchTouchEvent", {"type": type, "touchPoints": points})

        def middle(photo, part=0.5):
            box = visit.photo(photo).bounding_box()
            return box["x"] + box["width"] * part, box["y"] + box["height"] / 2

        def drag(photo, target, selected):
            """Presses long, and moves to the second half of another photo."""
            start, end = middle(photo), middle(target, 0.8)
            send("touchStart", start)
            visit.until(lambda: visit.number_selected() == selected)
            for step in range(1, 9):
                send("touchMove", [a + (b - a) * step / 8 for a, b in zip(start, end)])
                visit.frame()
            assert page.locator(".ghost").count() == 1 and page.locator("#drop").is_visible()

        drag(before[1], before[4], 1)
        self._shot(visit, "drag-touch")
        send("touchEnd")
        expected = [before[0], *before[2:5], before[1], *before[5:]]
        visit.until(lambda: self.server.ids("album") == expected)
        visit.until(lambda: visit.number_selected() == 0)
        assert top() == 0 and page.locator(".ghost").count() == 0 and not page.locator("#lightbox").is_visible()
        page.locator(".toast button").tap()
        visit.until(lambda: self.server.ids("album") == before)
        visit.rest()
        # Two selected photos.
        send("touchStart", middle(before[0]))
        visit.until(lambda: visit.number_selected() == 1)
        send("touchEnd")
        visit.photo(before[2]).tap()
        visit.until(lambda: visit.number_selected() == 2)
        drag(before[2], before[5], 1)
        assert page.locator(".ghost").get_attribute("data-count") == "2"
        send("touchEnd")
        expected = [before[1], *before[3:6], before[0], before[2], *before[6:]]
        visit.until(lambda: self.server.ids("album") == expected)
        visit.until(lambda: visit.number_selected() == 2)
        page.locator("#selection .clear").tap()
        visit.rest()
        # A swipe, and a drag that another finger ends.
        send("touchStart", (200, 600))
        for step in range(1, 11):
            send("touchMove", (200, 600 - 30 * step))
            visit.frame()
        send("touchEnd")
        visit.until(lambda: top() > 200)
        visit.rest()
        assert self.server.ids("album") == expected and visit.number_selected() == 0
        shown = sorted(visit.cells(), key=lambda cell: cell["position"])
        shown = [cell["id"] for cell in shown if cell["top"] > 10]
        drag(shown[0], shown[3], 1)
        here, there = middle(shown[3]), middle(shown[0])
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [
            {"x": here[0], "y": here[1], "id": 0}, {"x": there[0], "y": there[1], "id": 1}]})
        visit.until(lambda: page.locator(".ghost").count() == 0)
        send("touchEnd")
        visit.rest()
        assert self.server.ids("album") == expected
        visit.close()
