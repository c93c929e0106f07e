"""The panel of the search field: what the photos on the page have in common."""

import re
import time
import urllib.parse

from axe_playwright_python.sync_playwright import Axe

from browser.checks import Checks, page_text

PANEL = "#facets"
# What the panel shows: titles, and the names and counts of their values.
SHOWN = """
() => [...document.querySelectorAll("#facets > div")].map((group) => [group.ariaLabel,
  [...group.querySelectorAll("button")].map((button) => [...button.children].map(({ textContent }) => textContent))])
"""
# What is outside the window or wider than the panel, which scrolls only up and down.
OUTSIDE = """
() => {
  const panel = document.querySelector("#facets");
  const box = panel.getBoundingClientRect();
  const wide = [panel, ...panel.querySelectorAll("*")].filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return left < Math.max(0, box.left) - 0.5 || right > Math.min(innerWidth, box.right) + 0.5;
  });
  return [...wide.map(({ textContent }) => textContent), ...panel.scrollWidth > panel.clientWidth ? ["the panel scrolls"] : [],
    ...box.bottom > innerHeight ? ["the panel is too high"] : []];
}
"""
KINDS = {"years": "Years", "albums": "Albums", "tags": "Tags", "cameras": "Cameras", "folders": "Folders", "ratings": "Ratings"}


