"""The heart of the open photo."""

import time

from axe_playwright_python.sync_playwright import Axe

from browser.checks import Checks, page_text

HEART = "#lightbox .favourite"


class FavouriteChecks(Checks):
    def _album_with(self, **members):
        """Makes a stream in which one photo has further members, and another one a position."""
        more = {"p005": members, "p009": {"latitude": 47.4, "longitude": 8.5}}
        self.server.make_stream("album", [photo | more.get(photo["id"], {}) for photo in self._album(30)])

    def _open(self, id="p005", **options):
        visit = self._editable(f"sections=none&photo={id}", **options)
        visit.until(lambda: page_text(visit, "#lightbox .counter") != "")
        visit.rest()
        return visit

    def _is_pressed(self, visit):
        return visit.page.locator(HEART).get_attribute("aria-pressed") == "true"

    def _is_favourite(self, id="p005"):
        """Returns whether the server has the photo as a favourite."""
        return self.server.ask(f"/v1/streams/album/photos/{id}").get("favourite", False)

    def _edit(self, members, id="p005"):
        self.server.ask(f"/v1/streams/album/photos/{id}", "PATCH", members, "application/merge-patch+json")

    def a_key_and_a_press_make_a_favourite(self):
        """Only of the photo that is shown; a reader of the page hears it, and the information has it."""
        self._album_with()
        visit = self._open()
        page = visit.page
        assert not self._is_pressed(visit) and page.locator(HEART).is_visible()
        page.keyboard.press("f")
        assert self._is_pressed(visit)
        visit.until(lambda: page.locator("#announcements").text_content() == "Favourite")
        visit.until(self._is_favourite)
        assert self.server.ask("/v1/streams/album/photos/p005")["edited"] == ["favourite"]
        self._shot(visit, "favourite")
        page.keyboard.press("ArrowRight")
        visit.until(lambda: not self._is_pressed(visit))
        page.keyboard.press("ArrowLeft")
        visit.until(lambda: self._is_pressed(visit))
        page.keyboard.press("i")
        visit.until(lambda: "Favourite\nyes" in page_text(visit, "#lightbox .panel"))
        page.locator(HEART).click()
        visit.until(lambda: page.locator("#announcements").text_content() == "No longer a favourite")
        visit.until(lambda: not self._is_favourite() and "Favourite" not in page_text(visit, "#lightbox .panel"))
        assert not self._is_pressed(visit)
        # A page that is opened later shows what was stored, and letters of a form are letters.
        page.locator(HEART).click()
        visit.until(self._is_favourite)
        page.keyboard.press("e")
        visit.until(lambda: page.locator("#lightbox form").is_visible())
        page.keyboard.type("fff")
        assert self._is_pressed(visit) and self._is_favourite()
        visit.close()
        visit = self._open()
        assert self._is_pressed(visit)
        visit.close()

    def the_last_choice_of_a_favourite_counts(self):
        """Presses while a request is under way; the stream may change meanwhile."""
        self._album_with(favourite=True)
        visit = self._open()
        page, held = visit.page, []
        page.route("**/v1/streams/album/photos/p005", lambda route: (
            held.append(route) if route.request.method == "PATCH" else route.continue_()))
        for expected in [False, True, False]:
            page.keyboard.press("f")
            assert self._is_pressed(visit) == expected
        visit.until(lambda: len(held) == 1)
        self._edit({"title": "A title of another person"})
        visit.until(lambda: "another person" in page_text(visit, "#lightbox .words"))
        assert not self._is_pressed(visit)
        page.keyboard.press("f")
        held[0].continue_()
        visit.until(lambda: len(held) == 2)
        assert self._is_pressed(visit) and held[1].request.post_data_json == {"favourite": True}
        held[1].continue_()
        visit.until(self._is_favourite)
        visit.rest()
        assert self._is_pressed(visit) and len(held) == 2
        visit.close()

    def favourites_of_others_are_shown(self):
        self._album_with()
        visit = self._open()
        for expected in [True, False]:
            self._edit({"favourite": expected})
            visit.until(lambda: self._is_pressed(visit) == expected)
        visit.close()

    def a_refused_favourite_is_taken_back(self):
        self._album_with()
        visit = self._open()
        page = visit.page
        page.route("**/v1/streams/album/photos/p005", lambda route: (
            route.fulfill(status=507, content_type="application/problem+json", body='{"title":"The disk is full","status":507}')
            if route.request.method == "PATCH" else route.continue_()))
        page.keyboard.press("f")
        visit.until(lambda: page_text(visit, "#toast").startswith("The photo could not be changed: "))
        assert not self._is_pressed(visit) and not self._is_favourite()
        visit.forgive("507")
        visit.close()

    def places_and_matches_show_favourites(self):
        self._album_with(favourite=True)
        for fragment, wait in [("search=Photo+5&sections=none", ".cell"), ("layout=map&sections=none", ".cluster")]:
            visit = self._editable(fragment, wait=wait)
            page = visit.page
            if "map" in fragment:
                page.locator(".unlocated").click()
                page.locator("#place-list li a").first.wait_for()
                page.locator("#place-list li a[aria-label^='Photo 5,']").click()
            else:
                visit.photo("p005").click()
            page.wait_for_selector("#lightbox[open] .counter:not(:empty)")
            visit.until(lambda: self._is_pressed(visit))
            visit.close(allow_shift=True)

    def readers_have_no_favourites(self):
        """Neither the button nor the state is part of a share. With it, axe finds no serious violations."""
        self._album_with(favourite=True)
        for scheme, locale, name in [("light", "en-GB", "Favourite"), ("dark", "de-DE", "Favorit"), ("light", "ar-EG", "مفضلة")]:
            visit = self._open(scheme=scheme, locale=locale)
            assert visit.page.locator(HEART).get_attribute("aria-label") == name and self._is_pressed(visit)
            violations = Axe().run(visit.page).response["violations"]
            serious = [(violation["id"], [node["html"][:120] for node in violation["nodes"][:3]])
                       for violation in violations if violation["impact"] in ("serious", "critical")]
            assert not serious, serious
            self._shot(visit, f"favourite-{locale}")
            visit.close()
        visit = self._visit()
        link = self.lane.share(f"{time.time_ns()}", "album", "--show-names")
        visit.page.goto(f"{link}#sections=none&photo=p005")
        visit.settle("#lightbox[open] .counter:not(:empty)")
        page = visit.page
        page.keyboard.press("f")
        page.keyboard.press("i")
        visit.until(lambda: "Date" in page_text(visit, "#lightbox .panel"))
        visit.rest()
        assert not page.locator(HEART).is_visible() and not self._is_pressed(visit)
        assert "Favourite" not in page_text(visit, "#lightbox .panel")
        visit.close(allow_shift=True)
