"""The map: clusters, land, gestures, keys, and the search for a city."""

import math
import re
import urllib.parse

from browser.checks import Checks, page_text

# The clusters in the window: id of the face, number of photos, frame.
CLUSTERS = """
() => {
  const box = document.querySelector("#map .window").getBoundingClientRect();
  return [...document.querySelectorAll(".cluster")].map((cluster) => {
    const { x, y, width, height } = cluster.getBoundingClientRect();
    return { label: cluster.ariaLabel, count: cluster.dataset.count, x: x - box.x, y: y - box.y, width, height };
  }).filter(({ x, y, width, height }) => x + width > 0 && y + height > 0 && x < box.width && y < box.height);
}
"""
# The colour of the canvas at a point of the window, and those of the style sheet.
COLORS = """
([x, y]) => {
  const canvas = document.querySelector("#map canvas");
  const [outer, box] = [canvas.getBoundingClientRect(), document.querySelector("#map .window").getBoundingClientRect()];
  const scale = canvas.width / outer.width;
  const pixel = canvas.getContext("2d").getImageData((box.x + x - outer.x) * scale, (box.y + y - outer.y) * scale, 1, 1).data;
  const style = getComputedStyle(canvas);
  return [[...pixel.slice(0, 3)], ...["--land", "--sea", "--ground"].map((name) => style.getPropertyValue(name).trim())];
}
"""


def place(latitude, longitude):
    """Returns a place in a world of side 1."""
    sine = math.sin(math.radians(latitude))
    return (longitude + 180) / 360, 0.5 - math.log((1 + sine) / (1 - sine)) / (4 * math.pi)