class FacetChecks(Checks):
    def _make_album(self):
        """Makes a stream of 120 photos, all with the tag `album`, half of them each from 2019 and 2020."""
        places = ["Italy/Rome", "Italy", "A folder with a name that is longer than any window of a phone is wide/Ελλάδα"]
        self.server.make_stream("album", [photo | {
            "tags": ["album", *(["beach"] if number % 2 else []), *(["New York"] if number % 5 == 0 else [])],
            **({"albums": ["Italy/2025"]} if number % 4 == 0 else {}),
            "camera": ["Canon EOS R5", "Nikon Z 6"][number % 3 == 0], "rating": number % 6,
            "location": f"{places[number % 3]}/{number}.jpg",
        } for number, photo in enumerate(self._album())])

    def _open(self, fragment="", **options):
        """Opens the stream, and gives the field the focus."""
        visit = self._visit(**options).open(f"stream=album&sections=none&{fragment}")
        visit.page.keyboard.press("/")
        visit.page.wait_for_selector(PANEL)
        return visit

    def _expected(self, condition):
        """Returns what the panel shows for a condition, from the interface."""
        answer = self.server.ask(f"/v1/streams/album/facets?limit=8&where={urllib.parse.quote(condition)}")

        def name(kind, value):
            return "★" * int(value) + "☆" * (5 - int(value)) if kind == "ratings" else value

        groups = [[title, [[name(kind, facet["value"]), f"{facet['count']:,}"] for facet in answer[kind]
                           if facet["count"] < answer["count"]]] for kind, title in KINDS.items()]
        return [group for group in groups if group[1]]

    def _button(self, visit, name):
        return visit.page.locator(f"{PANEL} button", has=visit.page.locator("bdi", has_text=re.compile(f"^{re.escape(name)}$")))

    def _choose(self, visit, name):
        """Presses a value, and waits until as many photos are shown as it has."""
        button = self._button(visit, name)
        number = button.locator("span").inner_text()
        button.click()
        visit.until(lambda: page_text(visit, ".found") == f"{number} photos")
        visit.rest()

    def a_value_narrows_the_photos_to_its_count(self):
        """The counts are those of the interface; a press adds the condition, and the focus stays in the field for another one."""
        self._make_album()
        visit = self._open()
        page, field = visit.page, visit.page.locator(".search input")
        assert page.evaluate(SHOWN) == self._expected("") and len(self._expected("")) == 6
        assert self._button(visit, "album").count() == 0
        assert self._button(visit, "★★★★☆").get_attribute("aria-label") == "4 stars, 20 photos"
        before = {cell["id"]: cell["top"] for cell in visit.cells()}
        self._shot(visit, "facets")
        page.keyboard.press("Escape")
        page.locator(PANEL).wait_for(state="hidden")
        assert {cell["id"]: cell["top"] for cell in visit.cells()} == before
        page.keyboard.press("/")
        page.keyboard.type("photo 1")
        visit.until(lambda: page_text(visit, ".found") == "31 photos")
        visit.until(lambda: page.evaluate(SHOWN) == self._expected("photo 1*"))
        self._choose(visit, "beach")
        assert field.input_value() == "photo 1* tag:beach " and page.evaluate("document.activeElement.name") == "search"
        visit.until(lambda: page.evaluate(SHOWN) == self._expected("photo 1* tag:beach"))
        assert self._button(visit, "beach").count() == 0
        self._choose(visit, "2019")
        assert "search=photo+1*+tag%3Abeach+taken%3A2019" in page.url
        # Alternatives are in parentheses, once.
        field.fill("tag:beach OR rating:5")
        visit.until(lambda: page.evaluate(SHOWN) == self._expected("tag:beach OR rating:5"))
        self._choose(visit, "Nikon Z 6")
        self._choose(visit, "2020")
        assert field.input_value().startswith("(tag:beach OR rating:5) camera:"), field.input_value()
        field.fill('"a OR b" OR "photo 7" ')
        visit.until(lambda: page_text(visit, ".found") == "1 photo" and not page.locator(PANEL).is_visible())
        visit.close()

    def the_panel_is_left_by_keys(self):
        """Arrows go to the values and among them; Escape returns to the field, and ends the search only there."""
        self._make_album()
        for locale, forward, back in [("en-GB", "ArrowRight", "ArrowLeft"), ("ar-EG", "ArrowLeft", "ArrowRight")]:
            visit = self._open("search=tag:beach", locale=locale)
            page = visit.page

            def at():
                return page.evaluate("[...document.querySelectorAll('#facets button')].indexOf(document.activeElement)")

            for key, expected in [("ArrowDown", 0), ("ArrowDown", 1), (forward, 2), ("ArrowUp", 1), (back, 0), (back, -1)]:
                page.keyboard.press(key)
                assert at() == expected, (locale, key, at())
            assert page.evaluate("document.activeElement.name") == "search"
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Escape")
            assert page.evaluate("document.activeElement.name") == "search" and "search=tag%3Abeach" in page.url
            assert page.locator(PANEL).is_visible()
            # The button that clears the field is between the field and the values.
            page.keyboard.press("Tab")
            page.keyboard.press("Tab")
            assert at() == 0 and page.locator(PANEL).is_visible()
            page.keyboard.press("Enter")
            visit.until(lambda: "taken%3A" in page.url)
            assert page.evaluate("document.activeElement.name") == "search"
            page.keyboard.press("Escape")
            visit.until(lambda: "search=" not in page.url and not page.locator(PANEL).is_visible())
            visit.close()

    def questions_are_not_repeated(self):
        """The panel asks only while the field has the focus, and once for a state; an edit changes the counts, not the focus."""
        self._make_album()
        visit = self._visit()
        asked = []
        visit.page.on("request", lambda request: "/facets?" in request.url and asked.append(request.url))
        visit.open("stream=album&sections=none&search=tag:beach")
        visit.rest()
        assert asked == []
        page = visit.page
        for _ in range(2):
            page.keyboard.press("/")
            page.wait_for_selector(PANEL)
            page.keyboard.press("Enter")
            page.locator(PANEL).wait_for(state="hidden")
            visit.rest()
        assert len(asked) == 1, asked
        page.keyboard.press("/")
        page.keyboard.press("ArrowDown")
        before = page.evaluate("document.activeElement.value")
        self.server.ask("/v1/streams/album/photos/p001", "PATCH", {"tags": ["album"]}, "application/merge-patch+json")
        visit.until(lambda: page_text(visit, ".found") == "59 photos" and page.evaluate(SHOWN) == self._expected("tag:beach"))
        assert len(asked) == 2 and page.evaluate("document.activeElement.value") == before
        page.route("**/facets?*", lambda route: route.fulfill(status=500))
        page.keyboard.press("Escape")
        page.keyboard.type("tag:album ")
        visit.until(lambda: len(asked) == 3)
        visit.rest()
        assert not page.locator(PANEL).is_visible() and page_text(visit, "#search-problem") == ""
        visit.forgive("500")
        visit.close()

    def a_photo_that_leaves_the_search_leaves_the_focus(self):
        """The focus goes to the photo in its place; the others stay elements of the page."""
        self._make_album()
        visit = self._visit().open("stream=album&sections=none&search=tag:beach")
        page = visit.page
        visit.until(lambda: page_text(visit, ".found") == "60 photos")
        visit.photo("p003").focus()
        page.evaluate("document.querySelector('#photos a[href$=\"photo=p001\"]').wasThere = true")
        self.server.ask("/v1/streams/album/photos/p003", "PATCH", {"tags": ["album"]}, "application/merge-patch+json")
        visit.until(lambda: page_text(visit, ".found") == "59 photos" and visit.photo("p003").count() == 0)
        visit.until(lambda: self._focused(visit).startswith(self.server.address) and "photo=p003" not in self._focused(visit))
        assert page.evaluate("document.querySelector('#photos a[href$=\"photo=p001\"]').wasThere")
        visit.close(allow_shift=True)

    def a_share_shows_only_its_values(self):
        """Without the places of files, there are no folders."""
        self._make_album()
        visit = self._visit()
        visit.page.goto(f"{self.lane.share(f'{time.time_ns()}', 'album')}#sections=none")
        visit.settle()
        visit.page.keyboard.press("/")
        visit.page.wait_for_selector(PANEL)
        titles = [title for title, _ in visit.page.evaluate(SHOWN)]
        assert "Years" in titles and "Tags" in titles and "Folders" not in titles, titles
        self._choose(visit, "beach")
        visit.close(allow_shift=True)

    def the_panel_fits_every_window(self):
        """In both directions of reading, light and dark; axe finds no serious violations."""
        self._make_album()
        for width, height, scheme, locale in [
            (280, 600, "light", "en-GB"), (320, 568, "light", "de-DE"), (320, 568, "dark", "ar-EG"), (640, 320, "light", "en-GB"),
            (910, 700, "light", "ar-EG"), (910, 700, "light", "de-DE"), (1280, 800, "dark", "en-GB"), (1280, 800, "dark", "ar-EG"),
        ]:
            visit = self._open("search=album", width=width, height=height, scheme=scheme, locale=locale)
            outside = visit.page.evaluate(OUTSIDE)
            assert not outside, (width, locale, outside)
            assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
            violations = Axe().run(visit.page).response["violations"]
            serious = [(violation["id"], [node["html"][:120] for node in violation["nodes"][:3]])
                       for violation in violations if violation["impact"] in ("serious", "critical")]
            assert not serious, (width, locale, serious)
            self._shot(visit, f"facets-{width}-{scheme}-{locale}")
            visit.page.emulate_media(media="print")
            assert not visit.page.locator(PANEL).is_visible()
            visit.close(allow_shift=True)
