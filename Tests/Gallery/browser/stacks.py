"""Stacks: in their cells, on the whole screen, and as they change."""

import os
import subprocess
import time

from axe_playwright_python.sync_playwright import Axe

from browser.checks import Checks, page_text

SIGNS = """
() => Object.fromEntries([...document.querySelectorAll(".cell:not([hidden]) a")].map((link) => {
  const { content } = getComputedStyle(link, "::before");
  return [new URLSearchParams(link.hash.slice(1)).get("photo"), content === "none" ? null : JSON.parse(content.split(" / ")[0])];
}))
"""
# A live photo, a raw file with its picture, and a burst: the members of a stack, their kind, and what the row names them.
STACKS = {
    "live": ([("IMG_1.jpg", "jpg"), ("IMG_1.mp4", "mp4")], ["Photo", "Live film"]),
    "raw": ([("DSC_1.jpg", "jpg"), ("DSC_1.nef", "")], ["Photo", "Raw"]),
    "burst": ([(f"00{number}_BURST.jpg", "jpg") for number in range(1, 8)], ["Burst"] * 7),
}


class StackChecks(Checks):
    def _make(self, name, hue):
        """Makes a picture or a video, and returns its path."""
        path = os.path.join(self.lane.films(), name)
        if not os.path.exists(path):
            source = f"testsrc2=size=480x320:rate=12,hue=h={hue}"
            end = ["-t", "2", "-c:v", "libx264", "-pix_fmt", "yuv420p"] if name.endswith(".mp4") else ["-frames:v", "1"]
            subprocess.run(["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", source, *end, path], check=True)
        return path

    def _edited(self, stream):
        """Imports a folder with a picture and its edited version between two other pictures."""
        folder = os.path.join(self.lane.folder, f"{stream} files")
        os.makedirs(folder)
        for hue, name in enumerate(["before.jpg", "hut.jpg", "hut-edited.jpg", "later.jpg"]):
            os.rename(self._make(name, 80 * hue), os.path.join(folder, name))
        self.lane._run("import", "--stream", stream, folder)

    def _stacks(self, stream):
        """Makes a stream with the stacks, and a photo in front of each."""
        photos = []
        for day, (kind, (members, _)) in enumerate(STACKS.items()):
            taken = f"2026-06-{20 - day}T1"
            photos.append({"id": f"alone-{kind}", "width": 480, "height": 320, "takenAt": taken + "2:00:00Z", "color": "#804040"})
            for rank, (name, ending) in enumerate(members):
                photo = {"id": name, "width": 480, "height": 320, "takenAt": taken + "0:00:00Z", "title": name, "color": "#408090",
                         "location": self._make(name, 40 * rank) if ending else f"/missing/{name}",
                         "stack": kind, "stackRank": rank, "stackKind": kind}
                photos.append(photo | ({"duration": 2, "codec": "avc1"} if ending == "mp4" else {}))
        self.server.make_stream(stream, photos)

    def _open(self, fragment, **options):
        visit = self._visit(**options).open(fragment, wait="#lightbox .members button:not([disabled])")
        visit.rest()
        return visit

    def _row(self, visit):
        return [button.inner_text() for button in visit.page.locator("#lightbox .members button").all()]

    def _pressed(self, visit):
        return visit.page.locator("#lightbox .members [aria-pressed=true]").get_attribute("aria-label")

    def a_stack_is_one_photo_with_a_number(self):
        """A picture and its edited version, from a folder. The number is part of the texts of a page, and it moves nothing."""
        self._edited("pairs")
        names = []
        for layout, options in [("justified", {}), ("grid", {"scheme": "dark"}), ("masonry", {"width": 360, "height": 640}),
                                ("flow", {"locale": "de-DE"}), ("justified", {"locale": "ar-EG"})]:
            visit = self._visit(**options)
            asked = []
            visit.page.on("request", lambda request: asked.append(request.url))
            visit.open(f"stream=pairs&layout={layout}&sections=none")
            sign = "٢" if options.get("locale") == "ar-EG" else "2"
            visit.until(lambda: visit.page.evaluate(SIGNS) == {"before.jpg": None, "hut-edited.jpg": sign, "later.jpg": None})
            visit.sharp()
            assert not [url for url in asked if url.endswith("/stack")], asked
            names.append(visit.photo("hut-edited.jpg").get_attribute("aria-label"))
            assert "stack" not in visit.photo("before.jpg").get_attribute("aria-label")
            self._shot(visit, f"stacks-{layout}-{'-'.join(map(str, options.values()))}")
            visit.close()
        assert all(name.endswith(", 2 photos in a stack") for name in names[:3]), names
        assert names[3].endswith(", 2 Fotos in einem Stapel") and names[4].endswith("، صورتان في مجموعة"), names

    def a_photo_of_a_stack_is_shown_in_place_of_its_cover(self):
        """A film plays. The place stays, so the arrow keys lead to the neighbours of the cover."""
        self._stacks("stacks")
        visit = self._visit()
        asked = []
        visit.page.on("request", lambda request: asked.append(request.url))
        visit.open("stream=stacks&sections=none&photo=alone-live", wait="#lightbox[open] .counter:not(:empty)")
        page = visit.page
        assert not page.locator("#lightbox .stack").is_visible() and not [url for url in asked if url.endswith("/stack")]
        places = ["2 / 6", "4 / 6", "6 / 6"]
        for counter, (kind, (members, names)) in zip(places, STACKS.items()):
            page.keyboard.press("ArrowRight")
            visit.until(lambda: page.locator("#lightbox .members button:not([disabled])").count() == len(members))
            visit.rest()
            assert self._row(visit) == names and self._pressed(visit) == f"{names[0]}, 1 of {len(names)}", self._row(visit)
            stage = page.locator("#lightbox .stage").bounding_box()
            place = page.url
            page.locator("#lightbox .members button").nth(1).click()
            visit.until(lambda: page_text(visit, "#lightbox .words") == members[1][0])
            visit.rest()
            assert self._pressed(visit) == f"{names[1]}, 2 of {len(names)}"
            assert page_text(visit, "#lightbox .counter") == counter and page.url == place
            assert page.locator("#lightbox .stage").bounding_box() == stage
            assert page.locator("#lightbox .original").get_attribute("href").endswith(f"/photos/{members[1][0]}/image")
            if kind == "live":
                visit.until(lambda: page.evaluate("document.querySelector('#lightbox video')?.currentTime ?? 0") > 0)
            self._shot(visit, f"stacks-{kind}")
            if kind != "burst":
                page.keyboard.press("ArrowRight")
                visit.until(lambda: not page.locator("#lightbox .stack").is_visible())
                assert page.locator("#lightbox video").count() == 0
        # The cover again, and back to its cell.
        page.locator("#lightbox .members button").first.click()
        visit.until(lambda: page_text(visit, "#lightbox .words") == "001_BURST.jpg")
        page.locator("#lightbox .members button").nth(4).click()
        page.keyboard.press("Escape")
        visit.until(lambda: self._focused(visit).endswith("photo=001_BURST.jpg"))
        visit.forgive("404")
        visit.close()

    def another_photo_of_a_stack_is_shown_first(self):
        """The open photo stays, also if another client changes its stack."""
        self._stacks("stacks")
        visit = self._open("stream=stacks&sections=none&photo=IMG_1.jpg")
        page = visit.page
        visit.until(lambda: page.locator("#lightbox .apart").is_visible())
        assert not page.locator("#lightbox .first").is_visible()
        page.locator("#lightbox .members button").nth(1).click()
        page.locator("#lightbox .first").click()
        visit.until(lambda: "This photo is now shown first" in page_text(visit, "#toast"))
        visit.until(lambda: self._row(visit) == ["Live film", "Photo"])
        assert self._pressed(visit) == "Live film, 1 of 2" and not page.locator("#lightbox .first").is_visible()
        assert page.url.endswith("photo=IMG_1.mp4") and page_text(visit, "#lightbox .words") == "IMG_1.mp4"
        assert [id for id in self.server.ids("stacks") if id.startswith("IMG")] == ["IMG_1.mp4"]
        self.server.ask("/v1/streams/stacks/photos/IMG_1.jpg/cover", "POST")
        visit.until(lambda: self._row(visit) == ["Photo", "Live film"])
        assert self._pressed(visit) == "Live film, 2 of 2" and page_text(visit, "#lightbox .words") == "IMG_1.mp4"
        # An edit of the shown photo, and its deletion.
        self.server.ask("/v1/streams/stacks/photos/IMG_1.mp4", "PATCH", {"title": "A film"}, "application/merge-patch+json")
        visit.until(lambda: page_text(visit, "#lightbox .words") == "A film")
        page.locator("#lightbox .stage").focus()
        page.keyboard.press("Delete")
        visit.until(lambda: page_text(visit, "#lightbox .words") == "IMG_1.jpg" and not page.locator("#lightbox .stack").is_visible())
        assert page_text(visit, "#lightbox .counter") == "2 / 6"
        visit.close()

    def a_stack_is_taken_apart(self):
        """Each of its photos then has its place; a stack that another client took apart is named in a note."""
        self._stacks("stacks")
        visit = self._open("stream=stacks&sections=none&layout=grid&photo=DSC_1.jpg")
        page = visit.page
        visit.until(lambda: page.locator("#lightbox .apart").is_visible())
        page.locator("#lightbox .apart").click()
        visit.until(lambda: page_text(visit, "#toast").strip() == "Stack taken apart")
        visit.until(lambda: not page.locator("#lightbox .stack").is_visible() and page_text(visit, "#lightbox .counter").endswith("/ 7"))
        page.keyboard.press("Escape")
        visit.until(lambda: visit.photo("DSC_1.nef").count() == 1)
        assert page.evaluate(SIGNS)["DSC_1.jpg"] is None
        visit.photo("IMG_1.jpg").click()
        visit.until(lambda: page.locator("#lightbox .members button:not([disabled])").count() == 2)

        def overtake(route):
            """Lets another client take the stack apart first."""
            if route.request.method == "DELETE":
                self.server.ask("/v1/streams/stacks/photos/IMG_1.jpg/stack", "DELETE")
            route.continue_()

        page.route("**/stack", overtake)
        page.locator("#lightbox .apart").click()
        visit.until(lambda: page_text(visit, "#toast").startswith("The stack could not be changed: "))
        visit.until(lambda: not page.locator("#lightbox .stack").is_visible())
        # And the raw file does not exist.
        visit.forgive("409", "404")
        visit.close()

    def stacks_are_accessible(self):
        """axe finds no serious violations; the row wraps on a phone; readers of a share see no buttons for changes."""
        self._stacks("stacks")
        phone = {"scheme": "dark", "width": 360, "height": 640, "has_touch": True, "is_mobile": True}
        for options in [{"scheme": "light"}, phone, {"locale": "ar-EG"}]:
            for fragment in ["", "&photo=001_BURST.jpg"]:
                wait = "#lightbox .members button:not([disabled])" if fragment else '.cell a[data-stack]:not([data-stack=""])'
                visit = self._visit(**options).open(f"stream=stacks&sections=none{fragment}", wait)
                visit.rest()
                if fragment:
                    visit.until(lambda: visit.page.locator("#lightbox .apart").is_visible())
                    width = visit.page.locator("#lightbox").bounding_box()["width"]
                    boxes = [button.bounding_box() for button in visit.page.locator("#lightbox .members button").all()]
                    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes), boxes
                    assert (len({box["y"] for box in boxes}) > 1) == (width < 400), boxes
                violations = Axe().run(visit.page).response["violations"]
                serious = [(violation["id"], [node["html"][:120] for node in violation["nodes"][:3]])
                           for violation in violations if violation["impact"] in ("serious", "critical")]
                assert not serious, (options, fragment, serious)
                self._shot(visit, f"stacks-{'row' if fragment else 'cells'}-{'-'.join(map(str, options.values()))}")
                visit.close()
        link = self.lane.share(f"{time.time_ns()}", "stacks")
        visit = self._visit()
        visit.page.goto(f"{link}#sections=none")
        visit.settle('.cell a[data-stack="2"]')
        visit.page.locator('.cell a[data-stack="2"]').last.click()
        visit.until(lambda: page_text(visit, "#lightbox .words") == "DSC_1.jpg")
        visit.rest()
        assert not visit.page.locator("#lightbox .apart").is_visible()
        visit.close(allow_shift=True)
