"""The first moments of a page."""

from browser.checks import Checks

# Notes when the page is complete, and when it shows the first photo.
MOMENTS = """
window.moments = {};
new MutationObserver(() => {
  const { moments } = window;
  if (document.querySelector(".cell")) moments.cell ??= performance.now();
  if (document.documentElement.classList.contains("ready")) moments.ready ??= performance.now();
}).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });
"""


class OpeningChecks(Checks):
    def nothing_waits_for_pictures(self):
        """Toolbar, scroll bar and keys work before the first picture is requested, and their modules are requested before the
        first photo is shown."""
        for size in [{}, {"width": 3840, "height": 2160}, {"width": 390, "height": 844, "scale": 2, "is_mobile": True, "has_touch": True}]:
            for layout in ["grid", "justified"]:
                visit = self._visit(**size)
                visit.page.add_init_script(MOMENTS)
                # On a slow line, every request is one that something else waits for.
                line = visit.context.new_cdp_session(visit.page)
                line.send("Network.enable")
                line.send("Network.emulateNetworkConditions", {
                    "offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000})
                # A page that requests a picture too early would show it: here none arrives.
                held = []
                visit.page.route("**/v1/**/*image*/**", lambda route: held.append(route))
                # The page is loaded when its pictures are.
                visit.page.goto(f"{self.server.address}/#stream=photos&layout={layout}&sections=none", wait_until="commit")
                visit.page.wait_for_selector("html.ready")
                visit.page.wait_for_selector(".cell")
                assert visit.page.locator("#controls .search").is_visible()
                visit.page.keyboard.press("/")
                visit.until(lambda: visit.page.evaluate("document.activeElement.name") == "search")
                visit.page.keyboard.press("Escape")
                visit.until(lambda: visit.page.evaluate("document.querySelector('#scrubber .thumb') !== null"))
                visit.until(lambda: held)
                moments, modules, pictures = visit.page.evaluate("""() => {
                    const entries = performance.getEntriesByType("resource");
                    const starts = (test) => entries.filter(({ name }) => test(name)).map(({ startTime }) => startTime);
                    const needed = new Set([...document.querySelectorAll("link[rel=modulepreload]")].map(({ href }) => href));
                    return [window.moments, starts((name) => needed.has(name)), starts((name) => name.includes("/images/"))];
                }""")
                assert len(modules) >= 25 and max(modules) < moments["cell"], (moments, modules)
                assert all(picture >= moments["ready"] for picture in pictures), (moments, pictures)
                print(f"      {size.get('width', 1280)}, {layout}: complete {moments['ready'] - moments['cell']:.0f} ms after the first photo")
                visit.page.unroute_all(behavior="ignoreErrors")
                visit.context.close()
