"""One visit to the gallery of a long stream: the figures and their bars."""

import random

from browser import SHARP, Visit, median

TASK_LIMIT = 50
# More photos than five screens show.
PICTURES_AFTER = 200
SEEN = """[...document.querySelectorAll(".cell:not([hidden])")].filter((cell) => {
  const { top, bottom } = cell.getBoundingClientRect();
  return bottom > 52 && top < innerHeight;
})"""
# Of the photos that have pictures, which are the first ones.
ARE_LOADED = f"(pictures) => {SEEN}.every((cell) => Number(cell.ariaPosInSet) > pictures || cell.querySelector('img'))"
# Fewer photos than a window shows.
PHOTOS_IN_WINDOW = 15


class Gallery(Visit):
    """The gallery, and the ways in which a person gets around in it."""

    def scrub(self, fraction):
        """Presses on a place of the scroll bar."""
        box = self.page.locator("#scrubber").bounding_box()
        self.page.mouse.click(box["x"] + box["width"] - 8, box["y"] + 4 + fraction * (box["height"] - 8))
        self.page.mouse.move(600, 400)

    def go(self, number):
        """Goes to a photo by its number."""
        self.page.click("[popovertarget=go]")
        self.page.fill("#go [name=number]", str(number))
        self.page.keyboard.press("Enter")

    def jump(self, count, photos, pictures):
        """Jumps anywhere by the scroll bar, and to pictures by their numbers, in turn."""
        for number in range(count):
            if number % 2:
                self.go(random.randint(1, pictures))
            else:
                self.scrub(random.random())
            self.rest(0.7)


def address(base, stream, more=""):
    return f"{base}/#stream={stream}{more}"


def first_paint(browser, base, stream, runs):
    """Milliseconds after navigation of the first colours, placeholder and picture: of the first visit after the server's
    start, and the medians of further visits, each with an empty cache."""
    seen = []
    for _ in range(runs + 1):
        with Gallery(browser) as visit:
            seen.append(visit.open(address(base, stream), "cell", "placeholder", "picture"))
    return seen[0], {name: median([run[name] for run in seen[1:]]) for name in ("cell", "placeholder", "picture")}


def sharpness(visit, runs, pictures):
    """Milliseconds from the end of scrolling until all pictures in the window are sharp, in ascending order."""
    times = []
    for _ in range(runs):
        # It scrolls on at once, to where nothing has been loaded ahead.
        visit.go(random.randint(1, max(1, pictures - PICTURES_AFTER)))
        visit.page.evaluate(f"window.sharp = null; void ({SHARP})().then((time) => {{ window.sharp = time; }})")
        visit.swipe(3 * visit.height, 8_000)
        visit.until(lambda: visit.page.evaluate("window.sharp !== null"), 20, "sharp pictures")
        times.append(visit.page.evaluate("window.sharp"))
    return sorted(times)


def warm(browser, base, stream, pictures):
    """Looks at all pictures once, so that the server has all thumbnails of the sizes that the page asks for."""
    with Gallery(browser) as visit:
        visit.open(address(base, stream), "picture")
        for number in range(1, pictures, PHOTOS_IN_WINDOW):
            visit.go(number)
            visit.rest(0.4)
            visit.until(lambda: visit.page.evaluate(ARE_LOADED, pictures), 60, "pictures")


def bytes_per_screen(browser, base, stream, screens):
    """The bytes of answers about photos, and of pictures, for each screen that is looked at, one after another."""
    with Gallery(browser) as visit:
        visit.open(address(base, stream), "picture")
        visit.rest(1)
        start = len(visit.received)
        for _ in range(screens):
            visit.swipe(visit.height - 52, 2_000)
            visit.rest(0.7)
        return [size / screens for size in visit.bytes(start)]


def blank(browser, seconds):
    """The share of dropped frames of a page with nothing but colours, flung alike: what this machine drops by itself."""
    with Visit(browser) as visit:
        visit.page.set_content(
            "<div id=plane style='height: 1e6px; background: repeating-linear-gradient(#ccc 0 200px, #999 0 400px)'></div>")
        _, frames, dropped = visit.traced(lambda: visit.fling(seconds))
        return dropped / frames


def whole_visit(browser, base, stream, options):
    """Flings and jumps in one page."""
    with Gallery(browser) as visit:
        visit.open(address(base, stream), "picture")
        visit.rest(2)
        visit.shot(options.screenshots, "gallery")
        tasks, frames, dropped = visit.traced(lambda: visit.fling(options.fling))
        more, *_ = visit.traced(lambda: visit.jump(options.jumps, options.photos, options.pictures))
        visit.shot(options.screenshots, "gallery-after-jumps")
        visit.go(1)
        visit.rest(1)
        sharp = sharpness(visit, options.stops, options.pictures)
        seen = visit.probe()
        return {
            "tasks": sorted(tasks + more, reverse=True), "frames": frames, "dropped": dropped, "sharp": sharp,
            "shift": seen["shift"], "shiftAfterInput": seen["shiftAfterInput"], "elements": seen["elements"],
            "all": visit.page.evaluate("document.getElementsByTagName('*').length"),
        }
