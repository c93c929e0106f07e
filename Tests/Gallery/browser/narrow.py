"""Windows of every width, and larger texts."""

import contextlib
import urllib.parse

from browser.checks import Checks

WIDTHS = [280, 300, 320, 344, 360, 390, 412, 430, 481, 540, 640, 719, 720, 768, 900, 1024, 1280, 1920, 2560, 3840]
# What is cut off by the window or its own box, and which controls overlap, in what is in front.
LOOK = """
() => {
  const root = document.querySelector("dialog[open]") ?? document.querySelector(":popover-open")
    ?? document.querySelector("#selection:not([hidden])") ?? document.body;
  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !element.closest(".hidden, .skip, .cell, .cluster, #toast") && element.getBoundingClientRect().width > 0;
  const name = (element) => `${element.tagName} ${element.id || element.className || element.name} ${element.textContent.trim().slice(0, 30)}`;
  const problems = [];
  const inside = [...root.querySelectorAll("button, select, input, label, a, h2, h3, p, dt, dd, span, legend")].filter(isShown);
  for (const element of inside) {
    const box = element.getBoundingClientRect();
    if (box.left < -0.5 || box.right > innerWidth + 0.5) problems.push(`${name(element)}: ${box.left} to ${box.right} of ${innerWidth}`);
    // A long name of a stream is shortened, and so are names in lists.
    if (element.closest("select, .name, bdi, .bubble, .labels")) continue;
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && element.tagName !== "INPUT") {
      problems.push(`${name(element)}: ${element.scrollWidth} in ${element.clientWidth}`);
    }
  }
  const controls = inside.filter((element) => element.matches("button, select, a, .layouts label, .search"))
    .filter((element) => !element.closest(".search") || !element.matches("button"));
  const boxes = controls.map((element) => [element, element.getBoundingClientRect()]);
  boxes.forEach(([one, a], index) => {
    for (const [other, b] of boxes.slice(index + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 1) problems.push(`${name(one)} over ${name(other)}`);
    }
  });
  const scroller = document.querySelector("#scroller");
  if (scroller.scrollWidth > innerWidth || document.documentElement.scrollWidth > innerWidth) problems.push("the page is too wide");
  for (const cell of document.querySelectorAll(".cell:not([hidden])")) {
    const { left, right } = cell.getBoundingClientRect();
    if (left < 0 || right > innerWidth + 0.5) problems.push(`a photo: ${left} to ${right}`);
  }
  return problems;
}
"""
# Controls that are too small for a finger.
SMALL = """
() => [...document.querySelectorAll("header button, header select, #lightbox .bar :is(button, a), :popover-open :is(button, select), #selection button")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .map((element) => [element.id || element.className || element.name, element.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 44 || height < 44).map(([name, { width, height }]) => `${name}: ${width} × ${height}`)
"""


