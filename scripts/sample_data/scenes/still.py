"""Leaves, fruit and a potted plant, from above."""

from __future__ import annotations

import math
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from ..paint import (
    along,
    around,
    gradient,
    mix,
    noise,
    relief,
    rgb,
    shade,
    soften,
    turned,
)
from .garden import petal


def leaves(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Fallen leaves, from above."""
    ground = [rgb(c) for c in o.get("ground", ["#3d4a3a", "#2a3530"])]
    image = shade(gradient((w, h), ground), relief(noise((w, h), rng, h / 24, 5), 3, 0.4))
    tones = [
        rgb(c) for c in o.get("tones", ["#d9482b", "#e8832a", "#f2b134", "#9c3322", "#c7a63a", "#7f8f3a", "#b85c24"])
    ]
    for k in range(o.get("count", 120)):
        x, y = rng.random() * w, rng.random() * h
        size, angle = min(w, h) * rng.uniform(0.07, 0.13), rng.random() * math.tau
        colour = mix(rng.choice(tones), (40, 26, 20), 0.45 * (1 - k / o.get("count", 120)))
        blade = (
            [petal(size, size * 0.30, 0.8)]
            if rng.random() < 0.6
            else [
                [
                    (px * math.cos(a) - py * math.sin(a), px * math.sin(a) + py * math.cos(a))
                    for px, py in petal(size * l, size * 0.20, 0.75)
                ]
                for a, l in ((-1.5, 0.62), (-0.75, 0.86), (0, 1.0), (0.75, 0.86), (1.5, 0.62))
            ]
        )
        shadow = Image.new("L", (round(size * 3), round(size * 3)), 0)
        for part in blade:
            ImageDraw.Draw(shadow).polygon(turned(part, size * 1.5, size * 1.5, angle), fill=130)
        shadow = soften(shadow, size * 0.05)
        image.paste((14, 12, 12), (round(x - size * 1.5 + size * 0.06), round(y - size * 1.5 + size * 0.08)), shadow)
        draw = ImageDraw.Draw(image)
        for part in blade:
            draw.polygon(turned(part, x, y, angle), fill=colour)
        vein = mix(colour, (255, 236, 180), 0.35)
        for a, l in (
            ((0, 1.0),) if len(blade) == 1 else ((-1.5, 0.6), (-0.75, 0.8), (0, 1.0), (0.75, 0.8), (1.5, 0.6))
        ):
            draw.line(
                turned([(0, size * (0.35 if a == 0 else 0)), (0, -size * l * 0.92)], x, y, angle + a),
                fill=vein,
                width=max(2, round(size * 0.018)),
            )
        if len(blade) == 1:
            for t in (0.25, 0.42, 0.58, 0.73):
                for side in (-1, 1):
                    draw.line(
                        turned([(0, -size * t), (side * size * 0.2, -size * (t + 0.13))], x, y, angle),
                        fill=vein,
                        width=2,
                    )
    return image


def citrus(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Slices of fruit in a neat pattern."""
    image = Image.new("RGB", (w, h), rgb(o.get("back", "#f7d9c9")))
    kinds = [
        ("#f28c28", "#ffb347", "#fff3dd"),
        ("#f2c21b", "#ffe066", "#fffbe6"),
        ("#7cb342", "#b5dd72", "#f6fde4"),
        ("#e2574c", "#ff8a75", "#ffe9e0"),
    ]
    across = o.get("across", 5)
    cell = w / across
    down = math.ceil(h / cell) + 1
    for row in range(-1, down + 1):
        for col in range(-1, across + 1):
            x, y = (col + 0.5 + 0.5 * (row % 2)) * cell, (row + 0.5) * cell * 0.9
            rind, flesh, pith = (rgb(c) for c in kinds[(col * 2 + row * 3) % 4])
            r, turn = cell * 0.40, rng.random() * math.tau
            shadow = Image.new("L", (round(r * 3), round(r * 3)), 0)
            ImageDraw.Draw(shadow).ellipse(around(r * 1.5, r * 1.5, r), fill=70)
            image.paste(
                (110, 40, 40), (round(x - r * 1.5 + r * 0.12), round(y - r * 1.5 + r * 0.16)), soften(shadow, r * 0.07)
            )
            draw = ImageDraw.Draw(image)
            draw.ellipse(around(x, y, r), fill=rind)
            draw.ellipse(around(x, y, r * 0.91), fill=pith)
            for k in range(9):
                a = turn + k / 9 * math.tau
                wedge = [(0.06, 0), (0.78, -0.27), (0.84, -0.18), (0.86, 0), (0.84, 0.18), (0.78, 0.27)]
                draw.polygon(turned(wedge, x, y, a, r), fill=mix(flesh, rind, 0.3 * rng.random()))
                for _ in range(4):
                    t, v = rng.uniform(0.35, 0.78), rng.uniform(-0.14, 0.14)
                    draw.line(
                        turned([(t - 0.12, v * 0.8), (t, v)], x, y, a, r),
                        fill=mix(flesh, (255, 255, 255), 0.4),
                        width=max(2, round(r * 0.02)),
                    )
    return image


def succulent(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """A rosette of fleshy leaves, seen from above."""
    tones = [rgb(c) for c in o.get("tones", ["#28484a", "#4d8075", "#8fbf9f", "#d9e8c4"])]
    tip = rgb(o.get("tip", "#d96a85"))
    image = gradient((w, h), [mix(tones[0], (0, 0, 0), 0.35), mix(tones[0], (0, 0, 0), 0.65)])
    x, y, golden = w * 0.5, h * 0.5, math.pi * (3 - math.sqrt(5))
    big = math.hypot(w, h) * 0.60
    for k in range(120):
        t = k / 119
        far = big * (1 - t) ** 0.85 + big * 0.03
        a = k * golden
        mask_size = far * 0.62
        colour = along(tones, t * 0.9 + rng.uniform(-0.03, 0.1))
        draw = ImageDraw.Draw(image)
        for shrink, tone in (
            (1.0, mix(colour, (6, 20, 24), 0.55)),
            (0.955, mix(colour, tip, 0.55)),
            (0.90, colour),
            (0.74, mix(colour, (255, 255, 240), 0.10)),
            (0.52, mix(colour, (255, 255, 240), 0.18)),
        ):
            leaf = [(px * shrink, py * (0.5 + 0.5 * shrink)) for px, py in petal(far, mask_size * 0.42, 1.5)]
            draw.polygon(turned(leaf, x, y, a), fill=tone)
    return image.filter(ImageFilter.GaussianBlur(1.2))


SCENES = {"leaves": leaves, "citrus": citrus, "succulent": succulent}
