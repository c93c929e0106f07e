"""The gallery next to two that lay out in the browser (the folder `naive`), in streams of several lengths."""

import json
import random
import time
import urllib.parse
import urllib.request

from browser import Visit, median
from visit import Gallery, address

# Masonry in four columns, six points apart: the same frames in all three.
LAYOUT = "&layout=masonry&size=302&sections=none"
OPTIONS = {
    "width": 1280, "algorithm": "masonry", "columns": 4, "interitem-spacing": 6, "line-spacing": 6, "content-inset": "12,12,40,44",
}
NAMES = ["gallery", "sizes", "months"]
LONGEST = 900


def true_height(base, stream):
    """The height of the content, as the server's layout has it."""
    path = f"{base}/v1/streams/{stream}/layout?{urllib.parse.urlencode({**OPTIONS, 'limit': 1})}"
    with urllib.request.urlopen(path) as answer:
        return json.load(answer)["contentSize"]["height"]


def open_one(browser, name, base, naive, stream):
    """Opens one of the three; returns the visit, and the times of its first photos and of its layout."""
    visit = (Gallery if name == "gallery" else Visit)(browser)
    if name == "gallery":
        seen = visit.open(address(base, stream, LAYOUT), "cell", "layout")
        return visit, seen["cell"], seen["layout"]
    query = urllib.parse.urlencode({"server": base, "stream": stream})
    seen = visit.open(f"{naive}/{name}.html#{query}", "cell", seconds=LONGEST)
    mark = "performance.getEntriesByName('layout')[0]?.startTime"
    visit.until(lambda: visit.page.evaluate(mark), LONGEST, "layout")
    return visit, seen["cell"], visit.page.evaluate(mark)


def height_of(visit):
    return visit.page.evaluate("document.querySelector('#scroller').scrollHeight")


def jump(visit, count):
    """Jumps anywhere, by the scroll bar."""
    for _ in range(count):
        fraction = random.random()
        if isinstance(visit, Gallery):
            visit.scrub(fraction)
        else:
            visit.page.evaluate("""(fraction) => {
                const scroller = document.querySelector("#scroller");
                scroller.scrollTop = fraction * (scroller.scrollHeight - scroller.clientHeight);
            }""", fraction)
        visit.rest(0.7)


def measure(browser, name, base, naive, stream, options):
    """One of the three at one length."""
    firsts, layouts = [], []
    for _ in range(options.loads - 1):
        visit, first, layout = open_one(browser, name, base, naive, stream)
        firsts.append(first)
        layouts.append(layout)
        visit.context.close()
    start = time.monotonic()
    visit, first, layout = open_one(browser, name, base, naive, stream)
    print(f"    {stream}, {name}: {time.monotonic() - start:.1f} s", flush=True)
    with visit:
        visit.rest(1.5)
        metadata, _ = visit.bytes()
        height, (heap, _) = height_of(visit), visit.heap()
        visit.shot(options.screenshots, f"{stream}-{name}")
        random.seed(7)

        def act():
            visit.fling(options.fling / 3)
            jump(visit, options.jumps)

        tasks, frames, dropped = visit.traced(act)
        visit.shot(options.screenshots, f"{stream}-{name}-later")
        seen = visit.probe()
        true = true_height(base, stream)
        # The gallery moves its element along the content, all of which can be reached.
        shown = true if name == "gallery" else height
        return {
            "first": median(firsts + [first]), "layout": median(layouts + [layout]), "metadata": metadata, "heap": heap,
            "later": visit.heap()[0], "shift": seen["shift"], "long": sum(task > 50 for task in tasks), "longest": tasks[0],
            "error": shown / true - 1, "dropped": dropped / max(1, frames), "elements": seen["elements"],
        }
