"""Mountains, dunes and hills."""

from __future__ import annotations

import math
from random import Random

from PIL import Image, ImageChops, ImageDraw

from ..moods import Mood, mood_of
from ..paint import (
    Colour,
    area,
    around,
    below,
    glow,
    gradient,
    levels,
    mix,
    noise,
    pour,
    reflect,
    relief,
    rgb,
    ridge,
    shade,
    soften,
    wave,
)


def backdrop(w: int, h: int, rng: Random, mood: Mood, horizon: float, clouds: float = 0.5) -> Image.Image:
    """A sky down to `horizon` with some drifting cloud."""
    image = Image.new("RGB", (w, h), mood.sky[-1])
    image.paste(gradient((w, max(2, round(h * horizon))), mood.sky))
    if clouds > 0:
        drift = noise((w, h), rng, h / 3.2, 5, 3.2)
        mask = levels(drift, 150 - 40 * clouds, 235 - 30 * clouds, 215)
        fade = gradient((w, h), [(120,) * 3, (255,) * 3, (0,) * 3]).getchannel(0)
        image.paste(mood.cloud, (0, 0), ImageChops.multiply(mask, fade))
    return image


def sun_in(image: Image.Image, mood: Mood, x: float, y: float, radius: float) -> None:
    glow(image, x, y, radius * 14, mood.sun, 0.45, 2.2)
    glow(image, x, y, radius * 4, mood.sun, 0.7, 2)
    ImageDraw.Draw(image).ellipse(around(x, y, radius), fill=mood.sun)


def pine(draw: ImageDraw.ImageDraw, rng: Random, x: float, foot: float, height: float, colour: Colour) -> None:
    """A ragged conifer."""
    tiers = max(5, round(height / 12))
    half = height * rng.uniform(0.17, 0.23)
    left, right = [], []
    for i in range(tiers + 1):
        down = i / tiers
        reach = half * down**0.85 + 1
        y = foot - height * (1 - down * 0.94)
        left += [
            (x - reach * rng.uniform(0.25, 0.5), y - height / tiers * 0.45),
            (x - reach * rng.uniform(0.8, 1.15), y),
        ]
        right += [
            (x + reach * rng.uniform(0.25, 0.5), y - height / tiers * 0.45),
            (x + reach * rng.uniform(0.8, 1.15), y),
        ]
    draw.polygon([(x, foot - height * 1.04)] + right + left[::-1], fill=colour)
    draw.rectangle((x - height * 0.018, foot - height * 0.08, x + height * 0.018, foot + 4), fill=colour)


def pines(image: Image.Image, rng: Random, line, height: float, colour: Colour, gap: float) -> None:
    draw = ImageDraw.Draw(image)
    x = -gap
    while x < image.width + gap:
        pine(draw, rng, x, line(x / image.width), height * rng.uniform(0.5, 1.15), colour)
        x += gap * rng.uniform(0.45, 1.5)


