"""Lighthouses, ice and beaches."""

from __future__ import annotations

import math
from random import Random

from PIL import Image, ImageChops, ImageDraw

from ..moods import mood_of
from ..paint import (
    along,
    area,
    around,
    below,
    glow,
    gradient,
    levels,
    mix,
    noise,
    pour,
    relief,
    rgb,
    ridge,
    shade,
    soften,
    stars,
    turned,
    wave,
)
from .land import backdrop
from .water import open_water


def lighthouse(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """A striped tower on a cliff; `beam` for the night."""
    mood = mood_of(o, "lagoon")
    line = round(h * 0.66)
    image = backdrop(w, h, rng, mood, line / h, 0.7)
    if o.get("beam"):
        stars(image, rng, 420, 0.6)
    open_water(image, rng, mood, line, 1)
    x, size = w * o.get("at", 0.68), min(h * 0.42, w * 0.62)
    top = h * 0.16
    foot = top + size
    cliff = [(px, py) for px, py in ridge(w, 0, 1, wave(rng, 5, 6, 0.55))]
    edge = [
        (px, foot - h * 0.005 + max(0, (x - w * 0.13 - px) / w) ** 1.15 * h * 2.1 + py * h * 0.022) for px, py in cliff
    ]
    mask = below((w, h), edge)
    rock = Image.new("RGB", (w, h))
    pour(
        rock,
        Image.new("L", (w, h), 255),
        [
            mix(mood.near, (96, 132, 84), 0.45 if not o.get("beam") else 0.12),
            mix(mood.near, (96, 84, 76), 0.35),
            mix(mood.near, (0, 0, 0), 0.35),
        ],
        foot,
        h,
    )
    image.paste(shade(rock, relief(noise((w, h), rng, h / 8, 6), 5, 1.0)), (0, 0), mask)
    if o.get("beam"):
        for way in (-1, 1):
            light = area(
                (w, h),
                [(x, top + size * 0.07), (x + way * w * 1.2, top - h * 0.20), (x + way * w * 1.2, top + h * 0.16)],
            )
            fade = (
                Image.radial_gradient("L")
                .point([max(0, 200 - round(v * 1.05)) for v in range(256)])
                .resize((w * 2, w * 2))
            )
            fade = fade.crop((round(w - x), round(w - top), round(w - x) + w, round(w - top) + h))
            image.paste((255, 244, 200), (0, 0), ImageChops.multiply(soften(light, 6), fade))
    draw = ImageDraw.Draw(image)
    low, high = size * 0.115, size * 0.075
    dim = 0.45 if o.get("beam") else 0.04
    for k in range(5):
        a, b = k / 5, (k + 1) / 5
        ya, yb = foot - size * 0.80 * a, foot - size * 0.80 * b
        ra, rb = low + (high - low) * a, low + (high - low) * b
        draw.polygon(
            [(x - ra, ya), (x + ra, ya), (x + rb, yb), (x - rb, yb)],
            fill=mix((206, 56, 50) if k % 2 else (248, 244, 236), mood.near, dim),
        )
        draw.polygon(
            [(x + ra * 0.35, ya), (x + ra, ya), (x + rb, yb), (x + rb * 0.35, yb)],
            fill=mix((150, 36, 44) if k % 2 else (206, 204, 208), mood.near, dim + 0.05),
        )
    cap = foot - size * 0.80
    draw.rectangle((x - high * 1.35, cap - size * 0.02, x + high * 1.35, cap), fill=mix(mood.near, (30, 30, 36), 0.5))
    draw.rectangle(
        (x - high * 0.72, cap - size * 0.13, x + high * 0.72, cap),
        fill=(255, 236, 170) if o.get("beam") else mix(mood.sky[-1], (120, 150, 160), 0.3),
    )
    draw.pieslice(
        (x - high * 0.9, cap - size * 0.20, x + high * 0.9, cap - size * 0.06),
        180,
        360,
        fill=mix((190, 50, 46), mood.near, dim + 0.1),
    )
    for k in range(3):
        draw.rectangle(
            (x - low * 0.14, foot - size * (0.16 + 0.24 * k), x + low * 0.14, foot - size * (0.09 + 0.24 * k)),
            fill=mix(mood.near, (40, 44, 52), 0.5),
        )
    if o.get("beam"):
        glow(image, x, cap - size * 0.06, size * 0.5, (255, 240, 190), 0.9)
    return image


def iceberg(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """An iceberg, above and below the waterline."""
    mood = mood_of(o, "winter")
    line = round(h * 0.36)
    image = backdrop(w, h, rng, mood, line / h, 0.7)
    deep = [rgb(c) for c in ("#5cc3cf", "#1f86a4", "#0b4f78", "#06294a")]
    image.paste(gradient((w, h - line), deep), (0, line))
    x = w * 0.52
    tip, root = [
        (-0.20, line),
        (-0.15, line - h * 0.10),
        (-0.07, line - h * 0.14),
        (-0.02, line - h * 0.25),
        (0.05, line - h * 0.19),
        (0.10, line - h * 0.10),
        (0.20, line),
    ], []
    rough = wave(rng, 5, 4, 0.6)
    for k in range(25):
        a = k / 24
        root.append(
            (
                0.31 * math.cos(a * math.pi) * (1 - 0.15 * math.sin(a * math.pi)) + 0.035 * rough(a),
                max(line, line + math.sin(a * math.pi) ** 0.8 * h * 0.50 + 0.03 * h * rough(1 - a)),
            )
        )
    place = lambda points: [(x + px * w * min(1.25, max(1, h / w)), py) for px, py in points]
    ice = levels(noise((w, h), rng, h / 7, 5), 60, 200)
    facets = relief(ice, 14, 0.34)
    under = Image.new("RGB", (w, h))
    pour(
        under,
        Image.new("L", (w, h), 255),
        [rgb("#c9f3f1"), rgb("#7fd0dd"), rgb("#2f86b2"), rgb("#0f4a7c")],
        line,
        h * 0.92,
    )
    image.paste(shade(under, facets), (0, 0), soften(area((w, h), place([(0.20, line)] + root + [(-0.20, line)])), 2))
    over = Image.new("RGB", (w, h))
    pour(over, Image.new("L", (w, h), 255), [rgb("#ffffff"), rgb("#d5e9f3")], line - h * 0.25, line)
    image.paste(shade(over, facets), (0, 0), area((w, h), place(tip)))
    for _ in range(9):
        left, wide, slant = rng.random() * w, w * rng.uniform(0.02, 0.07), w * rng.uniform(0.10, 0.2)
        ray = area((w, h), [(left, line), (left + wide, line), (left + wide * 2.2 - slant, h), (left - slant, h)])
        fade = gradient((w, h), [(0,) * 3, (46,) * 3, (14,) * 3, (0,) * 3]).getchannel(0)
        image.paste((220, 255, 250), (0, 0), ImageChops.multiply(soften(ray, w / 90), fade))
    surf = wave(rng, 4, 3, 0.5)
    draw = ImageDraw.Draw(image)
    draw.line(
        [(px, line + h * 0.006 * surf(px / w)) for px in range(0, w + 6, 6)],
        fill=(236, 252, 252),
        width=max(3, h // 180),
    )
    draw2 = ImageDraw.Draw(image, "RGBA")
    for _ in range(70):
        draw2.ellipse(
            around(rng.random() * w, line + rng.random() * (h - line), h * rng.uniform(0.001, 0.004)),
            fill=(230, 255, 255, rng.randint(30, 110)),
        )
    return image


def beach(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """A beach from straight above, with umbrellas and towels."""
    sand = shade(gradient((w, h), [rgb("#f3dfb4"), rgb("#ecd09c")]), relief(noise((w, h), rng, h / 50, 4), 3, 0.35))
    image, shape = sand, wave(rng, 2.2 * max(1, w / h / 1.5), 4, 0.4)
    edge = lambda t, off: h * (o.get("shore", 0.52) + off) + h * 0.07 * shape(t)
    wet = below((w, h), [(x, edge(x / w, -0.05)) for x in range(0, w + 6, 6)])
    image.paste(rgb("#c9a878"), (0, 0), soften(wet, h / 110).point([round(v * 0.75) for v in range(256)]))
    water = gradient((w, h), [rgb("#a8ead9"), rgb("#a8ead9"), rgb("#5fd0cb"), rgb("#1a9bb5"), rgb("#0b6a97")])
    net = levels(noise((w, h), rng, h / 14, 3), 96, 160)
    caustic = net.point([255 - min(255, abs(v - 128) * 5) for v in range(256)])
    water.paste((214, 255, 246), (0, 0), caustic.point([round(v * 0.28) for v in range(256)]))
    image.paste(water, (0, 0), below((w, h), [(x, edge(x / w, 0)) for x in range(0, w + 6, 6)]))
    foam = noise((w, h), rng, h / 40, 3)
    for off, wide, strength in ((0.0, 0.016, 250), (0.05, 0.011, 190), (0.13, 0.008, 120)):
        lane = Image.new("L", (w, h), 0)
        ImageDraw.Draw(lane).line(
            [(x, edge(x / w + off * 0.3, off)) for x in range(0, w + 6, 6)], fill=strength, width=round(h * wide)
        )
        image.paste((255, 255, 255), (0, 0), ImageChops.multiply(soften(lane, 3), levels(foam, 60, 130)))
    spots = []
    for _ in range(400):
        x, y = rng.uniform(0.05, 0.95) * w, rng.uniform(0.05, o.get("shore", 0.52) - 0.14) * h
        if len(spots) < o.get("umbrellas", 9) and all(math.hypot(x - a, y - b) > h * 0.15 for a, b in spots):
            spots.append((x, y))
    shadows = Image.new("L", (w, h), 0)
    for x, y in spots:
        ImageDraw.Draw(shadows).ellipse(around(x + h * 0.022, y + h * 0.026, h * 0.055), fill=110)
    image.paste((90, 66, 60), (0, 0), soften(shadows, 5))
    draw = ImageDraw.Draw(image)
    colours = [rgb(c) for c in ("#e8504a", "#f2a63b", "#2f8fb3", "#f7f3ea", "#3fa67f", "#e77ba0")]
    for x, y in spots:
        turn = rng.random() * math.tau
        for k in range(2):
            towel = turned([(-0.022, 0.065), (0.022, 0.065), (0.022, 0.135), (-0.022, 0.135)], x, y, turn + k * 0.6, h)
            draw.polygon(towel, fill=mix(rng.choice(colours), (255, 255, 255), 0.3))
        colour, start = rng.choice(colours[:3] + colours[4:]), rng.uniform(0, 45)
        for k in range(8):
            lit = (255, 252, 244) if k % 2 else colour
            draw.pieslice(
                around(x, y, h * 0.055),
                start + 45 * k,
                start + 45 * k + 45,
                fill=mix(lit, (60, 50, 70), 0.10 * (1 + math.sin(math.radians(start + 45 * k)))),
            )
        draw.ellipse(around(x, y, h * 0.006), fill=(250, 246, 236))
    for _ in range(o.get("swimmers", 4)):
        x, y = rng.random() * w, h * rng.uniform(o.get("shore", 0.52) + 0.16, 0.93)
        draw.ellipse(around(x, y, h * 0.024), fill=rng.choice(colours[:2] + colours[3:4]))
        draw.ellipse(around(x, y, h * 0.012), fill=along([rgb("#5fd0cb"), rgb("#1a9bb5"), rgb("#0b6a97")], y / h))
    return image


SCENES = {"lighthouse": lighthouse, "iceberg": iceberg, "beach": beach}
