"""One photo on the whole screen, and the keyboard among photos."""

from browser.checks import Checks


class PhotoChecks(Checks):
    def a_photo_opens(self):
        """The lightbox: neighbours, information, back, and the focus afterwards."""
        visit = self._visit().open("stream=photos&sections=none")
        page = visit.page
        page.locator(".cell a").nth(3).focus()
        page.keyboard.press("Enter")
        page.wait_for_selector("#lightbox .frame img")
        assert page.locator("#lightbox .counter").inner_text() == "4 / 61"
        page.keyboard.press("ArrowRight")
        visit.rest()
        assert page.locator("#lightbox .counter").inner_text() == "5 / 61" and "photo=" in page.url
        page.keyboard.press("i")
        visit.rest()
        assert page.locator("#lightbox dd").count() >= 2
        page.keyboard.press("+")
        assert "scale(1.5)" in page.locator("#lightbox .frame").get_attribute("style")
        page.keyboard.press("0")
        link = page.url
        page.keyboard.press("Escape")
        visit.rest()
        assert not page.locator("#lightbox").is_visible() and "photo=" not in page.url
        assert page.evaluate("document.activeElement.parentElement.getAttribute('aria-posinset')") == "5"
        other = self._visit().open(link.split("#")[1], wait="#lightbox .frame img")
        assert other.page.locator("#lightbox .counter").inner_text() == "5 / 61"
        other.page.keyboard.press("Escape")
        other.rest()
        assert not other.page.locator("#lightbox").is_visible()
        other.close()
        visit.close()

    def information_leads_to_photos_with_the_same(self):
        """A value is a link to the photos that have it, whatever characters it has."""
        more = {"camera": "Fuji X100", "lens": 'The "old" 35mm', "people": ["Ada Lovelace"], "tags": ["sea (north)", 'say "hi"'],
                "albums": ["Italy/2025"], "rating": 4, "location": "2019/Été/p.jpg", "favourite": True}
        album = self._album(30)
        for number in [3, 8]:
            album[number] |= more
        self.server.make_stream("album", album)
        expected = {
            "Fuji X100": 'camera:"Fuji X100"', 'The "old" 35mm': 'lens:"The ""old"" 35mm"', "Ada Lovelace": '"Ada Lovelace"',
            "sea (north)": 'tag:"sea (north)"', 'say "hi"': 'tag:"say ""hi"""', "Italy/2025": 'album:"Italy/2025"',
            "★★★★☆": "rating:4", "2019/Été": 'folder:"2019/Été"', "yes": "is:favourite"}
        for words, condition in expected.items():
            visit = self._visit().open("stream=album&layout=grid&sections=none&photo=p003")
            page = visit.page
            page.wait_for_selector("#lightbox .counter:not(:empty)")
            page.keyboard.press("i")
            page.locator("#lightbox dd").get_by_role("link", name=words, exact=True).click()
            visit.until(lambda: page.locator(".found").inner_text() == "2 photos")
            assert not page.locator("#lightbox").is_visible()
            assert page.locator(".search input").input_value() == condition
            assert {cell["id"] for cell in visit.cells()} == {"p003", "p008"}
            # Its file is nowhere.
            visit.forgive("404")
            visit.close()
        visit = self._visit().open("stream=album&layout=grid&sections=none&photo=p003")
        visit.page.wait_for_selector("#lightbox .counter:not(:empty)")
        visit.page.keyboard.press("i")
        visit.page.locator("#lightbox dd a").first.wait_for()
        self._shot(visit, "information-links")
        assert "taken%3A2020-06-04" in visit.page.locator("#lightbox dd a").first.get_attribute("href")
        visit.forgive("404")
        visit.close()

    def a_first_visit_decodes_no_picture(self):
        """The cells request thumbnails that an import has made, and large enough ones."""
        fields = "photo,pixelWidth,pixelHeight,pictureKey"
        items = self.server.ask(f"/v1/streams/photos/layout/items?width=900&from=0&count=1000&fields={fields}")["items"]
        pictures = {item["photo"]: item for item in items}
        for number, item in enumerate(items[:12]):
            self.server.ask(f"/v1/streams/photos/photos/{item['photo']}", "PATCH",
                            {"latitude": 4 * number, "longitude": 9 * number + 1}, "application/merge-patch+json")
        # The server says so of an answer for which it has decoded a picture; it also decodes some on its own.
        made, asked = [], []

        def answered(response):
            if "/images/" in response.url:
                (made if "make" in response.headers.get("server-timing", "") else asked).append(response.url)

        for width, height, scale in [(1440, 900, 1), (1440, 900, 2), (3840, 2160, 1), (390, 844, 3)]:
            for layout in ["justified", "masonry", "grid", "flow", "map"]:
                visit = self._visit(width=width, height=height, scale=scale)
                visit.page.on("response", answered)
                if layout == "map":
                    visit.open("stream=photos&layout=map", wait=".cluster[style*='/images/']")
                    visit.rest()
                    visit.close()
                    continue
                visit.open(f"stream=photos&layout={layout}", wait=".cell img")
                visit.until(lambda: all(
                    cell["image"] for cell in visit.cells() if "pictureKey" in pictures[cell["id"]]))
                visit.rest()
                for cell in visit.cells():
                    photo = pictures[cell["id"]]
                    if "pictureKey" not in photo:
                        continue
                    size = int(cell["image"].rsplit("/", 1)[1].removesuffix(".webp"))
                    sides = photo["pixelWidth"], photo["pixelHeight"]
                    enlargement = max(cell["width"] / sides[0], cell["height"] / sides[1]) * scale * max(sides) / size
                    largest = 1280 if max(sides) > 2 * min(sides) else 960
                    assert enlargement <= 1.05001 or size == largest, (width, layout, cell, photo)
                visit.close()
        assert not made and asked, made

    def the_keyboard_moves_by_geometry(self):
        visit = self._visit().open("stream=photos&layout=grid&sections=none")
        page = visit.page
        page.locator(".cell a[tabindex='0']").focus()

        def focused():
            return int(page.evaluate("document.activeElement.parentElement.getAttribute('aria-posinset')"))

        def press(key):
            before = focused()
            page.keyboard.press(key)
            visit.until(lambda: focused() != before)
            return focused()

        columns = len({round(cell["x"]) for cell in visit.cells()})
        steps = [press(key) for key in ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "End", "Home"]]
        assert steps == [2, 2 + columns, 1 + columns, 1, 61, 1], steps
        for _ in range(8):
            position = press("ArrowDown")
            assert position in {cell["position"] for cell in visit.cells()}
        visit.close()

    def the_information_has_the_exposure_and_the_people(self):
        """What the camera and a person wrote, each only if it is known."""
        self.server.make_stream("album", self._album(5))
        photo = self.server.ids("album")[2]
        values = {"lens": "A lens", "aperture": 1.8, "exposureTime": 0.004, "iso": 100, "people": ["Ada", "Grace"]}
        self.server.ask(f"/v1/streams/album/photos/{photo}", "PATCH", values, "application/merge-patch+json")
        visit = self._visit().open(f"stream=album&sections=none&photo={photo}", wait="#lightbox .counter")
        visit.page.keyboard.press("i")
        details = visit.page.locator("#lightbox .panel > dl")
        visit.until(lambda: "f/1.8 · 1/250 s · ISO 100" in details.inner_text())
        words = details.inner_text()
        assert "A lens" in words and "Ada, Grace" in words and "Exposure" in words and " mm" not in words, words
        visit.close()

    def _form(self, photo):
        """Opens the form of the third of five photos."""
        visit = self._editable(f"sections=none&photo={photo}")
        visit.until(lambda: visit.page.locator("#lightbox .counter").inner_text() == "3 / 5")
        visit.rest()
        visit.page.keyboard.press("e")
        visit.page.wait_for_selector(".editor [name=title]")
        return visit

    def a_photo_is_edited(self):
        """The form writes what was changed; what the server refuses is said at its field."""
        self.server.make_stream("album", self._album(5))
        photo = self.server.ids("album")[2]
        address = f"/v1/streams/album/photos/{photo}"
        visit = self._form(photo)
        page = visit.page
        page.fill(".editor [name=title]", "<b>Title</b> שלום")
        page.fill(".editor [name=tags]", "sea\nsky, blue\n\nsea")
        page.fill(".editor [name=albums]", "Italy/2025\n Best ")
        page.locator(".editor").get_by_label("4 stars").check()
        page.keyboard.press("ArrowRight")
        page.click(".editor .primary")
        visit.until(lambda: not page.locator(".editor").is_visible())
        stored = self.server.ask(address)
        assert stored["title"] == "<b>Title</b> שלום" and stored["tags"] == ["sea", "sky, blue"], stored
        assert stored["rating"] == 5 and set(stored["edited"]) == {"title", "tags", "rating", "albums"}, stored
        assert stored["albums"] == ["Italy/2025", "Best"], stored
        visit.until(lambda: "Italy/2025, Best" in page.locator("#lightbox .panel > dl").inner_text())
        visit.until(lambda: page.locator("#lightbox .words .title").inner_text() == "<b>Title</b> שלום")
        visit.until(lambda: "★★★★★" in page.locator("#lightbox .panel > dl").inner_text())
        # A rejected value, with the reason at the field; then no value.
        page.click("#lightbox .edit")
        page.wait_for_selector(".editor [name=title]")
        page.fill(".editor [name=title]", "x" * 5_000)
        page.click(".editor .primary")
        visit.until(lambda: page.locator("#error-title").inner_text() != "")
        title = page.locator(".editor [name=title]")
        assert title.get_attribute("aria-invalid") == "true" and title.evaluate("field => field === document.activeElement")
        assert self.server.ask(address) == stored
        title.fill("")
        page.fill(".editor [name=albums]", "a//b")
        page.click(".editor .primary")
        visit.until(lambda: "slash" in page.locator("#error-albums").inner_text())
        page.fill(".editor [name=albums]", "Italy/2025\nBest")
        page.locator(".editor").get_by_label("None").check()
        page.keyboard.press("Control+Enter")
        visit.until(lambda: not page.locator(".editor").is_visible())
        stored = self.server.ask(address)
        assert "title" not in stored and not stored.get("rating") and stored["tags"] == ["sea", "sky, blue"], stored
        # Escape leaves the form, not the photo; nothing is written.
        page.keyboard.press("e")
        page.wait_for_selector(".editor [name=caption]")
        page.fill(".editor [name=caption]", "Never written")
        for button in [".close", ".info", ".edit"]:
            page.click(f"#lightbox .bar {button}")
            assert page.locator(".editor .problem").inner_text() == "Save or cancel your changes first."
        page.locator(".editor [name=caption]").focus()
        page.keyboard.press("Escape")
        assert page.locator("#lightbox").is_visible() and not page.locator(".editor").is_visible()
        assert self.server.ask(address) == stored
        visit.forgive("422")
        visit.close()

    def two_people_edit(self):
        """The changes of another person are shown, and the person decides."""
        self.server.make_stream("album", self._album(5))
        photo = self.server.ids("album")[2]
        address = f"/v1/streams/album/photos/{photo}"
        for choice, expected in [(".keep", "Mine"), (".take", "Theirs")]:
            self.server.ask(address, "PATCH", {"title": "Before", "caption": "Before", "rating": 1}, "application/merge-patch+json")
            visit = self._form(photo)
            page = visit.page
            page.fill(".editor [name=title]", "Mine")
            self.server.ask(address, "PATCH", {"title": "Theirs", "caption": "Theirs too"}, "application/merge-patch+json")
            page.click(".editor .primary")
            page.wait_for_selector(".conflict:not([hidden])")
            text = page.locator(".conflict").inner_text()
            assert "Theirs" in text and "Theirs too" in text and "Rating" not in text, text
            assert self.server.ask(address)["title"] == "Theirs"
            self._shot(visit, "conflict")
            page.click(choice)
            visit.until(lambda: not page.locator(".editor").is_visible())
            stored = self.server.ask(address)
            assert (stored["title"], stored["caption"], stored["rating"]) == (expected, "Theirs too", 1), stored
            visit.forgive("412")
            visit.close()

    def a_stream_that_cannot_be_edited_has_no_controls_for_it(self):
        self.server.make_stream("album", self._album(5))
        visit = self._visit()
        page = visit.page
        stream = {**self.server.ask("/v1/streams/album"), "canEdit": False}
        page.route("**/v1/streams/album", lambda route: route.fulfill(json=stream))
        visit.open("stream=album&layout=grid&sections=none")
        page.locator(".cell a[tabindex='0']").focus()
        for key in ["Space", "Delete"]:
            page.keyboard.press(key)
        visit.rest()
        assert visit.number_selected() == 0 and len(self.server.ids("album")) == 5
        page.click("[popovertarget=view]")
        assert page.locator("#view").is_visible() and not page.locator("#show-deleted").is_visible()
        page.keyboard.press("Escape")
        box = page.locator(".cell").nth(1).bounding_box()
        page.mouse.click(box["x"] + 15, box["y"] + 15)
        visit.until(lambda: page.locator("#lightbox").is_visible())
        for key in ["e", "Delete"]:
            page.keyboard.press(key)
        visit.rest()
        assert page.locator("#lightbox .edits:visible").count() == 0 and not page.locator(".editor").is_visible()
        assert len(self.server.ids("album")) == 5
        visit.close()
