"""Flowers and blossom."""

from __future__ import annotations

import math
from random import Random

from PIL import Image, ImageDraw

from ..moods import mood_of
from ..paint import (
    along,
    area,
    around,
    below,
    glow,
    gradient,
    mix,
    noise,
    pour,
    rgb,
    ridge,
    shade,
    turned,
    wave,
)
from .land import backdrop, sun_in, tree


def petal(length: float, wide: float, point: float = 0.6) -> list:
    """A petal that starts at the origin and grows upward."""
    side = []
    for k in range(15):
        t = k / 14
        side.append((wide * math.sin(math.pi * t**point) ** 0.9, -length * t))
    return side + [(-x, y) for x, y in reversed(side)]


def poppies(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """A meadow of poppies under a wide sky."""
    mood = mood_of(o)
    image = backdrop(w, h, rng, mood, 0.5, 1.0)
    for k in range(2):
        pour(
            image,
            below((w, h), ridge(w, h * (0.44 + 0.04 * k), h * 0.045, wave(rng, 2.4, 4, 0.4))),
            [mix(mood.far, (96, 150, 90), 0.25 + 0.3 * k), mix(mood.far, (150, 190, 110), 0.5)],
            h * 0.4,
            h * 0.6,
        )
    for _ in range(9):
        tree(
            ImageDraw.Draw(image),
            rng,
            rng.random() * w,
            h * 0.485,
            h * rng.uniform(0.03, 0.06),
            mix(mood.far, (50, 96, 60), 0.6),
        )
    pour(
        image,
        below((w, h), ridge(w, h * 0.485, h * 0.01, wave(rng, 2))),
        [rgb("#a9bf62"), rgb("#6f9a45"), rgb("#2f5f2c")],
        h * 0.47,
        h,
    )
    draw = ImageDraw.Draw(image)
    flower = rgb(o.get("flower", "#e23b2e"))
    for k in range(1500):
        near = (k / 1500) ** 1.25
        y, x = h * (0.49 + 0.55 * near), rng.random() * w
        size = h * (0.002 + 0.036 * near**1.5)
        green = mix(rgb("#93b255"), rgb("#234d22"), near * rng.uniform(0.6, 1))
        for _ in range(2):
            lean = rng.uniform(-1, 1) * size * 1.3
            draw.line(
                (
                    x + rng.uniform(-3, 3) * size,
                    y + size * 2.5,
                    x + rng.uniform(-3, 3) * size + lean,
                    y - size * rng.uniform(0, 1.6),
                ),
                fill=green,
                width=max(1, round(size * 0.16)),
            )
        if rng.random() < 0.60:
            lean = rng.uniform(-0.5, 0.5) * size
            draw.line(
                (x + lean, y + size * 3, x, y), fill=mix(green, (20, 50, 20), 0.3), width=max(1, round(size * 0.12))
            )
            haze = 0.35 * (1 - near)
            for dx, dy, r, dark in (
                (-0.5, -0.1, 0.78, 0.12),
                (0.5, -0.12, 0.78, 0.04),
                (0, -0.35, 0.75, 0.2),
                (0, 0.12, 0.86, -0.1),
            ):
                tone = mix(flower, (90, 6, 20), dark) if dark > 0 else mix(flower, (255, 150, 110), -dark * 1.6)
                draw.ellipse(around(x + dx * size, y + dy * size, r * size, 0.78), fill=mix(tone, mood.sky[-1], haze))
            if size > 9:
                draw.ellipse(around(x, y - size * 0.05, size * 0.24, 0.8), fill=(38, 18, 30))
    return image


def sunflower(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """One flower, close up, with its seeds on Fibonacci spirals."""
    back = [rgb(c) for c in o.get("back", ["#7fbde0", "#bfe0ea", "#8db46a"])]
    image = gradient((w, h), back)
    blur = noise((w, h), rng, h / 3, 3)
    image = shade(image, blur.point([round(128 + (v - 128) * 0.25) for v in range(256)]))
    x, y, r = w * o.get("at", [0.5, 0.5])[0], h * o.get("at", [0.5, 0.5])[1], min(w, h) * 0.20
    draw = ImageDraw.Draw(image)
    draw.polygon(
        [(x - r * 0.12, y), (x + r * 0.12, y), (x + r * 0.30, h + 9), (x - r * 0.02, h + 9)], fill=rgb("#4f7d35")
    )
    for side, turn in ((-1, -1.9), (1, 1.75)):
        leaf = turned(petal(r * 2.3, r * 0.62, 0.7), x + r * 0.1, y + r * 2.3, turn)
        draw.polygon(leaf, fill=rgb("#5e9440") if side < 0 else rgb("#4a7d36"))
        draw.line(turned([(0, 0), (0, -r * 2.1)], x + r * 0.1, y + r * 2.3, turn), fill=rgb("#86b35c"), width=4)
    for ring, (count, long, tone) in enumerate(((27, 2.20, "#e8900c"), (27, 2.06, "#f7b21b"), (24, 1.80, "#ffd23c"))):
        for k in range(count):
            angle = (k + ring * 0.5 + rng.uniform(-0.12, 0.12)) / count * math.tau
            length = r * long * rng.uniform(0.92, 1.05)
            colour = mix(rgb(tone), (255, 236, 130), rng.uniform(0, 0.35))
            draw.polygon(turned(petal(length, r * 0.26), x, y, angle), fill=colour)
            draw.line(
                turned([(0, -r), (0, -length * 0.92)], x, y, angle), fill=mix(colour, (190, 90, 0), 0.35), width=3
            )
    draw.ellipse(around(x, y, r * 1.05), fill=rgb("#3a1f10"))
    golden = math.pi * (3 - math.sqrt(5))
    for k in range(620):
        far = math.sqrt(k / 620)
        a = k * golden
        px, py = x + math.cos(a) * far * r * 1.02, y + math.sin(a) * far * r * 1.02
        colour = along([rgb("#8fa64a"), rgb("#5a3b17"), rgb("#3c2110"), rgb("#a5691c"), rgb("#e0a52c")], far)
        size = r * (0.020 + 0.022 * far)
        draw.ellipse(around(px, py, size), fill=mix(colour, (20, 8, 0), 0.35))
        draw.ellipse(around(px - size * 0.2, py - size * 0.25, size * 0.62), fill=colour)
    return image


def tulips(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Tulip rows running to a windmill on the horizon."""
    mood = mood_of(o)
    line = h * 0.46
    image = backdrop(w, h, rng, mood, 0.47, 1.0)
    if "sun" in o:
        sun_in(image, mood, w * o["sun"][0], h * o["sun"][1], min(w, h) * 0.04)
    image.paste(
        mix(mood.far, (70, 110, 70), 0.5),
        (0, 0),
        below((w, h), ridge(w, line - h * 0.006, h * 0.018, wave(rng, 9, 4, 0.6))),
    )
    vanish = w * 0.58
    rows = [rgb(c) for c in ("#e63946", "#f7b731", "#b13e8f", "#f4f1ea", "#f26b3a", "#e84a78", "#6a3d9a")]
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, line, w, h), fill=rgb("#4d7a36"))
    count = 19
    for k in range(count):
        a, b = (k / count - 0.5) * w * 7 + vanish, ((k + 0.66) / count - 0.5) * w * 7 + vanish
        colour = rows[(k * 3) % len(rows)]
        mask = area(
            (w, h),
            [
                (vanish + (k - count / 2) * w * 0.016, line),
                (vanish + (k + 0.66 - count / 2) * w * 0.016, line),
                (b, h * 1.25),
                (a, h * 1.25),
            ],
        )
        layer = Image.new("RGB", (w, h))
        pour(
            layer,
            Image.new("L", (w, h), 255),
            [mix(colour, mood.sky[-1], 0.35), colour, mix(colour, (40, 10, 30), 0.2)],
            line,
            h,
        )
        image.paste(layer, (0, 0), mask)
    pixels = image.copy().load()
    for k in range(5200):
        near = (k / 5200) ** 1.1
        x, y = rng.random() * w, line + (h * 1.02 - line) * near
        size = h * (0.0012 + 0.017 * near)
        r, g, b = pixels[min(w - 1, int(x)), min(h - 1, int(y))]
        if g > r * 1.1 and g > b * 1.15:  # between the rows: leaves
            draw.line(
                (x, y, x + rng.uniform(-1, 1) * size, y - size * 1.4),
                fill=mix((r, g, b), (20, 50, 16), rng.uniform(0, 0.5)),
                width=max(1, round(size * 0.3)),
            )
        else:
            tone = mix((r, g, b), rng.choice([(255, 250, 235), (60, 10, 40)]), rng.uniform(0.05, 0.30))
            draw.ellipse((x - size * 0.5, y - size * 0.75, x + size * 0.5, y + size * 0.5), fill=tone)
    windmill(draw, w * 0.24, line + h * 0.012, h * 0.20, mood)
    return image


def windmill(draw: ImageDraw.ImageDraw, x: float, foot: float, size: float, mood) -> None:
    body, dark = mix((120, 84, 66), mood.far, 0.15), mix((66, 50, 48), mood.far, 0.15)
    draw.polygon(
        [
            (x - size * 0.24, foot),
            (x + size * 0.24, foot),
            (x + size * 0.13, foot - size * 0.75),
            (x - size * 0.13, foot - size * 0.75),
        ],
        fill=body,
    )
    draw.polygon(
        [
            (x + size * 0.06, foot),
            (x + size * 0.24, foot),
            (x + size * 0.13, foot - size * 0.75),
            (x + size * 0.03, foot - size * 0.75),
        ],
        fill=mix(body, dark, 0.5),
    )
    draw.pieslice((x - size * 0.16, foot - size * 0.95, x + size * 0.16, foot - size * 0.58), 180, 360, fill=dark)
    draw.rectangle((x - size * 0.32, foot - size * 0.30, x + size * 0.32, foot - size * 0.26), fill=dark)
    for k in range(4):
        angle = 0.5 + k * math.pi / 2
        draw.line(
            [(x, foot - size * 0.78)] + turned([(0, -size * 0.62)], x, foot - size * 0.78, angle),
            fill=dark,
            width=max(2, round(size * 0.022)),
        )
        draw.polygon(
            turned(
                [(0, -size * 0.12), (size * 0.12, -size * 0.12), (size * 0.12, -size * 0.60), (0, -size * 0.60)],
                x,
                foot - size * 0.78,
                angle,
            ),
            fill=mix((240, 230, 210), mood.far, 0.1),
            outline=dark,
        )


def blossom(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """A cherry tree in flower."""
    image = gradient((w, h), [rgb(c) for c in o.get("back", ["#a8cfe6", "#d8e9ee", "#fbeee6"])])
    glow(image, w * 0.74, h * 0.26, min(w, h) * 0.9, (255, 250, 230), 0.5)
    pour(
        image,
        below((w, h), ridge(w, h * 0.90, h * 0.03, wave(rng, 1.6, 3, 0.4))),
        [rgb("#b8d29a"), rgb("#7fa86b")],
        h * 0.87,
        h,
    )
    draw = ImageDraw.Draw(image)
    tips: list = []

    def grow(x: float, y: float, angle: float, length: float, thick: float) -> None:
        bend, px, py = rng.uniform(-0.12, 0.12), x, y
        for _ in range(5):
            angle += bend
            nx, ny = px + math.sin(angle) * length / 5, py - math.cos(angle) * length / 5
            draw.line(
                (px, py, nx, ny),
                fill=mix(rgb("#4a2f2c"), rgb("#8a6258"), min(1, 8 / thick)),
                width=max(2, round(thick)),
            )
            draw.ellipse(around(nx, ny, thick / 2), fill=mix(rgb("#4a2f2c"), rgb("#8a6258"), min(1, 8 / thick)))
            px, py, thick = nx, ny, thick * 0.95
            if thick < unit * 0.018:
                tips.append((px, py))
        if length > unit * 0.045:
            for turn in (rng.uniform(-0.75, -0.25), rng.uniform(0.2, 0.75)) + (
                (rng.uniform(-0.2, 0.2),) if rng.random() < 0.45 else ()
            ):
                grow(px, py, angle + turn, length * rng.uniform(0.68, 0.86), thick * 0.70)

    unit = min(w, h)
    grow(w * 0.44, h * 0.93, 0.05, unit * 0.25, unit * 0.055)
    soft = ImageDraw.Draw(image, "RGBA")
    pinks = [rgb(c) for c in o.get("petals", ["#f29cb7", "#f7bdd0", "#fbd9e3", "#fff1f4", "#e87fa3"])]
    for x, y in tips:
        for _ in range(5):
            px, py, s = (
                x + rng.gauss(0, 1) * unit * 0.020,
                y + rng.gauss(0, 1) * unit * 0.018,
                unit * rng.uniform(0.005, 0.012),
            )
            soft.ellipse(around(px, py, s), fill=rng.choice(pinks) + (225,))
    for _ in range(240):
        x, y = rng.random() * w, h * rng.random()
        if y > h * 0.9 or rng.random() < 0.4:
            soft.ellipse(around(x, y, unit * rng.uniform(0.003, 0.006), 0.6), fill=rng.choice(pinks) + (230,))
    return image


SCENES = {"poppies": poppies, "sunflower": sunflower, "tulips": tulips, "blossom": blossom}