def mountains(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Ranges behind ranges in the haze; `lake`, `pines`, `snow`, `layers`."""
    mood, lake = mood_of(o, "dawn"), o.get("lake", False)
    shore = h * (0.62 if lake else 1.0)
    image = backdrop(w, h, rng, mood, 0.72 if not lake else 0.5, o.get("clouds", 0.5))
    sun_x, sun_y = o.get("sun", [0.7, 0.22])
    if sun_y < 1:
        sun_in(image, mood, w * sun_x, shore * sun_y, min(w, h) * 0.03)
    layers, snow = o.get("layers", 5), o.get("snow", 0)
    peaks = min(6.0, max(1.5, 2.2 * w / h))
    for i in range(layers):
        near = i / max(1, layers - 1)
        base = shore * (0.50 + 0.46 * near**1.1)
        tall = shore * (0.30 - 0.14 * near) * o.get("tall", 1)
        line = ridge(w, base, tall, wave(rng, peaks * (0.8 + near), 7, 0.52))
        mask = below((w, h), line)
        body = mix(mood.far, mood.near, near)
        haze = mix(body, mood.sky[-1], 0.55 * (1 - near * 0.75))
        layer = Image.new("RGB", (w, h))
        pour(layer, Image.new("L", (w, h), 255), [body, haze], base - tall, base + shore * 0.3)
        rock = noise((w, h), rng, min(w, h) / 9, 6)
        if snow and near < snow:
            depth = gradient((w, h), [(255,) * 3, (0,) * 3]).getchannel(0)
            start, end = base - tall * 0.9, base + tall * 0.25
            depth = depth.point(
                [
                    (
                        255
                        if v > 255 * (1 - start / h)
                        else round(255 * max(0, (v / 255 - 1 + end / h) / ((end - start) / h)))
                    )
                    for v in range(256)
                ]
            )
            cover = levels(ImageChops.add(depth, rock, 2, 0), 118, 146)
            white = mix((250, 250, 255), mood.sky[-2], 0.25 + 0.25 * (1 - near))
            layer.paste(white, (0, 0), cover)
        layer = shade(layer, relief(rock, max(2, round(min(w, h) / 260)), 0.45 + 0.95 * near))
        image.paste(layer, (0, 0), mask)
    if lake:
        reflect(image, round(shore), mood.water[1], 0.32, min(w, h) / 38, rng)
        draw = ImageDraw.Draw(image, "RGBA")
        draw.line((0, shore, w, shore), fill=mood.sky[-1] + (150,), width=max(2, h // 300))
    if o.get("pines"):
        lie = wave(rng, 1.6, 3, 0.4)
        rise = lambda t: h * (0.985 - 0.045 * lie(t))
        dark = mix(mood.near, (0, 0, 0), 0.45)
        image.paste(dark, (0, 0), below((w, h), [(x, rise(x / w)) for x in range(0, w + 8, 8)]))
        pines(image, rng, rise, h * 0.20, dark, h * 0.045)
    return image


def dunes(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Sand hills with a lit and a shadowed side."""
    mood = mood_of(o, "gold")
    image = backdrop(w, h, rng, mood, 0.5, 0.25)
    sun_in(image, mood, w * 0.24, h * 0.20, min(w, h) * 0.035)
    light, dark = rgb(o.get("light", "#f3c078")), rgb(o.get("dark", "#7d3f2c"))
    for i in range(5):
        near = i / 4
        shape = wave(rng, 1.1 + (1 - near) * 2.2, 3, 0.32)
        base, tall = h * (0.44 + 0.40 * near), h * (0.07 + 0.12 * near)
        line = ridge(w, base, tall, shape)
        mask = below((w, h), line)
        lit = mix(mix(light, mood.sky[-1], 0.5), light, near)
        layer = Image.new("RGB", (w, h))
        pour(layer, Image.new("L", (w, h), 255), [lit, mix(lit, dark, 0.45)], base - tall, base + h * 0.42)
        ripples = noise((w, h), rng, h / 42, 2, 9).rotate(-8 + 5 * i, Image.Resampling.BICUBIC, fillcolor=128)
        layer = shade(layer, relief(ripples, 3, 0.10 + 0.26 * near))
        # The side away from the sun: from each crest down to the right.
        crest = max(range(len(line) // 6, len(line) * 5 // 6), key=lambda n: -line[n][1])
        fall = wave(rng, 2, 2, 0.4)
        edge = [
            (line[crest][0] + (t * 0.55 + 0.06 * fall(t) * t) * w * 0.8, line[crest][1] + t * h * 0.62)
            for t in (k / 40 for k in range(41))
        ]
        shadow = area((w, h), line[crest:] + [(w + 9, h + 9)] + edge[::-1])
        shadow = ImageChops.multiply(shadow, mask).point([round(v * 0.72) for v in range(256)])
        layer.paste(mix(mix(dark, mood.sky[-2], 0.35), dark, near), (0, 0), soften(shadow, 1.5))
        image.paste(layer, (0, 0), mask)
    return image


FIELDS = {
    "spring": ["#bcd68a", "#8fbf63", "#5f9e4b", "#3d7f43", "#2b6238"],
    "summer": ["#d9cf92", "#e3c25c", "#b8b04c", "#7f9a3e", "#4c7431"],
    "autumn": ["#d8b48a", "#d18f45", "#b8612f", "#8f4528", "#5a3323"],
}


def hills(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Rolling farmland with furrows, trees and a red-roofed house."""
    mood = mood_of(o)
    fields = [rgb(c) for c in FIELDS[o.get("season", "spring")]]
    image = backdrop(w, h, rng, mood, 0.6, o.get("clouds", 0.9))
    for i, colour in enumerate(fields):
        near = i / (len(fields) - 1)
        shape = wave(rng, 1.2 + 1.4 * (1 - near), 3, 0.35)
        base, tall = h * (0.50 + 0.36 * near), h * 0.075
        colour = mix(mix(colour, mood.sky[-1], 0.55), colour, min(1, 0.25 + near))
        line = ridge(w, base, tall, shape)
        layer = Image.new("RGB", (w, h))
        pour(
            layer,
            Image.new("L", (w, h), 255),
            [mix(colour, (255, 250, 210), 0.22), mix(colour, (20, 40, 20), 0.22)],
            base - tall,
            base + h * 0.24,
        )
        draw = ImageDraw.Draw(layer, "RGBA")
        tip = w * rng.uniform(-0.3, 1.3)
        for k in range(46):
            foot = -0.6 * w + k * w * 2.2 / 46
            draw.line(
                [
                    (tip + (foot - tip) * t**1.2, base - tall * 2 + t * h * 0.62 + shape(0.5) * 10)
                    for t in (n / 12 for n in range(13))
                ],
                fill=mix(colour, (30, 46, 20), 0.5) + (34 + round(40 * near),),
                width=max(2, round(2 + 4 * near)),
            )
        image.paste(layer, (0, 0), below((w, h), line))
        draw = ImageDraw.Draw(image)
        for _ in range(rng.randint(3, 7)):
            x = rng.random() * w
            tree(
                draw,
                rng,
                x,
                base - tall * shape(x / w) + 3,
                h * (0.022 + 0.06 * near),
                mix(fields[-1], mood.sky[-1], 0.5 * (1 - near)),
            )
        if i == 2:
            x = w * rng.uniform(0.3, 0.7)
            house(draw, x, base - tall * shape(x / w) + 6, h * 0.05)
    return image


def tree(draw: ImageDraw.ImageDraw, rng: Random, x: float, foot: float, size: float, colour: Colour) -> None:
    """A round tree, lit from the upper left."""
    draw.rectangle((x - size * 0.06, foot - size * 0.6, x + size * 0.06, foot), fill=mix(colour, (40, 24, 16), 0.7))
    for k in range(26):
        angle, far = rng.random() * math.tau, rng.random() ** 0.6
        px, py = x + math.cos(angle) * far * size * 0.42, foot - size * 0.95 + math.sin(angle) * far * size * 0.42
        light = 0.5 - (px - x + py - foot + size * 0.95) / size * 0.55
        draw.ellipse(
            around(px, py, size * 0.17),
            fill=mix(mix(colour, (10, 26, 18), 0.45), mix(colour, (255, 244, 170), 0.35), light),
        )


def house(draw: ImageDraw.ImageDraw, x: float, foot: float, size: float) -> None:
    draw.rectangle((x - size * 0.75, foot - size * 0.62, x + size * 0.75, foot), fill=(246, 236, 218))
    draw.rectangle((x + size * 0.3, foot - size * 1.3, x + size * 0.46, foot - size * 0.7), fill=(148, 84, 66))
    draw.polygon(
        [
            (x - size * 0.9, foot - size * 0.58),
            (x - size * 0.6, foot - size * 1.15),
            (x + size * 0.6, foot - size * 1.15),
            (x + size * 0.9, foot - size * 0.58),
        ],
        fill=(184, 68, 48),
    )
    for dx in (-0.5, -0.1, 0.32):
        draw.rectangle(
            (x + size * dx, foot - size * 0.45, x + size * (dx + 0.18), foot - size * 0.22), fill=(76, 92, 108)
        )


def mesa(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Table mountains of banded rock in a desert, with a few cacti."""
    mood = mood_of(o, "ember")
    image = backdrop(w, h, rng, mood, 0.7, 0.6)
    sun_in(image, mood, w * 0.62, h * 0.40, min(w, h) * 0.05)
    ground = h * 0.70
    for i in range(3):
        near = i / 2
        colour = mix(mix(mood.far, mood.sky[-1], 0.25), (96, 34, 34), near)
        for _ in range(3 - i):
            middle, half, top = (
                rng.uniform(0.05, 0.95) * w,
                w * rng.uniform(0.06, 0.15) * (1 + 0.3 * near),
                h * rng.uniform(0.34, 0.50),
            )
            foot = ground + h * 0.03 * i
            rough = wave(rng, 9, 3, 0.5)
            edge = [
                (-1.7, foot),
                (-1.15, foot - (foot - top) * 0.36),
                (-1.0, top),
                (1.0, top),
                (1.12, foot - (foot - top) * 0.36),
                (1.7, foot),
            ]
            shape = []
            for (ax, ay), (bx, by) in zip(edge, edge[1:]):
                for k in range(12):
                    t = k / 12
                    shape.append(
                        (
                            middle + half * (ax + (bx - ax) * t) + half * 0.07 * rough(t + ax / 9 + 0.3),
                            ay + (by - ay) * t + h * 0.006 * rough(abs(t - 0.2)),
                        )
                    )
            mask = area((w, h), shape + [(middle + half * 1.7, foot)])
            layer = Image.new("RGB", (w, h))
            pour(
                layer,
                Image.new("L", (w, h), 255),
                [mix(colour, (255, 190, 120), 0.25), colour, mix(colour, (40, 10, 24), 0.3)],
                top,
                foot,
            )
            layer = shade(layer, relief(noise((w, h), rng, h / 26, 3, 14), 3, 0.7))
            layer = shade(layer, relief(noise((w, h), rng, h / 9, 4, 0.4), 4, 0.2))
            image.paste(layer, (0, 0), mask)
        pour(
            image,
            below((w, h), ridge(w, ground + h * 0.04 * i, h * 0.008, wave(rng, 6))),
            [mix(colour, mood.sky[-1], 0.35 - 0.1 * i), mix(mood.near, (90, 40, 40), 0.5)],
            ground,
            h,
        )
    draw, dark = ImageDraw.Draw(image), mix(mood.near, (16, 20, 16), 0.5)
    for x, size in ((0.14, 0.30), (0.30, 0.13), (0.88, 0.2)):
        cactus(draw, x * w, h * (0.86 + size * 0.36), size * h, dark)
    return image


def cactus(draw: ImageDraw.ImageDraw, x: float, foot: float, size: float, colour: Colour) -> None:
    t = size * 0.075
    draw.rounded_rectangle((x - t, foot - size, x + t, foot), t, fill=colour)
    for side, low, high in ((-1, 0.40, 0.74), (1, 0.52, 0.86)):
        out = x + side * size * 0.25
        draw.rounded_rectangle(
            (
                min(x, out) - t * 0.75,
                foot - size * low - t * 0.75,
                max(x, out) + t * 0.75,
                foot - size * low + t * 0.75,
            ),
            t * 0.75,
            fill=colour,
        )
        draw.rounded_rectangle(
            (out - t * 0.75, foot - size * high, out + t * 0.75, foot - size * low + t * 0.75), t * 0.75, fill=colour
        )


SCENES = {"mountains": mountains, "dunes": dunes, "hills": hills, "mesa": mesa}
