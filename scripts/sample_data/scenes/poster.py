"""Geometric posters, orientation charts and a cut-out with transparency."""

from __future__ import annotations

import math
from random import Random

from PIL import Image, ImageChops, ImageDraw

from ..paint import (
    along,
    around,
    glow,
    gradient,
    letter_f,
    levels,
    mix,
    noise,
    rgb,
    turned,
    wave,
)

SETS = {
    "bauhaus": ["#f3ead7", "#d8412f", "#1d3557", "#f2b632", "#2a9d8f", "#1b1b1e"],
    "sorbet": ["#fff4e6", "#ff8fa3", "#ffd166", "#06a77d", "#5e60ce", "#3d405b"],
    "forest": ["#f1efe0", "#2f5d50", "#a3b18a", "#d68c45", "#7a3b2e", "#1d2b28"],
    "nordic": ["#eef1f4", "#36547a", "#9db8d2", "#e2b33c", "#c8553d", "#16202e"],
    "candy": ["#fdf0f5", "#ef476f", "#ffd166", "#118ab2", "#8338ec", "#2b2d42"],
}


def colours_of(o: dict, default: str) -> list:
    return [rgb(c) for c in SETS[o.get("set", default)]]


def tiles(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """A grid of quarter circles, discs and arches."""
    c = colours_of(o, "bauhaus")
    across = o.get("across", 5)
    side = w / across
    image = Image.new("RGB", (w, h), c[0])
    draw = ImageDraw.Draw(image)
    for row in range(math.ceil(h / side)):
        for col in range(across):
            x, y = col * side, row * side
            back, front, third = rng.sample(c, 3)
            draw.rectangle((x, y, x + side, y + side), fill=back)
            kind, corner = rng.randint(0, 5), rng.randint(0, 3)
            cx, cy = x + side * (corner % 2), y + side * (corner // 2)
            start = (0, 90, 270, 180)[corner]
            if kind == 0:
                draw.pieslice(around(cx, cy, side), start, start + 90, fill=front)
            elif kind == 1:
                draw.pieslice(around(cx, cy, side), start, start + 90, fill=front)
                draw.pieslice(around(cx, cy, side * 0.55), start, start + 90, fill=third)
            elif kind == 2:
                draw.ellipse(around(x + side / 2, y + side / 2, side * 0.40), fill=front)
                draw.ellipse(around(x + side / 2, y + side / 2, side * 0.16), fill=third)
            elif kind == 3:
                draw.pieslice(around(x + side / 2, y + side, side / 2), 180, 360, fill=front)
                draw.pieslice(around(x + side / 2, y + side / 2, side / 2), 180, 360, fill=third)
            elif kind == 4:
                draw.polygon(
                    (
                        [(x, y), (x + side, y), (x, y + side)]
                        if corner % 2
                        else [(x, y), (x + side, y), (x + side, y + side)]
                    ),
                    fill=front,
                )
            else:
                for k in range(4):
                    draw.rectangle((x, y + side * k / 4, x + side, y + side * (k + 0.5) / 4), fill=front)
    return image


def arches(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Rainbow arches with a sun, in the manner of a print."""
    c = colours_of(o, "forest")
    image = Image.new("RGB", (w, h), c[0])
    draw = ImageDraw.Draw(image)
    unit = min(w, h)
    draw.ellipse(around(w * 0.68, h * 0.24, unit * 0.15), fill=c[3])
    for x, foot, r in ((0.33, 0.90, 0.46), (0.78, 0.94, 0.34)):
        for k in range(6):
            rr = r * unit * (1 - k * 0.155)
            fill = [c[1], c[0], c[2], c[0], c[4], c[0]][k]
            draw.pieslice(around(w * x, h * foot, rr), 180, 360, fill=fill)
            draw.rectangle((w * x - rr, h * foot - 1, w * x + rr, h), fill=fill)
    draw.rectangle((0, h * 0.93, w, h), fill=c[5])
    return image


def discs(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Overlapping discs that mix like inks."""
    c = colours_of(o, "candy")
    image = Image.new("RGB", (w, h), c[0])
    for k in range(o.get("count", 22)):
        layer = Image.new("RGB", (w, h), (255, 255, 255))
        x, y, r = rng.uniform(0.1, 0.9) * w, rng.uniform(0.1, 0.9) * h, min(w, h) * rng.uniform(0.08, 0.27)
        ImageDraw.Draw(layer).ellipse(around(x, y, r), fill=mix(rng.choice(c[1:5]), (255, 255, 255), 0.25))
        image = ImageChops.multiply(image, layer)
    return image


def scallops(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Rows of overlapping fans, like waves on cloth."""
    c = colours_of(o, "nordic")
    image = Image.new("RGB", (w, h), c[1])
    draw = ImageDraw.Draw(image)
    r = w / o.get("across", 7) / 2
    for row in range(-1, math.ceil(h / (r / 2)) + 3):
        for col in range(-1, o.get("across", 7) + 1):
            x, y = (col * 2 + 1 + row % 2) * r, row * r / 2
            lit = rng.random() < 0.12
            for k in range(5):
                tone = along([c[3], c[0]] if lit else [c[1], mix(c[2], c[0], 0.3)], (k % 2) * 0.85)
                draw.ellipse(around(x, y + r * 0.5, r * (1 - k * 0.2)), fill=tone)
    return image


def contours(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Height lines, as on a hiking map."""
    ramp = [rgb(c) for c in o.get("ramp", ["#12355b", "#2f6690", "#81b29a", "#f2e8cf", "#f2cc8f", "#e07a5f"])]
    land = levels(noise((w, h), rng, min(w, h) / 1.6, 3), 50, 205)
    steps = o.get("steps", 16)
    bands = land.point([round(min(steps - 1, v * steps // 256) / (steps - 1) * 255) for v in range(256)])
    tables = [along(ramp, v / 255) for v in range(256)]
    image = Image.merge("RGB", [bands.point([t[k] for t in tables]) for k in range(3)])
    edges = ImageChops.difference(bands, ImageChops.offset(bands, 2, 2)).point(lambda v: 120 if v else 0)
    image.paste((30, 30, 50), (0, 0), edges)
    return image


def threads(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Hundreds of fine lines that sway together."""
    c = colours_of(o, "nordic")
    image = gradient((w, h), [c[5], mix(c[5], c[1], 0.5)])
    draw = ImageDraw.Draw(image, "RGBA")
    one, two = wave(rng, 2.2, 3, 0.5), wave(rng, 1.4, 2, 0.5)
    count = o.get("count", 90)
    for k in range(count):
        t = k / (count - 1)
        colour = along([c[2], c[3], c[4], c[2]], t)
        line = []
        for x in range(-10, w + 20, 10):
            s = x / w
            line.append(
                (x, h * (0.5 + 0.55 * (t - 0.5) * (1 + 0.9 * two(s)) + 0.20 * one(min(1, max(0, s * 0.75 + t * 0.25)))))
            )
        draw.line(line, fill=colour + (150,), width=3)
    return image


def phases(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """The phases of the moon in a ring over paper hills."""
    image = gradient((w, h), [rgb("#0e1a33"), rgb("#1f3157"), rgb("#4a4f7c")])
    x, y, ring, r = w / 2, h * 0.44, min(w, h) * 0.33, min(w, h) * 0.058
    draw = ImageDraw.Draw(image)
    glow(image, x, y, ring * 0.9, (255, 236, 190), 0.35)
    for k in range(12):
        a = k / 12 * math.tau - math.pi / 2
        px, py, phase = x + math.cos(a) * ring, y + math.sin(a) * ring, k / 12
        draw.ellipse(around(px, py, r), fill=rgb("#2a3a63"))
        side = 1 if phase < 0.5 else -1
        bulge = -math.cos(phase * math.tau) * side
        outer = [(side * math.sin(t) * r, -math.cos(t) * r) for t in (n / 30 * math.pi for n in range(31))]
        inner = [(-bulge * math.sin(t) * r, -math.cos(t) * r) for t in (n / 30 * math.pi for n in range(30, -1, -1))]
        if k:
            draw.polygon([(px + dx, py + dy) for dx, dy in outer + inner], fill=rgb("#f6e7bf"))
    draw.ellipse(around(x, y, r * 1.9), fill=rgb("#f2b950"))
    for k in range(16):
        draw.polygon(
            turned([(-0.16, -2.2), (0.16, -2.2), (0, -2.9 if k % 2 else -2.55)], x, y, k / 16 * math.tau, r),
            fill=rgb("#f2b950"),
        )
    for k, tone in enumerate(("#3a4a7a", "#26355e", "#141f3d")):
        lie = wave(rng, 2, 2, 0.4)
        draw.polygon(
            [(px, h * (0.86 + 0.05 * k) - h * 0.035 * lie(px / w)) for px in range(0, w + 8, 8)] + [(w, h), (0, h)],
            fill=rgb(tone),
        )
    return image


CHARTS = [
    ("#2f80c1", "#bfe3f2", "#4f9d5d"),
    ("#e2634f", "#fbd3a8", "#7a4b3a"),
    ("#5b4fa3", "#d9c6ee", "#3b6e78"),
    ("#0f8b8d", "#d6f2e6", "#c9a65a"),
    ("#c9487a", "#fbd5dc", "#5c7f4a"),
    ("#d98e1f", "#fdecc0", "#4a6b8a"),
    ("#3a6ea5", "#f5c6aa", "#6b4a6e"),
    ("#2a9d4f", "#e6f5c9", "#8a5a3c"),
]


def chart(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """A letter F on a horizon, with as many dots as the orientation's number."""
    number = o["number"]
    top, low, land = (rgb(c) for c in CHARTS[number - 1])
    image = gradient((w, h), [top, low])
    unit = min(w, h)
    draw = ImageDraw.Draw(image)
    line = h * 0.74
    glow(image, w * 0.80, h * 0.24, unit * 0.42, (255, 250, 220), 0.7)
    draw.ellipse(around(w * 0.80, h * 0.24, unit * 0.085), fill=(255, 250, 226))
    for k, lift in enumerate((0.16, 0.09)):
        points = [
            (x, line - unit * lift * (0.5 + 0.5 * math.sin(x / w * (5 + 3 * k) + number + k * 2)))
            for x in range(0, w + 9, 9)
        ]
        draw.polygon(points + [(w, line), (0, line)], fill=mix(land, low, 0.62 - 0.25 * k))
    image.paste(gradient((w, h - round(line)), [mix(land, low, 0.2), mix(land, (0, 0, 0), 0.25)]), (0, round(line)))
    size = h * 0.50 if w >= h else w * 0.66
    x, y = w * 0.5 - size * 0.34, line - size + h * 0.012
    letter_f(image, x + size * 0.035, y + size * 0.035, size, mix(land, (0, 0, 0), 0.4) + (110,))
    letter_f(image, x, y, size, (255, 255, 255, 255))
    for k in range(number):
        ImageDraw.Draw(image).ellipse(
            around(w / 2 + (k - (number - 1) / 2) * unit * 0.085, h * 0.88, unit * 0.026), fill=(255, 255, 255)
        )
    return image


def sticker(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """A smiling sun on a transparent ground."""
    image = Image.new("RGBA", (w, h), (255, 200, 60, 0))
    draw = ImageDraw.Draw(image)
    x, y, r = w / 2, h / 2, min(w, h) * 0.25
    for k in range(16):
        long = 1.86 if k % 2 == 0 else 1.56
        ray = turned([(-0.22, -1.08), (0.22, -1.08), (0.05, -long), (-0.05, -long)], x, y, k / 16 * math.tau, r)
        draw.polygon(ray, fill=(244, 140, 40, 255) if k % 2 else (250, 186, 52, 255))
    draw.ellipse(around(x, y, r * 1.06), fill=(250, 176, 46, 255))
    draw.ellipse(around(x, y, r), fill=(255, 214, 84, 255))
    for side in (-1, 1):
        draw.ellipse(around(x + side * r * 0.62, y + r * 0.18, r * 0.17, 0.7), fill=(250, 150, 92, 255))
        draw.ellipse(around(x + side * r * 0.34, y - r * 0.16, r * 0.085), fill=(84, 48, 30, 255))
    draw.arc(around(x, y + r * 0.05, r * 0.46), 25, 155, fill=(84, 48, 30, 255), width=round(r * 0.07))
    return image


def glass(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Stained glass: jittered triangles in the colours of a sunset."""
    ramp = [
        rgb(c) for c in o.get("ramp", ["#12264f", "#51307c", "#c23a6b", "#f0843c", "#f9d56e", "#2c8c8a", "#0f4c5c"])
    ]
    across = o.get("across", 9)
    side = w / across
    down = math.ceil(h / side)
    knots = {}
    for row in range(-1, down + 2):
        for col in range(-1, across + 2):
            jitter = 0.33
            knots[row, col] = ((col + rng.uniform(-jitter, jitter)) * side, (row + rng.uniform(-jitter, jitter)) * side)
    image = Image.new("RGB", (w, h), rgb("#15151c"))
    draw = ImageDraw.Draw(image)
    for row in range(-1, down + 1):
        for col in range(-1, across + 1):
            a, b, c, d = knots[row, col], knots[row, col + 1], knots[row + 1, col], knots[row + 1, col + 1]
            for triangle in (((a, b, c), (b, d, c)) if rng.random() < 0.5 else ((a, b, d), (a, d, c))):
                middle = sum(p[1] for p in triangle) / 3 / h
                tone = along(ramp, middle + rng.uniform(-0.06, 0.06))
                draw.polygon(triangle, fill=mix(tone, rng.choice([(255, 255, 255), (0, 0, 0)]), rng.uniform(0, 0.18)))
                draw.line(list(triangle) + [triangle[0]], fill=rgb("#15151c"), width=max(3, round(side * 0.045)))
    x, y, r = w * 0.5, h * 0.52, side * 1.5
    for k in range(12):
        a, b = k / 12 * math.tau, (k + 1) / 12 * math.tau
        wedge = [(x, y), (x + math.cos(a) * r, y + math.sin(a) * r), (x + math.cos(b) * r, y + math.sin(b) * r)]
        draw.polygon(
            wedge,
            fill=mix(rgb("#fbe08a"), rgb("#f49d37"), (k % 3) / 3),
            outline=rgb("#15151c"),
            width=max(3, round(side * 0.045)),
        )
    return image


SCENES = {
    "tiles": tiles,
    "arches": arches,
    "discs": discs,
    "scallops": scallops,
    "contours": contours,
    "threads": threads,
    "phases": phases,
    "chart": chart,
    "sticker": sticker,
    "glass": glass,
}
