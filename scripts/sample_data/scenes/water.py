"""Seas and harbours."""

from __future__ import annotations

import math
from random import Random

from PIL import Image, ImageChops, ImageDraw

from ..moods import Mood, mood_of
from ..paint import (
    area,
    below,
    glow,
    gradient,
    levels,
    mix,
    noise,
    pour,
    reflect,
    relief,
    ridge,
    shade,
    sparkle,
    stars,
    turned,
    wave,
)
from .land import backdrop, sun_in


def open_water(image: Image.Image, rng: Random, mood: Mood, line: int, chop: float = 1) -> None:
    """Water from `line` down, with waves that grow toward the viewer."""
    w, h = image.size
    deep = h - line
    sheet = gradient((w, deep), mood.water)
    for part, strength in ((0.30, 0.35), (0.60, 0.5), (1.0, 0.65)):
        top = round(deep * (part - 0.35))
        waves = noise((w, deep), rng, max(4, deep * 0.05 * part * 2), 3, 7)
        lit = shade(sheet, relief(waves, 2, strength * chop))
        mask = Image.new("L", (w, deep), 255)
        mask.paste(gradient((w, max(2, round(deep * 0.3))), [(0,) * 3, (255,) * 3]).getchannel(0), (0, max(0, top)))
        if top > 0:
            mask.paste(0, (0, 0, w, top))
        sheet.paste(lit, (0, 0), mask)
    image.paste(sheet, (0, line))


def sailboat(image: Image.Image, x: float, y: float, size: float, sail, hull, lean: float = 0.06) -> None:
    draw = ImageDraw.Draw(image)
    shapes = [
        ([(-0.42, -0.06), (0.46, -0.06), (0.30, 0.08), (-0.30, 0.08)], hull),
        ([(0.02, -1.0), (0.02, -0.12), (0.40, -0.12)], mix(sail, (120, 110, 130), 0.18)),
        ([(-0.03, -0.92), (-0.03, -0.12), (-0.36, -0.12)], sail),
    ]
    for points, colour in shapes:
        draw.polygon(turned(points, x, y, lean, size), fill=colour)
    soft = ImageDraw.Draw(image, "RGBA")
    for k in range(9):
        dx, dy = size * 0.30 * math.sin(k * 2.4), size * (0.12 + 0.07 * k)
        soft.ellipse(
            (x + dx * 0.5 - size * 0.22, y + dy - size * 0.012, x + dx * 0.5 + size * 0.22, y + dy + size * 0.012),
            fill=sail + (110 - 10 * k,),
        )


