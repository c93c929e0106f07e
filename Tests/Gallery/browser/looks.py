"""Accessibility and screenshots."""

from axe_playwright_python.sync_playwright import Axe

from browser.checks import Checks


class LookChecks(Checks):
    def the_photos_are_accessible(self):
        """axe finds no serious violations, in light and dark."""
        for name, fragment in [
            ("grid", "stream=photos&captions=yes&layout=masonry"), ("map", "stream=sample&layout=map"),
            ("search", "stream=photos&search=the"), ("selection", "stream=photos&sections=none"),
        ]:
            visit = self._visit().open(fragment, wait=".cluster" if name == "map" else ".cell img")
            if name == "map":
                visit.page.get_by_role("combobox", name="Find a city").fill("par")
                visit.page.wait_for_selector(".place li")
            if name == "selection":
                visit.page.locator(".cell a[tabindex='0']").focus()
                visit.page.keyboard.press("Space")
                visit.page.wait_for_selector("#selection:not([hidden])")
            self._look(visit, name)
            visit.close()

    def lists_and_menus_are_accessible(self):
        """The list of a place, the list of keys, and the layouts of a phone."""
        for name, fragment, size, wait in [
            ("place", "stream=sample&layout=map", {}, "#place-list li"), ("keys", "stream=photos", {}, "dialog[open] h2"),
            ("layouts", "stream=photos", {"width": 320, "height": 640}, "#layouts:popover-open"),
        ]:
            visit = self._visit(**size).open(fragment, wait=".cluster" if name == "place" else ".cell img")
            if name == "place":
                visit.page.locator(".unlocated").click()
            elif name == "keys":
                visit.page.keyboard.press("?")
            else:
                visit.page.click("[popovertarget=layouts]")
            visit.page.wait_for_selector(wait)
            self._look(visit, name)
            visit.close()

    def one_photo_is_accessible(self):
        for name, key, wait in [("lightbox", "i", ".panel:not([hidden])"), ("form", "e", ".editor [name=title]")]:
            visit = self._visit().open("stream=photos&photo=balloons-01.jpg", wait="#lightbox .frame img")
            visit.page.keyboard.press(key)
            visit.page.wait_for_selector(wait)
            self._look(visit, name)
            visit.close()

    def states_are_accessible(self):
        for name, fragment in [
            ("empty", "stream=empty"), ("error", "stream=unknown"), ("nothing found", "stream=photos&search=qqq"),
        ]:
            visit = self._visit().open(fragment, wait="#state:not([hidden])")
            self._look(visit, name)
            if name == "error":
                visit.forgive("404")
            visit.close()

    def adding_is_accessible(self):
        for name in ["adding", "dragging"]:
            visit = self._visit().open("stream=added&layout=grid", wait=None)
            visit.until(lambda: visit.page.locator("#add").is_enabled())
            files = [{"name": f"{i}.txt", "type": "text/plain", "text": ""} for i in range(30)]
            self._drop(visit, files, ends=name == "adding")
            visit.until(lambda: visit.page.get_by_role("button", name="Close", exact=True).filter(visible=True).count()
                        or visit.page.locator("#dropzone").is_visible())
            visit.forgive("status of 400")
            self._look(visit, name)
            visit.close()

    def deleted_photos_are_accessible(self):
        self.server.make_stream("album", self._album(12))
        for photo in self.server.ids("album")[3:9]:
            self.server.ask(f"/v1/streams/album/photos/{photo}", "DELETE")
        for stream, size in [("album", {}), ("album", {"width": 390, "height": 844}), ("empty", {})]:
            visit = self._visit(**size).open(f"stream={stream}", wait=None)
            self._open_deleted(visit)
            if stream == "album":
                visit.page.locator("#deleted li input").nth(1).check()
            else:
                visit.until(lambda: "No photo" in visit.page.locator("#deleted .message").inner_text())
            self._look(visit, f"deleted-{stream}-{size.get('width', 'desktop')}")
            visit.close()

    def printing_shows_the_photos_in_view(self):
        """On paper, the photos in view follow one another over pages, without buttons; an open photo is alone."""
        visit = self._visit().open("stream=photos&layout=justified&size=300&sections=none", wait=".cell img")
        page = visit.page
        visit.sharp()
        shown = len(visit.cells())
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        boxes = page.evaluate("""() => [...document.querySelectorAll("#photos .cell")].map((cell) => cell.getBoundingClientRect())
          .filter(({ width }) => width > 0).map(({ x, y, right, bottom }) => ({ x, y, right, bottom }))""")
        assert len(boxes) == shown, (len(boxes), shown)
        for one in range(len(boxes)):
            for other in range(one):
                a, b = boxes[one], boxes[other]
                assert a["x"] >= b["right"] - 0.5 or b["x"] >= a["right"] - 0.5 or a["y"] >= b["bottom"] - 0.5 \
                    or b["y"] >= a["bottom"] - 0.5, (a, b)
        hidden = page.evaluate("""() => ["header", "#scrubber", "#toast"].filter((name) =>
          document.querySelector(name).getClientRects().length > 0)""")
        assert hidden == [], hidden
        document = page.pdf(width="150mm", height="100mm")
        assert document.count(b"/Type /Page\n") + document.count(b"/Type /Page ") > 1 or b"/Count 1" not in document
        page.emulate_media(media="screen")
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert page.locator(".out-of-view").count() == 0
        page.locator(".cell a").first.click()
        page.wait_for_selector("#lightbox .frame img")
        page.emulate_media(media="print")
        assert not page.locator("main").is_visible() and page.locator("#lightbox .frame img").is_visible()
        assert not page.locator("#lightbox .bar").is_visible()
        page.emulate_media(media="screen")
        visit.close(allow_shift=True)

    def without_scripts_there_is_a_sentence(self):
        visit = self._visit(java_script_enabled=False)
        visit.page.goto(self.server.address)
        assert "This gallery needs JavaScript" in visit.page.locator("noscript").inner_text()
        self._shot(visit, "no-scripts")
        visit.context.close()

    def the_page_can_be_installed(self):
        """Chromium reads the manifest and its icons without a complaint."""
        visit = self._visit().open("stream=photos")
        network = visit.page.context.new_cdp_session(visit.page)
        manifest = network.send("Page.getAppManifest")
        assert manifest["errors"] == [] and manifest["url"].endswith("/gallery/app.webmanifest"), manifest
        problems = [problem["errorId"] for problem in network.send("Page.getInstallabilityErrors")["installabilityErrors"]]
        # Pages in a private window are never installed.
        assert set(problems) <= {"in-incognito"}, problems
        visit.close()

    def _look(self, visit, name):
        """Runs axe on a page in light and dark."""
        for scheme in ["light", "dark"]:
            visit.page.emulate_media(color_scheme=scheme)
            visit.rest()
            self._shot(visit, f"{name}-{scheme}")
            result = Axe().run(visit.page)
            serious = [
                (violation["id"], [node["html"][:120] for node in violation["nodes"][:3]])
                for violation in result.response["violations"] if violation["impact"] in ("serious", "critical")]
            assert not serious, (scheme, name, serious)

    def screenshots(self):
        """Each layout, on desktop and phone, light and dark, in both directions, with one photo and with none."""
        desktop = dict(width=1440, height=900, scale=1)
        phone = dict(width=390, height=844, scale=2, has_touch=True, is_mobile=True)
        for kind, size in [("desktop", desktop), ("phone", phone)]:
            for fragments in [
                [("justified", "stream=photos"), ("months", "stream=photos&sections=month"),
                 ("masonry", "stream=photos&layout=masonry&captions=yes&sections=none"), ("grid", "stream=photos&layout=grid&sections=year"),
                 ("flow", "stream=photos&layout=flow&captions=yes&sections=year"),
                 ("map", "stream=sample&layout=map"), ("map-5", "stream=sample&layout=map&zoom=5&middle=48,8"),
                 ("map-8", "stream=sample&layout=map&zoom=8&middle=52.3,5")],
                [("rtl", "stream=photos&direction=rtl&layout=masonry&captions=yes")],
            ]:
                visit = self._visit(**size)
                for name, fragment in fragments:
                    visit.open(fragment, wait=".cluster" if "map" in name else ".cell img")
                    visit.sharp()
                    if name == "months":
                        visit.scroll_to(1_400)
                        visit.sharp()
                    for scheme in ["light", "dark"]:
                        visit.page.emulate_media(color_scheme=scheme)
                        visit.rest()
                        self._shot(visit, f"{kind}-{scheme}-{name}")
                visit.close()
            for name, fragment, wait in [
                ("lightbox", "stream=photos&photo=balloons-01.jpg", "#lightbox .frame img"),
                ("empty", "stream=empty", "#state:not([hidden])"), ("sample", "stream=sample&layout=masonry&captions=yes", ".cell"),
                ("added", "stream=added", "#state:not([hidden])"), ("menu", "stream=added", "#state:not([hidden])"),
            ]:
                visit = self._visit(**size).open(fragment, wait=wait)
                visit.rest()
                if name == "menu":
                    visit.page.locator("[popovertarget=view]").click()
                    visit.rest()
                if name == "lightbox":
                    visit.page.locator("#lightbox .info").click()
                    visit.rest()
                self._shot(visit, f"{kind}-{name}")
                visit.close()
            self._shots_of_adding(kind, size)
        # The picture of the README.
        visit = self._visit().open("stream=photos&layout=masonry&sections=none", wait=".cell img")
        visit.until(lambda: "can-edit" in (visit.page.locator("html").get_attribute("class") or ""))
        visit.scroll_to(1_100)
        visit.sharp()
        self._shot(visit, "readme")
        visit.close()

    def _shots_of_adding(self, kind, size):
        """The note about photos that are being uploaded."""
        self._clear_added()
        visit = self._visit(**size)
        visit.page.route("**/v1/streams/added/pictures*", lambda route: None)
        visit.open("stream=added", wait="#state:not([hidden])")
        visit.until(lambda: visit.page.locator("#add").is_enabled())
        self._drop(visit, [{"name": f"{i}.png", "type": "image/png", "text": "AAAA" * 300_000} for i in range(4)])
        visit.page.wait_for_selector(".toast progress")
        for scheme in ["light", "dark"]:
            visit.page.emulate_media(color_scheme=scheme)
            # The page does not rest, because its requests are held.
            visit.frame()
            self._shot(visit, f"{kind}-{scheme}-adding")
        visit.context.close()