class MapChecks(Checks):
    def _photos(self, places, name="p"):
        return [{"id": f"{name}{i}", "width": 600, "height": 400, "caption": f"{name} {i}", "takenAt": f"2020-01-01T{i // 60:02}:{i % 60:02}:00Z",
                 "color": "#608090", **({} if at is None else {"latitude": at[0], "longitude": at[1]})} for i, at in enumerate(places)]

    def _world(self):
        """A stream with 60 photos at one point, some at the antimeridian and the poles, and 25 without a position."""
        scattered = [((i * 37) % 120 - 55 + i / 97, (i * 61) % 360 - 180 + i / 89) for i in range(300)]
        places = [(38.7223, -9.1393)] * 60 + scattered + [(10, 179.99), (10, -179.99), (89, 20), (-89, 20), (47.37, 8.54), (47.38, 8.55)]
        self.server.make_stream("world", self._photos(places + [None] * 25))
        return len(places)

    def _open(self, fragment, **options):
        visit = self._visit(**options).open(f"{fragment}&layout=map", wait=".cluster")
        visit.until(lambda: visit.page.locator("#map canvas").evaluate("(canvas) => canvas.width > 300"))
        visit.rest()
        return visit

    def _clusters(self, visit):
        return visit.page.evaluate(CLUSTERS)

    def _number(self, visit):
        return sum(int(cluster["count"].replace(",", "") or 1) for cluster in self._clusters(visit))

    def _sight(self, visit):
        """Returns latitude, longitude and zoom of the address."""
        query = urllib.parse.parse_qs(visit.page.url.split("#")[1])
        latitude, longitude = map(float, query["middle"][0].split(","))
        return latitude, longitude, float(query.get("zoom", ["2"])[0])

    def a_first_visit_shows_all_photos_of_a_map(self):
        """The counts add up to the photos with a position, on desktop and phone; the others are a count, and a list."""
        located = self._world()
        for size in [{}, {"width": 390, "height": 844, "scale": 2, "has_touch": True, "is_mobile": True}]:
            visit = self._open("stream=world", **size)
            page = visit.page
            visit.until(lambda: self._number(visit) == located)
            assert page.locator("#map *").count() < 300
            self._shot(visit, f"map-world-{size.get('width', 'desktop')}")
            page.get_by_role("button", name="25 photos without a position").click()
            visit.until(lambda: page.locator("#place-list li").count() == 25)
            assert page_text(visit, "#place-list h2") == "25 photos without a position"
            page.keyboard.press("Escape")
            visit.close()

    def a_map_shows_the_clusters_of_the_interface(self):
        """At each zoom, the window has the clusters that the interface returns for it, with their counts, and few elements."""
        self._world()
        for zoom, middle in [(3, (30, 0)), (5, (38.7, -9.1)), (9, (47.4, 8.5))]:
            visit = self._open(f"stream=world&zoom={zoom}&middle={middle[0]},{middle[1]}")
            box = visit.page.locator("#map .window").bounding_box()
            side = 256 * 2 ** zoom
            x, y = (part * side for part in place(*middle))
            cluster = min(512, max(64, round(math.sqrt(box["width"] * box["height"] / 250))))
            item = min(96, max(44, math.floor(cluster * 0.72 + 0.5)))
            options = {"width": 1024, "algorithm": "map", "zoom": zoom, "item-size": f"{item},{item}", "cluster": cluster, "limit": 1000,
                       "rect": f"{x - box['width'] / 2},{y - box['height'] / 2},{box['width']},{box['height']}"}
            answer = self.server.ask(f"/v1/streams/world/layout/rect?{urllib.parse.urlencode(options)}")
            expected = sorted((round(item["frame"]["x"] - x + box["width"] / 2), round(item["frame"]["y"] - y + box["height"] / 2),
                               item["cluster"]["count"]) for item in answer["items"])
            assert len(expected) > 0
            found = sorted((cell["x"], cell["y"], int(cell["count"] or 1)) for cell in self._clusters(visit))
            assert len(found) == len(expected), (found, expected)
            for a, b in zip(found, expected):
                assert abs(a[0] - b[0]) <= 1.01 and abs(a[1] - b[1]) <= 1.01 and a[2] == b[2], (a, b)
            visit.close()
        visit = self._open("stream=many&zoom=3&middle=30,10")
        assert visit.page.locator("#map *").count() < 300
        visit.close()

    def a_click_on_a_cluster_zooms_to_its_photos(self):
        """Its photos fill the window, and all of them are in it; the Back button of the map shows all photos again."""
        located = self._world()
        visit = self._open("stream=world")
        page = visit.page
        visit.until(lambda: self._number(visit) == located)
        cluster = page.locator('.cluster[aria-label^="2 photos near Zürich"]')
        if cluster.count() == 0:
            cluster = page.locator('.cluster:not([data-count=""])').filter(has_not=page.locator('[data-count="60"]')).first
        count = int(cluster.get_attribute("data-count") or 1)
        cluster.click()
        visit.until(lambda: "middle=" in page.url)
        visit.rest()
        assert self._number(visit) >= count > 1, (self._clusters(visit), count)
        page.get_by_role("button", name="Show all photos").click()
        visit.until(lambda: self._number(visit) == located)
        visit.close()

    def the_photos_of_one_place_are_a_list(self):
        """In the order of the stream; the arrow keys stay among them; the focus returns to where it was."""
        self._world()
        visit = self._open("stream=world&zoom=12&middle=38.72,-9.14")
        page = visit.page
        cluster = page.locator('.cluster[data-count="60"]')
        assert cluster.get_attribute("aria-label").startswith("60 photos near Lisbon"), cluster.get_attribute("aria-label")
        cluster.focus()
        page.keyboard.press("Enter")
        visit.until(lambda: page.locator("#place-list li").count() > 5)
        assert page_text(visit, "#place-list h2") == "60 photos near Lisbon"
        visit.until(lambda: page.evaluate("document.activeElement.closest('li')?.ariaPosInSet") == "1")
        assert page.locator("#place-list li").first.bounding_box()["width"] > 80
        names = page.locator("#place-list li a").evaluate_all("(links) => links.map((link) => link.ariaLabel)")
        assert [name.split(",")[0] for name in names[:3]] == ["p 59", "p 58", "p 57"], names
        self._shot(visit, "map-list")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        visit.until(lambda: page_text(visit, "#lightbox .counter") == "2 / 60")
        page.keyboard.press("ArrowRight")
        visit.until(lambda: page_text(visit, "#lightbox .counter") == "3 / 60")
        page.keyboard.press("Escape")
        visit.until(lambda: page.evaluate("document.activeElement.closest('li')?.ariaPosInSet") == "3")
        page.keyboard.press("Escape")
        visit.until(lambda: page.evaluate("document.activeElement.className") == "cluster")
        visit.close()

    def a_map_is_moved_by_pointer_wheel_and_keys(self):
        """A drag moves it with the pointer and opens nothing; the wheel keeps the place under the pointer; keys move and zoom."""
        self._world()
        visit = self._open("stream=world&zoom=5&middle=38.7,-9.1")
        page = visit.page

        def spot():
            # Where Lisbon is in the window.
            latitude, longitude, zoom = self._sight(visit)
            (x, y), (a, b) = place(38.7223, -9.1393), place(latitude, longitude)
            return [(x - a) * 256 * 2 ** zoom, (y - b) * 256 * 2 ** zoom]

        before = spot()
        cell = page.locator('.cluster[data-count="60"]').bounding_box()
        x, y = cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 60, y + 40, steps=5)
        page.mouse.up()
        visit.until(lambda: math.dist(spot(), [before[0] + 60, before[1] + 40]) < 1)
        assert not page.locator("#lightbox").is_visible() and not page.locator("#place-list").is_visible()
        box = page.locator("#map .window").bounding_box()
        before, zoom = spot(), self._sight(visit)[2]
        pointer = [box["x"] + box["width"] / 2 + before[0], box["y"] + box["height"] / 2 + before[1]]
        page.mouse.move(*pointer)
        page.mouse.wheel(0, -120)
        visit.until(lambda: self._sight(visit)[2] > zoom)
        visit.rest()
        assert math.dist(spot(), before) < 2, (spot(), before)
        assert page.evaluate("visualViewport.scale") == 1
        page.locator("#map .window").focus()
        before = spot()
        page.keyboard.press("ArrowRight")
        visit.until(lambda: abs(spot()[0] - before[0] + 120) < 2)
        page.keyboard.press("+")
        visit.until(lambda: self._sight(visit)[2] == 6)
        page.keyboard.press("-")
        visit.until(lambda: self._sight(visit)[2] == 5)
        # A link shows the same.
        sight = self._sight(visit)
        other = self._open(page.url.split("#")[1].replace("layout=map&", ""))
        visit.rest()
        assert [cell["label"] for cell in self._clusters(other)] == [cell["label"] for cell in self._clusters(visit)]
        assert self._sight(other) == sight
        other.close()
        visit.close()

    def two_fingers_zoom_a_map(self):
        """A pinch zooms the map, not the page."""
        self._world()
        visit = self._open("stream=world&zoom=5&middle=38.7,-9.1", width=390, height=844, has_touch=True, is_mobile=True)
        client = visit.context.new_cdp_session(visit.page)
        for kind, gap in [("touchStart", 40), ("touchMove", 60), ("touchMove", 80), ("touchEnd", 0)]:
            points = [{"x": 195 - gap, "y": 400, "id": 0}, {"x": 195 + gap, "y": 400, "id": 1}] if gap else []
            client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        visit.until(lambda: abs(self._sight(visit)[2] - 6) < 0.1)
        assert visit.page.evaluate("visualViewport.scale") == 1
        visit.close()

    def no_photo_is_missing_while_a_map_zooms(self):
        """The clusters of a zoom stay until those of the next one are there."""
        self._world()
        visit = self._open("stream=world&zoom=4&middle=20,0")
        visit.page.evaluate("""() => {
          window.least = Infinity;
          const look = () => { least = Math.min(least, document.querySelectorAll(".cluster").length); requestAnimationFrame(look); };
          look();
        }""")
        for key in ["+", "-", "ArrowLeft", "ArrowDown", "-"]:
            visit.page.locator("#map .window").focus()
            visit.page.keyboard.press(key)
            visit.rest()
        assert visit.page.evaluate("least") > 3
        visit.close()

    def a_city_is_found_on_a_map(self):
        """By the beginning of its name; the map moves there. A name without a city says so."""
        self._world()
        visit = self._open("stream=world")
        page = visit.page
        field = page.get_by_role("combobox", name="Find a city")
        field.fill("zuri")
        visit.until(lambda: page.locator("#cities li").count() > 0)
        assert "Zürich Switzerland" in page.locator("#cities li").first.inner_text()
        self._shot(visit, "map-city")
        page.keyboard.press("ArrowDown")
        assert page.locator("#cities li").first.get_attribute("aria-selected") == "true"
        page.keyboard.press("Enter")
        visit.until(lambda: "middle=" in page.url and math.dist(self._sight(visit)[:2], (47.37, 8.55)) < 0.02)
        field.fill("qqqq")
        visit.until(lambda: page_text(visit, ".place .note") == "No city is named “qqqq”.")
        assert page.get_by_role("link", name="GeoNames").get_attribute("href") == "https://www.geonames.org/"
        visit.close()

    def land_is_under_the_photos(self):
        """Land and sea have their colours at known places, also next to the antimeridian, in light and dark; above zoom 12 neither."""
        self._world()
        for scheme in ["light", "dark"]:
            for zoom, latitude, longitude, kind in [
                (4, 20, 10, "--land"), (4, 30, -40, "--sea"), (4, 67, -174, "--land"), (4, 67, 178, "--land"), (4, 10, 175, "--sea"),
                (6, 47.4, 8.2, "--land"), (6, 43.5, -87, "--sea"), (8, 43, 5, "--sea"), (13, 47.4, 8.2, "--ground"),
            ]:
                visit = self._visit(scheme=scheme).open(
                    f"stream=world&layout=map&zoom={zoom}&middle={latitude},{longitude}", wait="#map canvas")
                x, y = place(latitude, longitude)
                box = visit.page.locator("#map .window").bounding_box()
                side = 256 * 2 ** zoom
                # Next to the edge of the world, the place is not in the middle of the window.
                half = [box["width"] / 2, box["height"] / 2]
                middle = [min(max(part * side, room), side - room) for part, room in zip((x, y), half)]
                point = [x * side - middle[0] + half[0] + 3, y * side - middle[1] + half[1] + 3]

                def color():
                    pixel, *known = visit.page.evaluate(COLORS, point)
                    wanted = known[["--land", "--sea", "--ground"].index(kind)]
                    return pixel == [int(wanted[i:i + 2], 16) for i in (1, 3, 5)]

                visit.until(color)
                visit.close()

    def a_map_follows_the_stream(self):
        """A new photo is counted, without a movement; without any position, the map says so."""
        self.server.make_stream("atlas", self._photos([(47.37, 8.54), (47.371, 8.541)]))
        visit = self._open("stream=atlas&zoom=7&middle=47.3,8.5")
        sight = self._sight(visit)
        assert self._number(visit) == 2
        self.server.import_photos("atlas", self._photos([(47.3, 8.4)], "q"))
        visit.until(lambda: self._number(visit) == 3)
        assert self._sight(visit) == sight
        visit.close()
        self.server.make_stream("atlas", self._photos([None, None]))
        visit = self._visit().open("stream=atlas&layout=map", wait="#map .none:not([hidden])")
        assert page_text(visit, "#map .none") == "No photo here has a position."
        assert page_text(visit, "#map .unlocated") == "2 photos without a position"
        visit.close()

    def a_search_is_on_a_map(self):
        """The clusters, their lists and the number of photos are those of the matches."""
        places = [(47.37, 8.54)] * 3
        self.server.make_stream("atlas", self._photos(places + [None] * 2, "alp") + self._photos(places + [(40, 8)] * 4, "sea"))
        visit = self._open("stream=atlas&search=alp")
        page = visit.page
        visit.until(lambda: self._number(visit) == 3)
        visit.until(lambda: page_text(visit, ".found") == "5 photos")
        page.locator(".cluster").click()
        visit.until(lambda: page_text(visit, "#place-list h2").startswith("3 photos near"))
        assert page.locator("#place-list li").count() == 3
        page.locator("#place-list li a").nth(1).click()
        visit.until(lambda: page_text(visit, "#lightbox .counter") == "2 / 3")
        page.keyboard.press("Escape")
        visit.until(lambda: page.evaluate("document.activeElement.closest('li')?.ariaPosInSet") == "2")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="2 photos without a position").click()
        visit.until(lambda: page.locator("#place-list li").count() == 2)
        page.keyboard.press("Escape")
        visit.close()

    def other_layouts_return_to_their_place(self):
        """The map does not lose the photo that another layout shows."""
        visit = self._visit().open("stream=many&layout=grid&sections=none")
        visit.scroll_to(3_000)
        before = {cell["id"]: cell["y"] for cell in visit.cells()}
        visit.page.locator("[name=layout][value=map]").check(force=True)
        visit.page.wait_for_selector("#map:not([hidden])")
        visit.rest()
        visit.relayout(lambda: visit.page.locator("[name=layout][value=grid]").check(force=True))
        visit.page.wait_for_selector("#map", state="hidden")
        visit.rest()
        after = {cell["id"]: cell["y"] for cell in visit.cells()}
        assert before == after
        visit.close()
