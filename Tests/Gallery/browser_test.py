"""The gallery in a real browser, against real servers: it shows what the interface returns.

Run by scripts/gallery-test, which makes the streams `photos` (pictures), `sample`, `many` (no pictures), `markup` (texts that
look like markup), `empty` and `added`. The checks are in the folder `browser`. They run in a few lanes at once, each with a
browser and a server. No check measures a time; `Benchmarks/gallery` does.
"""

import argparse
import contextlib
import io
import multiprocessing
import os
import queue
import sys
import time
import traceback

from playwright.sync_api import sync_playwright

from browser.adding import AddingChecks
from browser.anchoring import AnchoringChecks
from browser.archiving import ArchivingChecks
from browser.changes import ChangeChecks
from browser.deleted import DeletedChecks
from browser.facets import FacetChecks
from browser.favourites import FavouriteChecks
from browser.frames import FrameChecks
from browser.lane import Lane
from browser.languages import LanguageChecks
from browser.looks import LookChecks
from browser.mapping import MapChecks
from browser.moving import MovingChecks
from browser.narrow import NarrowChecks
from browser.opening import OpeningChecks
from browser.photos import PhotoChecks
from browser.reading import ReadingChecks
from browser.scrolling import ScrollingChecks
from browser.searching import SearchingChecks
from browser.selecting import SelectingChecks
from browser.stacks import StackChecks
from browser.tabs import TabChecks
from browser.videos import VideoChecks
from browser.words import WordChecks

# Chromium without windows: a context takes half the time of one in the whole browser.
BROWSER = "/usr/bin/chromium-headless-shell"
# The longest come first, so that no lane begins one when the others have ended.
KINDS = [
    AnchoringChecks, NarrowChecks, FrameChecks, LookChecks, MapChecks, OpeningChecks, ScrollingChecks, ChangeChecks, TabChecks, MovingChecks,
    SelectingChecks, StackChecks, VideoChecks, PhotoChecks, DeletedChecks, AddingChecks, ArchivingChecks, FavouriteChecks, SearchingChecks,
    FacetChecks, WordChecks, ReadingChecks, LanguageChecks,
]


def names_of(kind):
    return [name for name in vars(kind) if not name.startswith("_")]


def run(check, browser, lane, screenshots):
    """Runs a check, and returns its output and, if it failed, the reason."""
    kind, name = check
    output, failure = io.StringIO(), None
    with contextlib.redirect_stdout(output):
        try:
            getattr(KINDS[kind](browser, lane, screenshots), name)()
        except Exception:  # All checks run, and all failures are shown.
            failure = traceback.format_exc()
    for context in browser.contexts:
        context.close()
    return output.getvalue(), failure


def work(checks, results, arguments):
    """Runs the remaining checks, one after another."""
    lane = Lane(arguments.photostream, arguments.streams)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox", "--disable-dev-shm-usage"])
            while True:
                try:
                    check = checks.get_nowait()
                except queue.Empty:
                    break
                start = time.monotonic()
                output, failure = run(check, browser, lane, arguments.screenshots)
                if failure:
                    failure += f"the end of the server's log:\n{lane.log()}"
                    if lane.process.poll() is not None:
                        lane.start()
                results.put((check[1], time.monotonic() - start, output, failure))
            browser.close()
    finally:
        lane.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photostream", help="the program")
    parser.add_argument("streams", help="a folder with a file of streams, which is copied")
    parser.add_argument("--screenshots", help="a folder for screenshots; without one, none are made")
    parser.add_argument("--only", default="", help="a part of the names of the checks to run")
    parser.add_argument("--lanes", type=int, default=3, help="the number of checks to run at once")
    arguments = parser.parse_args()
    if arguments.screenshots:
        os.makedirs(arguments.screenshots, exist_ok=True)
    wanted = [(kind, name) for kind, checks in enumerate(KINDS) for name in names_of(checks)
              if arguments.only in name and (arguments.screenshots or name != "screenshots")]
    checks, results = multiprocessing.Queue(), multiprocessing.Queue()
    for check in wanted:
        checks.put(check)
    lanes = [multiprocessing.Process(target=work, args=(checks, results, arguments))
             for _ in range(min(arguments.lanes, len(wanted)))]
    for lane in lanes:
        lane.start()
    left, failed = {name for _, name in wanted}, {}
    while left:
        try:
            name, seconds, output, failure = results.get(timeout=1)
        except queue.Empty:
            if any(lane.is_alive() for lane in lanes):
                continue
            break
        left.discard(name)
        if failure:
            failed[name] = failure
        print(f"{'FAIL ' if failure else 'ok   '} {name} ({seconds:.1f} s)\n{output}", end="", flush=True)
    for lane in lanes:
        lane.join()
    failed |= {name: "it was not run\n" for name in left}
    # At the end, because CI keeps only the last lines.
    for name, failure in failed.items():
        print(f"== {name}\n{failure}", end="")
    print(f"{len(wanted) - len(failed)} of {len(wanted)} checks passed", flush=True)
    if failed or not wanted or any(lane.exitcode for lane in lanes):
        sys.exit(f"failed: {', '.join(failed) or 'a lane'}")


if __name__ == "__main__":
    main()