class NarrowChecks(Checks):
    def every_width_fits(self):
        self._walk(16)

    def every_width_fits_larger_texts(self):
        self._walk(20)

    def every_width_fits_the_largest_texts(self):
        self._walk(24)

    def every_width_fits_a_map(self):
        """With the field, its cities and the list of photos, from left to right and from right to left."""
        self.server.make_stream("scattered", [{**photo, **({"latitude": 47.37, "longitude": 8.54} if number % 2 else {})}
                                          for number, photo in enumerate(self._album(120))])
        for size, locale in [(16, "en-GB"), (20, "en-GB"), (24, "en-GB"), (24, "ar-EG")]:
            with self._texts(size):
                visit = self._visit(locale=locale).open("stream=scattered&layout=map", wait=".cluster")
                page, problems = visit.page, []
                for width in WIDTHS:
                    page.set_viewport_size({"width": width, "height": 700})
                    visit.rest()
                    page.locator(".place input").fill("zuri")
                    page.wait_for_selector("#cities li")
                    problems.extend(f"{size}, {locale}, {width}: {problem}" for problem in page.evaluate(LOOK))
                    page.locator(".place input").fill("")
                    page.locator("#cities").wait_for(state="hidden")
                    page.locator(".unlocated").click()
                    page.wait_for_selector("#place-list li")
                    problems.extend(f"{size}, {locale}, {width}, list: {problem}" for problem in page.evaluate(LOOK))
                    page.keyboard.press("Escape")
                assert not problems, "\n".join(problems)
                visit.close(allow_shift=True)

    @contextlib.contextmanager
    def _texts(self, size):
        """Opens pages in a browser with a size of texts."""
        browser = self.browser.browser_type.launch(
            executable_path="/usr/bin/chromium-headless-shell",
            args=["--no-sandbox", "--disable-dev-shm-usage", f"--blink-settings=defaultFontSize={size}"])
        self.browser, before = browser, self.browser
        try:
            yield
        finally:
            self.browser = before
            browser.close()

    def _walk(self, size):
        """Walks through the widths with a size of texts, and looks at the bars, the menus and the dialogs at each."""
        name = "Grandmother's photographs 1950 to 1990"
        self.server.make_stream(name, self._album(120))
        with self._texts(size):
            visit = self._editable("sections=day&captions=yes", stream=urllib.parse.quote_plus(name))
            page, problems = visit.page, []

            def look(what):
                visit.frame()
                problems.extend(f"{width}, {what}: {problem}" for problem in page.evaluate(LOOK))
                if width in (280, 320):
                    self._shot(visit, f"narrow-{size}-{width}-{what}")

            for width in WIDTHS:
                visit.relayout(lambda: page.set_viewport_size({"width": width, "height": 700 if width < 1000 else 1000}))
                look("page")
                for menu in ["layouts", "view", "go"]:
                    button = page.locator(f"[popovertarget={menu}]")
                    if button.is_visible():
                        button.click()
                        look(menu)
                        page.keyboard.press("Escape")
                page.locator(".cell:not([hidden]) a[tabindex='0']").focus()
                page.keyboard.press("Space")
                page.wait_for_selector("#selection:not([hidden])")
                look("selection")
                page.keyboard.press("Escape")
                page.wait_for_selector("#selection", state="hidden")
                page.keyboard.press("?")
                page.wait_for_selector("#keys[open]")
                look("keys")
                page.keyboard.press("Escape")
                if width in (280, 320, 430, 900, 3840):
                    page.locator(".cell:not([hidden]) a[tabindex='0']").focus()
                    page.keyboard.press("Enter")
                    page.wait_for_selector("#lightbox[open] .counter:not(:empty)")
                    # It stays open from one photo to the next.
                    if not page.locator(".panel").is_visible():
                        page.keyboard.press("i")
                    page.wait_for_selector(".panel:not([hidden])")
                    look("photo")
                    page.keyboard.press("Escape")
                    page.wait_for_selector("#lightbox", state="hidden")
                    visit.rest()
            assert not problems, "\n".join(problems)
            visit.close(allow_shift=True)

    def targets_are_large_enough_for_fingers(self):
        for width in [280, 320, 360, 390, 430, 820]:
            visit = self._editable("sections=none", "photos", width=width, height=800, has_touch=True, is_mobile=True)
            page, small = visit.page, []
            small += page.evaluate(SMALL)
            for menu in ["layouts", "view", "go"]:
                if page.locator(f"[popovertarget={menu}]").is_visible():
                    page.locator(f"[popovertarget={menu}]").tap()
                    small += page.evaluate(SMALL)
                    page.keyboard.press("Escape")
            page.locator(".cell:not([hidden]) a[tabindex='0']").tap()
            page.wait_for_selector("#lightbox[open] .counter:not(:empty)")
            small += page.evaluate(SMALL)
            assert not small, (width, small)
            page.keyboard.press("Escape")
            visit.rest()
            visit.close(allow_shift=True)

    def layouts_are_one_button_on_a_phone(self):
        visit = self._visit(width=390, height=844, has_touch=True, is_mobile=True).open("stream=photos&sections=none")
        page = visit.page
        fold = page.locator(".fold")
        assert fold.get_attribute("aria-label") == "Layout: Justified" and not page.locator(".layouts").is_visible()
        fold.tap()
        self._shot(visit, "layouts-phone")
        visit.relayout(lambda: page.locator(".layouts label", has_text="Masonry").tap())
        assert "layout=masonry" in page.url and not page.locator(".layouts").is_visible()
        assert fold.get_attribute("aria-label") == "Layout: Masonry"
        visit.close(allow_shift=True)