def sea(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """The open sea under a low sun; `boats`, `sun`, `horizon`, `moon`."""
    mood = mood_of(o, "ember")
    line = round(h * o.get("horizon", 0.56))
    image = backdrop(w, h, rng, mood, line / h, o.get("clouds", 0.9))
    sun_x, sun_y = o.get("sun", [0.5, 0.82])
    if o.get("moon"):
        stars(image, rng, 260, line / h * 0.9)
    sun_in(image, mood, w * sun_x, line * sun_y, min(w, h) * o.get("disc", 0.06))
    if o.get("moon"):
        moon_marks(image, rng, w * sun_x, line * sun_y, min(w, h) * o.get("disc", 0.06), mood.sun)
    if o.get("islands"):
        for k in range(2):
            line_up = ridge(w, line + 2, h * 0.10, wave(rng, 2.2 + k, 5, 0.45))
            image.paste(
                mix(mood.far, mood.near, 0.35 * k + 0.1), (0, 0), below((w, h), [(x, y + h * 0.02) for x, y in line_up])
            )
    open_water(image, rng, mood, line, o.get("chop", 1))
    glow(image, w * sun_x, line, w * 0.35, mood.sun, 0.35)
    sparkle(image, rng, line, w * sun_x, mood.sun, o.get("glitter", 420), min(w, h) * 0.085)
    for k in range(o.get("boats", 1)):
        near = rng.random()
        x = w * (0.12 + 0.76 * (k + rng.uniform(0.2, 0.8)) / o.get("boats", 1))
        sailboat(
            image,
            x,
            line + h * (0.015 + 0.16 * near),
            h * (0.09 + 0.16 * near),
            mix(
                mood.sun,
                rng.choice([(255, 255, 255), (236, 120, 84), (240, 196, 90)]),
                0.4 if o.get("regatta") else 0.1,
            ),
            mix(mood.near, (20, 10, 20), 0.3),
            rng.uniform(-0.02, 0.12),
        )
    gulls(image, rng, w, line, mix(mood.near, (0, 0, 0), 0.2), o.get("gulls", 5))
    return image


def gulls(image: Image.Image, rng: Random, w: int, line: int, colour, count: int) -> None:
    draw = ImageDraw.Draw(image)
    for _ in range(count):
        x, y, s = rng.uniform(0.1, 0.9) * w, rng.uniform(0.2, 0.7) * line, min(w, line * 2) * rng.uniform(0.008, 0.018)
        for side in (-1, 1):
            draw.line(
                [(x + side * t * s, y - math.sin(t * 2.4) * s * 0.42) for t in (k / 8 for k in range(9))],
                fill=colour,
                width=max(2, round(s / 6)),
            )


def moon_marks(image: Image.Image, rng: Random, x: float, y: float, radius: float, colour) -> None:
    """The grey seas of the moon."""
    marks = levels(noise(image.size, rng, radius * 1.1, 4), 120, 175, 120)
    disc = area(
        image.size,
        [(x + math.cos(a * math.tau / 90) * radius, y + math.sin(a * math.tau / 90) * radius) for a in range(90)],
    )
    image.paste(mix(colour, (110, 118, 140), 0.75), (0, 0), ImageChops.multiply(marks, disc))


def harbour(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Moored boats on still water, with a town hill behind."""
    mood = mood_of(o, "dawn")
    line = round(h * 0.60)
    image = backdrop(w, h, rng, mood, line / h, 0.6)
    sun_in(image, mood, w * o.get("sun", 0.72), line * 0.66, min(w, h) * 0.035)
    for k in range(3):
        pour(
            image,
            below((w, h), ridge(w, line - h * (0.10 - 0.035 * k), h * 0.075, wave(rng, 2 + k, 5, 0.4))),
            [mix(mood.far, mood.near, 0.18 * k), mix(mix(mood.far, mood.near, 0.18 * k), mood.sky[-1], 0.4)],
            h * 0.4,
            line,
        )
    draw = ImageDraw.Draw(image)
    x = 0.0
    while x < w:
        wide, tall = h * rng.uniform(0.03, 0.055), h * rng.uniform(0.035, 0.085)
        wall = mix(
            mix(mood.far, mood.near, 0.45), rng.choice([(236, 210, 180), (214, 140, 120), (240, 226, 206)]), 0.35
        )
        draw.rectangle((x, line - tall, x + wide, line), fill=wall)
        draw.polygon(
            [(x - 2, line - tall), (x + wide / 2, line - tall - wide * 0.4), (x + wide + 2, line - tall)],
            fill=mix(mood.near, (150, 70, 60), 0.35),
        )
        for k in range(rng.randint(0, 3)):
            wx, wy = x + wide * rng.uniform(0.15, 0.7), line - tall * rng.uniform(0.3, 0.85)
            draw.rectangle((wx, wy, wx + wide * 0.14, wy + tall * 0.14), fill=(255, 222, 150))
        x += wide * rng.uniform(1.0, 1.25)
    image.paste(mix(mood.near, mood.far, 0.3), (0, line - max(2, h // 160), w, line))
    for k in range(o.get("boats", 6)):
        x = w * (0.08 + 0.84 * (k + rng.uniform(0.2, 0.8)) / o.get("boats", 6))
        fishing_boat(ImageDraw.Draw(image), rng, x, line + h * 0.012, h * rng.uniform(0.08, 0.14), mood)
    base = line + round(h * 0.012)
    reflect(image, base, mood.water[1], 0.28, w / 55, rng)
    draw = ImageDraw.Draw(image)
    dark = mix(mood.near, (10, 10, 18), 0.45)
    for k in range(5):
        t = k / 4
        x, top, foot, half = (
            w * (0.02 + 0.17 * (1 - t)),
            h * (0.70 + 0.11 * t),
            h * (0.78 + 0.25 * t),
            w * (0.004 + 0.006 * t),
        )
        draw.rectangle((x - half, top, x + half, foot), fill=dark)
    draw.polygon(
        [(-9, h * 0.84), (w * 0.19, h * 0.715), (w * 0.215, h * 0.715), (w * 0.10, h * 0.90), (-9, h * 0.99)],
        fill=mix(dark, mood.far, 0.22),
    )
    for k in range(9):
        t = k / 9
        draw.line(
            (w * 0.20 * (1 - t) - 9 * t, h * (0.715 + 0.13 * t), w * (0.212 - 0.1 * t), h * (0.718 + 0.18 * t)),
            fill=dark,
            width=2,
        )
    return image


def fishing_boat(draw: ImageDraw.ImageDraw, rng: Random, x: float, y: float, size: float, mood: Mood) -> None:
    hull = mix(
        rng.choice([(188, 62, 52), (40, 92, 130), (238, 232, 220), (44, 110, 96), (226, 168, 60)]), mood.near, 0.30
    )
    wood, mast = mix(mood.near, (90, 60, 44), 0.4), mix(mood.near, (30, 24, 30), 0.4)
    draw.line((x - size * 0.05, y, x - size * 0.05, y - size * 1.55), fill=mast, width=max(2, round(size * 0.035)))
    for dx in (-0.85, 0.85):
        draw.line((x - size * 0.05, y - size * 1.5, x + size * dx, y - size * 0.22), fill=mast, width=2)
    draw.rectangle(
        (x + size * 0.1, y - size * 0.52, x + size * 0.48, y - size * 0.1), fill=mix((244, 238, 226), mood.near, 0.22)
    )
    draw.rectangle((x + size * 0.16, y - size * 0.45, x + size * 0.30, y - size * 0.30), fill=mast)
    draw.polygon(
        [
            (x - size * 0.95, y - size * 0.30),
            (x - size * 0.55, y - size * 0.18),
            (x + size * 0.6, y - size * 0.18),
            (x + size * 0.92, y - size * 0.26),
            (x + size * 0.70, y + size * 0.06),
            (x - size * 0.68, y + size * 0.06),
        ],
        fill=hull,
    )
    draw.line(
        (x - size * 0.9, y - size * 0.24, x + size * 0.88, y - size * 0.2), fill=wood, width=max(2, round(size * 0.03))
    )


SCENES = {"sea": sea, "harbour": harbour}
