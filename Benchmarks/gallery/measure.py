"""Measures the gallery of a running server, and two that lay out in the browser; prints tables. Run by `run`."""

import argparse
import datetime
import os
import platform
import random
import subprocess

from playwright.sync_api import sync_playwright

import comparison
import quiet
import visit
from browser import Load, launch, median


def row(name, measured, bar="", is_met=None):
    print(f"| {name} | {measured} | {bar}{': missed' if is_met is False else ''} |")


def milliseconds(value):
    return f"{value / 1_000:,.1f} s" if value >= 10_000 else f"{value:,.0f} ms"


def megabytes(value):
    return f"{value / 1_000_000:,.1f} MB"


def gallery_table(first, runs, seen, screen, blank, options):
    print(f"\n| gallery, {options.photos:,} photos | measured | bar |\n|---|---|---|")
    note = f"median of {options.loads}"
    row(f"first colours after navigation, {note}", milliseconds(runs["cell"]))
    row(f"first placeholder, {note}", milliseconds(runs["placeholder"]), "300 ms", runs["placeholder"] <= 300)
    row(f"first picture, {note}", milliseconds(runs["picture"]), "1,000 ms", runs["picture"] <= 1_000)
    row("the same on the first visit after the server's start",
        ", ".join(milliseconds(first[name]) for name in ("cell", "placeholder", "picture")))
    row("layout shift, whole visit", f"{seen['shift']:.4g}", "0", seen["shift"] == 0)
    row("layout shift just after clicks", f"{seen['shiftAfterInput']:.4g}")
    tasks, limit = seen["tasks"], visit.TASK_LIMIT
    long = sum(task > limit for task in tasks)
    row(f"main-thread tasks over {limit} ms of processor time, {options.fling} s of flinging and {options.jumps} jumps", long, "0", long == 0)
    row("the longest three of these tasks", ", ".join(f"{task:.1f}" for task in tasks[:3]) + " ms")
    row("dropped frames while flinging; of a page without photos",
        f"{seen['dropped'] / max(1, seen['frames']):.1%} of {seen['frames']:,}; {blank:.1%}")
    row("elements in the scrolled content, at most; on the whole page at the end", f"{seen['elements']}; {seen['all']}", "300",
        seen["elements"] <= 300)
    row(f"bytes for a screen, {options.screens} in a row: about photos; pictures", f"{screen[0]:,.0f}; {screen[1]:,.0f}")
    sharp = seen["sharp"]
    row(f"scroll stop to all visible pictures sharp, median of {len(sharp)}; longest",
        f"{milliseconds(median(sharp))}; {milliseconds(sharp[-1])}", "300 ms", median(sharp) <= 300)


def heap_table(heaps, seen, options):
    first, minute, last = heaps[0], heaps[min(1, len(heaps) - 1)], heaps[-1]
    most = max(heap[1] for heap in heaps)
    print(f"\n| gallery, {options.photos:,} photos, a visit of {options.minutes:g} minutes | measured | bar |\n|---|---|---|")
    row("heap after garbage collection", f"{megabytes(first[1])} at first, {megabytes(minute[1])} after {minute[0]:.0f} s, "
        f"{megabytes(last[1])} at the end", "5 MB more", last[1] - first[1] <= 5_000_000)
    row("the most of all minutes", megabytes(most))
    row("of that, objects of scripts", ", ".join(megabytes(heap[2]) for heap in (first, minute, last)))
    row("layout shift", f"{seen['shift']:.4g}", "0", seen["shift"] == 0)
    row("elements in the scrolled content, at most", seen["elements"], "300", seen["elements"] <= 300)
    print("each minute: " + ", ".join(f"{heap[1] / 1e6:.1f}" for heap in heaps) + " MB")


LINES = [
    ("first photos", lambda one: milliseconds(one["first"])),
    ("all of the layout", lambda one: milliseconds(one["layout"])),
    ("received until then, about photos", lambda one: megabytes(one["metadata"])),
    ("memory of the page then", lambda one: megabytes(one["heap"])),
    ("memory after flinging and jumps", lambda one: megabytes(one["later"])),
    ("height of the content at first, against the true one", lambda one: f"{one['error']:+.1%}"),
    ("layout shift", lambda one: f"{one['shift']:.3g}"),
    ("tasks over 50 ms; the longest", lambda one: f"{one['long']}; {one['longest']:.0f} ms"),
    ("dropped frames", lambda one: f"{one['dropped']:.1%}"),
    ("elements in the content, at most", lambda one: f"{one['elements']}"),
]


def comparison_table(results):
    for size, one in results.items():
        print(f"\n| {size:,} photos | gallery | all sizes first | months as they are needed |\n|---|---|---|---|")
        for name, text in LINES:
            print(f"| {name} | " + " | ".join(text(one[other]) for other in comparison.NAMES) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address", help="the server, such as http://127.0.0.1:8080")
    parser.add_argument("naive", help="where the other galleries are")
    parser.add_argument("--sizes", required=True, help="the lengths of the streams, which are named after them")
    parser.add_argument("--pictures", type=int, required=True, help="the number of photos with pictures, which come first")
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--fling", type=int, required=True, help="seconds of flinging")
    parser.add_argument("--loads", type=int, required=True)
    parser.add_argument("--stops", type=int, required=True, help="how often scrolling is stopped to wait for pictures")
    parser.add_argument("--jumps", type=int, required=True, help="jumps in each gallery")
    parser.add_argument("--screens", type=int, required=True, help="screens of which the bytes are counted")
    parser.add_argument("--screenshots", help="a folder for screenshots")
    parser.add_argument("--only", choices=["visit", "heap", "comparison"])
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    options.photos = sizes[-1] + options.pictures
    if options.screenshots:
        os.makedirs(options.screenshots, exist_ok=True)
    random.seed(5)
    version = subprocess.run(["chromium", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(f"{datetime.date.today()}, {version}, {os.cpu_count()} cores, {platform.machine()}", flush=True)
    load = Load()
    with sync_playwright() as playwright:
        browser = launch(playwright)
        stream = f"photos-{sizes[-1]}"
        if options.only in (None, "visit"):
            print("    first paint", flush=True)
            first, runs = visit.first_paint(browser, options.address, stream, options.loads)
            print("    all pictures once", flush=True)
            visit.warm(browser, options.address, stream, options.pictures)
            print("    a page without photos, and bytes", flush=True)
            blank = visit.blank(browser, options.fling / 3)
            screen = visit.bytes_per_screen(browser, options.address, stream, options.screens)
            print("    the visit", flush=True)
            seen = visit.whole_visit(browser, options.address, stream, options)
            gallery_table(first, runs, seen, screen, blank, options)
        if options.only in (None, "heap"):
            print("    the long visit", flush=True)
            heap_table(*quiet.long_visit(visit.address(options.address, stream), options.minutes, options.pictures), options)
        if options.only in (None, "comparison"):
            results = {size + options.pictures: {
                name: comparison.measure(browser, name, options.address, options.naive, f"photos-{size}", options)
                for name in comparison.NAMES} for size in sizes}
            comparison_table(results)
        browser.close()
    print(f"\nthreads that wanted to run meanwhile, in the mean: {load.mean():.1f} on {os.cpu_count()} cores")


main()
