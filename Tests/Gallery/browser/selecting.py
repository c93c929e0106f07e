"""Selecting and deleting photos, with undo."""

import json

from browser.checks import Checks


class SelectingChecks(Checks):
    def photos_are_selected(self):
        """By mark, range and keys; a selection survives scrolling, and Escape ends it."""
        for direction in ["ltr", "rtl"]:
            visit = self._editable(f"layout=grid&sections=none&direction={direction}", "many")
            page = visit.page
            box = page.locator(".cell[aria-posinset='3']").bounding_box()
            page.mouse.click(box["x"] + (18 if direction == "ltr" else box["width"] - 18), box["y"] + 18)
            assert visit.number_selected() == 1 and not page.locator("#lightbox").is_visible()
            assert page.locator("#photos").get_attribute("role") == "listbox"
            chosen = [cell for cell in visit.cells() if cell["isSelected"]]
            assert [cell["position"] for cell in chosen] == [3], chosen
            visit.scroll_to(20_000)
            # Only photos that are entirely visible can be clicked in the middle.
            whole = sorted((cell["position"], cell) for cell in visit.cells() if 0 < cell["top"] < 700 - cell["height"])
            far = whole[1][1]
            page.mouse.click(far["x"] + far["width"] / 2, far["top"] + 60 + far["height"] / 2)
            visit.until(lambda: visit.number_selected() == 2)
            far = whole[4][1]
            page.keyboard.down("Shift")
            page.mouse.click(far["x"] + far["width"] / 2, far["top"] + 60 + far["height"] / 2)
            page.keyboard.up("Shift")
            visit.rest()
            between = [cell["position"] for cell in visit.cells() if cell["isSelected"]]
            assert len(between) == visit.number_selected() - 1 == max(between) - min(between) + 1 >= 2, between
            visit.scroll_to(0)
            assert [cell["position"] for cell in visit.cells() if cell["isSelected"]] == [3]
            page.keyboard.press("Escape")
            assert visit.number_selected() == 0 and page.locator("#photos").get_attribute("role") == "list"
            assert not any(cell["isSelected"] for cell in visit.cells())
            visit.close()

    def keys_select(self):
        """Space selects, Shift with arrows extends and shrinks, and a range may be longer than the window."""
        visit = self._editable("layout=grid&sections=none", "many")
        page = visit.page
        page.locator(".cell[aria-posinset='2'] a").focus()
        page.keyboard.press("Space")
        assert visit.number_selected() == 1
        columns = len({round(cell["x"]) for cell in visit.cells()})
        for key, number in [("ArrowRight", 2), ("ArrowDown", 2 + columns), ("ArrowLeft", 1 + columns), ("ArrowUp", 1)]:
            page.keyboard.press(f"Shift+{key}")
            visit.until(lambda: visit.number_selected() == number)
        ids = self.server.ask("/v1/streams/many/layout/items?width=900&from=1&count=900&fields=photo")["items"]
        page.evaluate("document.querySelector('#scroller').scrollTop = 9000")
        visit.rest()
        target = visit.cells()[3]
        visit.photo(target["id"]).click(modifiers=["Shift"])
        visit.until(lambda: visit.number_selected() == target["position"] - 1)
        assert ids[target["position"] - 2]["photo"] == target["id"]
        page.keyboard.press("Enter")
        visit.until(lambda: page.locator("#lightbox").is_visible())
        page.keyboard.press("Escape")
        visit.until(lambda: not page.locator("#lightbox").is_visible())
        assert visit.number_selected() == target["position"] - 1
        page.keyboard.press("Escape")
        assert visit.number_selected() == 0
        visit.close()

    def a_long_press_selects(self):
        """On a touch screen, a long press begins a selection, and taps continue it."""
        self.server.make_stream("album", self._album())
        visit = self._editable(
            "layout=grid&sections=none", width=390, height=844, scale=2, has_touch=True, is_mobile=True)
        page = visit.page
        touch = page.context.new_cdp_session(page)
        box = page.locator(".cell[aria-posinset='1']").bounding_box()
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        visit.until(lambda: visit.number_selected() == 1)
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        visit.rest()
        assert visit.number_selected() == 1 and not page.locator("#lightbox").is_visible()
        page.locator(".cell").nth(3).tap()
        visit.until(lambda: visit.number_selected() == 2)
        page.locator(".cell").nth(3).tap()
        visit.until(lambda: visit.number_selected() == 1)
        page.locator("#selection .clear").tap()
        page.locator(".cell").nth(1).tap()
        visit.until(lambda: page.locator("#lightbox").is_visible())
        visit.close()

    def deleted_photos_come_back(self):
        """Deletes many, with at most six requests at once; undo by button and key restores each exactly to its place."""
        self.server.make_stream("album", self._album())
        before = self.server.frames("album")
        visit = self._editable("layout=masonry&captions=yes&sections=none")
        page = visit.page
        running, most = set(), [0]

        def started(request):
            if request.method in ("DELETE", "POST"):
                running.add(request)
                most[0] = max(most[0], len(running))
        page.on("request", started)
        page.on("response", lambda response: running.discard(response.request))
        page.locator(".cell[aria-posinset='4'] a").focus()
        page.keyboard.press("Space")
        page.keyboard.press("Shift+ArrowDown")
        visit.until(lambda: visit.number_selected() >= 2)
        last = page.locator(".cell a[aria-posinset='25']")
        last.click(modifiers=["Shift"])
        visit.until(lambda: visit.number_selected() == 22)
        page.keyboard.press("Delete")
        visit.until(lambda: "22 photos deleted" in page.locator("#toast").inner_text())
        assert page.locator("#toast").get_attribute("role") == "status"
        visit.until(lambda: visit.cells()[0]["size"] == "98")
        assert visit.number_selected() == 0
        gone = [photo for photo, _ in before[3:25]]
        assert self.server.ids("album") == [photo for photo, _ in before if photo not in gone]
        # They disappear in an animation.
        visit.until(lambda: not {cell["id"] for cell in visit.cells()} & set(gone))
        assert page.evaluate("document.activeElement.parentElement.getAttribute('aria-posinset')") is not None
        self._shot(visit, "deleted")
        page.click(".toast button")
        visit.until(lambda: "22 photos restored" in page.locator("#toast").inner_text())
        assert self.server.frames("album") == before
        visit.until(lambda: visit.cells()[0]["size"] == "120")
        assert 2 <= most[0] <= 6, most
        # One photo, without a selection, and undo with the keyboard.
        page.locator(".cell[aria-posinset='2'] a").focus()
        page.keyboard.press("Delete")
        visit.until(lambda: "1 photo deleted" in page.locator("#toast").inner_text())
        assert len(self.server.ids("album")) == 119
        visit.rest()
        assert page.evaluate("document.activeElement.parentElement.getAttribute('aria-posinset')") == "2"
        page.keyboard.press("Control+z")
        visit.until(lambda: "1 photo restored" in page.locator("#toast").inner_text())
        assert self.server.frames("album") == before
        visit.close()

    def the_focus_stays_where_a_person_puts_it(self):
        """A restored photo receives the focus, unless the person has moved it in the meantime."""
        self.server.make_stream("album", self._album(40))
        ids = self.server.ids("album")
        visit = self._editable("layout=grid&sections=none")
        page = visit.page
        for goes_on in [False, True]:
            visit.photo(ids[6]).focus()
            page.keyboard.press("Delete")
            visit.until(lambda: not visit.photo(ids[6]).count() and f"photo={ids[7]}" in self._focused(visit))
            # The event arrives before the answer.
            held = []
            page.route("**/restore", lambda route: held.append((route, route.fetch())))
            page.keyboard.press("Control+z")
            visit.until(lambda: held and visit.photo(ids[6]).count())
            if goes_on:
                visit.photo(ids[2]).focus()
            [(route, answer)] = held
            route.fulfill(response=answer)
            page.unroute("**/restore")
            visit.until(lambda: "1 photo restored" in page.locator("#toast").inner_text())
            visit.rest()
            expected = ids[2 if goes_on else 6]
            visit.until(lambda: f"photo={expected}" in self._focused(visit))
        visit.close()

    def failed_deletions_are_shown(self):
        """Failures are shown with their number and reason, and stay selected."""
        self.server.make_stream("album", self._album())
        visit = self._editable("layout=grid&sections=none")
        page = visit.page
        ids = self.server.ids("album")
        problem = {"type": "urn:photostream:problem:locked", "title": "Locked", "status": 409, "detail": "the photo is locked"}
        for photo in ids[1:3]:
            page.route(f"**/photos/{photo}", lambda route: route.fulfill(
                status=409, content_type="application/problem+json", body=json.dumps(problem)))
        page.locator(".cell[aria-posinset='1'] a").focus()
        for number, key in enumerate(["Space", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight"], 1):
            page.keyboard.press(key)
            visit.until(lambda: visit.number_selected() == number)
        page.click("#selection .delete")
        visit.until(lambda: "deleted" in page.locator("#toast").inner_text())
        text = page.locator("#toast").inner_text()
        assert "2 photos deleted; 2 photos could not be deleted: the photo is locked" in text, text
        visit.until(lambda: visit.number_selected() == 2)
        assert self.server.ids("album") == ids[1:3] + ids[4:]
        visit.forgive("409")
        visit.close()

    def the_focus_leaves_a_deleted_photo(self):
        """A photo that another program deletes loses the focus, and its place in the selection."""
        self.server.make_stream("album", self._album())
        ids = self.server.ids("album")
        visit = self._editable("layout=grid&sections=none")
        page = visit.page
        visit.photo(ids[6]).focus()
        page.keyboard.press("Space")
        page.keyboard.press("Shift+ArrowRight")
        visit.until(lambda: visit.number_selected() == 2)
        self.server.ask(f"/v1/streams/album/photos/{ids[7]}", "DELETE")
        visit.until(lambda: visit.number_selected() == 1)
        visit.until(lambda: ids[7] not in {cell["id"] for cell in visit.cells()})
        visit.until(lambda: f"photo={ids[8]}" in page.evaluate("document.activeElement.href ?? ''"))
        visit.close()

    def a_note_waits(self):
        """The note with the undo button stays for twelve seconds, and as long as the pointer is on it."""
        self.server.make_stream("album", self._album(20))
        visit = self._visit()
        page = visit.page
        page.clock.install()
        visit.open("stream=album&layout=grid&sections=none")
        visit.until(lambda: "can-edit" in (page.locator("html").get_attribute("class") or ""))
        page.locator(".cell[aria-posinset='2'] a").focus()
        page.keyboard.press("Delete")
        visit.until(lambda: "1 photo deleted" in page.locator("#toast").inner_text())
        page.clock.fast_forward(9_000)
        assert page.locator(".toast").is_visible()
        page.hover(".toast")
        page.clock.fast_forward(60_000)
        assert page.locator(".toast").is_visible()
        page.mouse.move(5, 300)
        # The page notices a moment later that the pointer is elsewhere.
        visit.until(lambda: page.clock.fast_forward(14_000) or not page.locator(".toast").is_visible())
        page.context.close()

    def _deleted_in_lightbox(self):
        """Deletes the second of three photos in the lightbox, and returns the visit and the ids."""
        self.server.make_stream("album", self._album(3))
        first, second, third = self.server.ids("album")
        visit = self._editable("layout=grid&sections=none")
        page = visit.page
        counter = page.locator("#lightbox .counter")
        visit.photo(second).click()
        visit.until(lambda: counter.inner_text() == "2 / 3")
        visit.rest()
        page.keyboard.press("Delete")
        visit.until(lambda: "1 photo deleted" in page.locator("#toast").inner_text())
        visit.until(lambda: counter.inner_text() == "2 / 2" and f"photo={third}" in page.url)
        visit.rest()
        return visit, (first, second, third)

    def a_photo_is_deleted_from_the_lightbox(self):
        """The next photo is shown; undo shows the deleted one again; the last one closes."""
        visit, (first, second, third) = self._deleted_in_lightbox()
        page = visit.page
        counter = page.locator("#lightbox .counter")
        page.click("#lightbox .toast button")
        visit.until(lambda: counter.inner_text() == "2 / 3" and f"photo={second}" in page.url)
        assert self.server.ids("album") == [first, second, third]
        visit.rest()
        for left in ["2 / 2", "1 / 1"]:
            page.click("#lightbox .delete")
            visit.until(lambda: counter.inner_text() == left)
            visit.rest()
        page.click("#lightbox .delete")
        visit.until(lambda: not page.locator("#lightbox").is_visible())
        visit.until(lambda: page.locator("#state").is_visible())
        assert self.server.ids("album") == []
        visit.until(lambda: page.locator(".toast").is_visible())
        page.keyboard.press("Control+z")
        visit.until(lambda: len(visit.cells()) == 1)
        visit.close()

    def a_photo_opens_while_the_stream_changes(self):
        """A change that arrives while a photo is opened does not prevent it from being shown."""
        visit, (first, second, third) = self._deleted_in_lightbox()
        page = visit.page
        counter = page.locator("#lightbox .counter")
        held = []
        page.route(f"**/layout/locate?*photo={second}*", lambda route: held.append(route))
        page.click("#lightbox .toast button")
        visit.until(lambda: held)
        with page.expect_response(lambda response: f"/photos/{third}" in response.url):
            self.server.ask(f"/v1/streams/album/photos/{first}", "PATCH", {"title": "Changed"}, "application/merge-patch+json")
        for route in held:
            route.continue_()
        page.unroute(f"**/layout/locate?*photo={second}*")
        visit.until(lambda: counter.inner_text() == "2 / 3" and f"photo={second}" in page.url)
        visit.close()
