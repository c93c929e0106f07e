"""Skylines, gabled houses, a bridge and a cabin in the snow."""

from __future__ import annotations

import math
from random import Random

from PIL import Image, ImageChops, ImageDraw

from ..moods import mood_of
from ..paint import (
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
    stars,
    wave,
)
from .land import backdrop, pine, sun_in
from .water import open_water


def skyline(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Towers in three rows; lit windows at night; `river` mirrors them."""
    mood = mood_of(o, "dusk")
    ground = h * (0.72 if o.get("river", True) else 1.0)
    image = backdrop(w, h, rng, mood, min(1, ground / h + 0.02), 0.6)
    if o.get("lights", True):
        stars(image, rng, 120, 0.3)
    if "sun" in o:
        sun_in(image, mood, w * o["sun"][0], h * o["sun"][1], min(w, h) * 0.07)
    lamp = mix(mood.sun, (255, 196, 104), 0.6)
    unit = min(h, w * 0.8)
    for row in range(3):
        near = row / 2
        wall = mix(mix(mood.far, mood.sky[-1], 0.25), mix(mood.near, (8, 8, 20), 0.2), near**0.8)
        x = -unit * 0.05
        hump = wave(rng, max(1.6, 1.6 * w / h), 2, 0.5)
        while x < w:
            wide = unit * rng.uniform(0.05, 0.11) * (1 + 0.3 * near)
            tall = (
                ground * (0.50 - 0.15 * near) * (0.62 + 0.42 * hump(min(1, max(0, x / w))) + rng.uniform(-0.16, 0.34))
            )
            tower(
                ImageDraw.Draw(image),
                rng,
                x,
                ground,
                wide,
                max(unit * 0.06, tall),
                wall,
                lamp,
                o.get("lights", True),
                0.18 + 0.24 * near,
            )
            x += wide * rng.uniform(0.86, 1.35)
    if o.get("river", True):
        reflect(image, round(ground), mood.water[-1], 0.32, w / 60 if w < h * 3 else h / 40, rng)
    return image


def tower(
    draw, rng: Random, x: float, ground: float, wide: float, tall: float, wall, lamp, lights: bool, lit: float
) -> None:
    top = ground - tall
    draw.rectangle((x, top, x + wide, ground), fill=wall)
    roof = rng.randint(0, 5)
    if roof == 0:
        draw.line((x + wide / 2, top - tall * 0.28, x + wide / 2, top), fill=wall, width=max(2, round(wide * 0.05)))
        draw.rectangle((x + wide * 0.25, top - tall * 0.06, x + wide * 0.75, top), fill=wall)
    elif roof == 1:
        draw.polygon([(x, top), (x + wide / 2, top - wide * 0.55), (x + wide, top)], fill=wall)
    elif roof == 2:
        draw.polygon([(x, top), (x, top - wide * 0.4), (x + wide, top)], fill=wall)
    elif roof == 3:
        draw.pieslice((x, top - wide / 2, x + wide, top + wide / 2), 180, 360, fill=wall)
    shadow = mix(wall, (0, 0, 10), 0.18)
    draw.rectangle((x + wide * 0.72, top + 1, x + wide, ground), fill=shadow)
    columns = max(3, round(wide / 14))
    step = wide / (columns + 0.6)
    y = top + step * 0.8
    pane = lambda: mix(lamp, rng.choice([(255, 255, 255), (255, 150, 70), (190, 220, 255)]), rng.uniform(0, 0.35))
    while y < ground - step * 1.2:
        for k in range(columns):
            wx = x + step * (0.5 + k)
            if lights:
                if rng.random() < lit:
                    draw.rectangle((wx, y, wx + step * 0.52, y + step * 0.62), fill=pane())
            else:
                draw.rectangle((wx, y, wx + step * 0.55, y + step * 0.6), fill=mix(wall, (255, 255, 255), 0.16))
        y += step * 1.25


PAINTS = ["#d9573f", "#e9a23b", "#f2cf63", "#5d9c8a", "#3f7f9f", "#c7748a", "#e8dcc5", "#8a6fa0", "#7aa65a", "#d98457"]


def houses(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """A row of painted gable houses on a canal."""
    mood = mood_of(o)
    line = round(h * o.get("line", 0.70))
    image = backdrop(w, h, rng, mood, line / h, 0.8)
    draw = ImageDraw.Draw(image)
    count = o.get("count", max(3, round(7 * w / h / 1.5)))
    width = w / count
    last = None
    night = o.get("mood") in ("night", "dusk")
    for k in range(count):
        paint = rng.choice([p for p in PAINTS if p != last])
        last = paint
        wall = mix(rgb(paint), mood.near, 0.5 if night else 0.04)
        gable_house(draw, rng, width * k, line, width, h * rng.uniform(0.34, 0.47), wall, night)
    stone = mix((150, 142, 134), mood.near, 0.45 if night else 0.1)
    draw.rectangle((0, line - h * 0.022, w, line + 2), fill=stone)
    for k in range(round(w / (h * 0.03))):
        draw.line((k * h * 0.03, line - h * 0.022, k * h * 0.03, line), fill=mix(stone, (40, 40, 46), 0.3), width=2)
    reflect(image, line, mix(mood.water[-1], (20, 60, 70), 0.3), 0.34, w / 46, rng)
    draw = ImageDraw.Draw(image)
    for k in range(o.get("boats", 2)):
        x, y, s = w * (0.2 + 0.5 * k + rng.uniform(-0.05, 0.1)), line + h * (0.07 + 0.08 * k), h * (0.09 + 0.03 * k)
        draw.ellipse((x - s * 0.9, y - s * 0.02, x + s * 0.9, y + s * 0.16), fill=mix(mood.water[-1], (0, 0, 0), 0.3))
        draw.polygon(
            [(x - s, y - s * 0.16), (x + s, y - s * 0.16), (x + s * 0.74, y + s * 0.1), (x - s * 0.74, y + s * 0.1)],
            fill=mix((110, 60, 40), mood.near, 0.3 if night else 0),
        )
        draw.line(
            (x - s * 1.02, y - s * 0.16, x + s * 1.02, y - s * 0.16),
            fill=(238, 226, 200),
            width=max(2, round(s * 0.05)),
        )
    return image


def gable_house(draw, rng: Random, x: float, ground: float, wide: float, tall: float, wall, night: bool) -> None:
    top, middle = ground - tall, x + wide / 2
    roof = mix(wall, (74, 40, 36), 0.6)
    kind = rng.randint(0, 2)
    if kind == 0:
        gable = [(x, top), (middle, top - wide * 0.55), (x + wide, top)]
    elif kind == 1:  # a stepped gable
        gable = [(x, top)]
        for k in range(4):
            gable += [
                (x + wide * k / 8, top - wide * 0.13 * (k + 1)),
                (x + wide * (k + 1) / 8, top - wide * 0.13 * (k + 1)),
            ]
        gable += [(2 * middle - px, py) for px, py in reversed(gable)]
    else:  # a bell gable
        gable = [
            (x + wide * (0.5 + 0.5 * t), top - wide * 0.30 * (1 + math.cos(t * math.pi)))
            for t in (k / 12 for k in range(-12, 13))
        ]
    draw.polygon(gable, fill=wall, outline=roof, width=max(2, round(wide * 0.025)))
    draw.rectangle((x, top, x + wide, ground), fill=wall)
    draw.rectangle((x + wide * 0.94, top, x + wide, ground), fill=mix(wall, (30, 20, 40), 0.25))
    frame, dark = mix(wall, (255, 255, 255), 0.35 if night else 0.8), (62, 82, 98)
    rows = max(2, round(tall / (wide * 0.46)))
    for r in range(rows):
        for c in range(3):
            wx, wy = x + wide * (0.13 + 0.28 * c), top + tall * (r + 0.16) / rows
            wide2, tall2 = wide * 0.18, tall / rows * 0.60
            if r == rows - 1 and c == 1:
                draw.rectangle(
                    (wx - 2, wy, wx + wide2 + 2, ground), fill=mix(roof, (20, 30, 40), 0.5), outline=frame, width=3
                )
                continue
            glass = (
                (255, 214, 130) if night and rng.random() < 0.6 else mix(dark, (150, 190, 210), rng.uniform(0, 0.35))
            )
            draw.rectangle((wx - 4, wy - 4, wx + wide2 + 4, wy + tall2 + 4), fill=frame)
            draw.rectangle((wx, wy, wx + wide2, wy + tall2), fill=glass)
            draw.line((wx + wide2 / 2, wy, wx + wide2 / 2, wy + tall2), fill=frame, width=3)
            draw.line((wx, wy + tall2 * 0.45, wx + wide2, wy + tall2 * 0.45), fill=frame, width=3)
    draw.ellipse(around(middle, top - wide * 0.14, wide * 0.075), fill=dark, outline=frame, width=4)


def bridge(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """A suspension bridge, its far end in the fog."""
    mood = mood_of(o, "gold")
    line = round(h * 0.74)
    image = backdrop(w, h, rng, mood, line / h, 0.8)
    if "sun" in o:
        sun_in(image, mood, w * o["sun"][0], h * o["sun"][1], min(w, h) * 0.05)
    for k in range(2):
        pour(
            image,
            below((w, h), ridge(w, line - h * 0.07 * (1 - k), h * 0.09, wave(rng, 1.8 + k, 5, 0.42))),
            [mix(mood.far, mood.near, 0.25 * k), mix(mood.far, mood.sky[-1], 0.6)],
            h * 0.5,
            line,
        )
    open_water(image, rng, mood, line, 0.9)
    steel = rgb(o.get("steel", "#b8402f"))
    deck = h * 0.585
    towers, crown, sag = [w * 0.24, w * 0.78], h * 0.20, h * 0.55
    draw = ImageDraw.Draw(image)
    tint = lambda x: mix(steel, mood.sky[-1], 0.10 + 0.55 * max(0, x / w) ** 1.5)

    def cable(x: float) -> float:
        a, b = towers
        if a <= x <= b:
            t = (x - a) / (b - a) * 2 - 1
            return sag - (sag - crown) * t * t
        return crown + (deck - crown) * min(1, abs(x - (a if x < a else b)) / (w * 0.27)) ** 1.15

    step = max(8, round(w / 70))
    for x in range(0, w + step, step):
        draw.line((x, cable(x), x, deck), fill=tint(x), width=2)
    for x in range(0, w, 8):
        draw.line((x, cable(x), x + 8, cable(x + 8)), fill=tint(x), width=max(4, round(h * 0.008)))
        draw.rectangle((x, deck, x + 8, deck + h * 0.018), fill=tint(x))
        draw.rectangle((x, deck + h * 0.03, x + 8, deck + h * 0.034), fill=tint(x))
    for x in range(0, w, step * 2):
        draw.line(
            (x, deck + h * 0.032, x + step, deck + h * 0.015, x + step * 2, deck + h * 0.032), fill=tint(x), width=3
        )
    for x in towers:
        half = h * 0.022
        draw.polygon(
            [
                (x - half, crown - h * 0.02),
                (x + half, crown - h * 0.02),
                (x + half * 1.5, line + h * 0.02),
                (x - half * 1.5, line + h * 0.02),
            ],
            fill=tint(x),
        )
        for k in range(4):
            y = crown + h * 0.045 + k * h * 0.088
            draw.rectangle(
                (x - half * 0.45, y, x + half * 0.45, y + h * 0.062), fill=mix(mood.sky[2], mood.sky[-1], 0.4)
            )
        draw.rectangle(
            (x - half * 2.4, line - h * 0.012, x + half * 2.4, line + h * 0.03),
            fill=mix(mood.near, mood.sky[-1], 0.2 + 0.3 * x / w),
        )
    fog = levels(noise((w, h), rng, h / 3.4, 5, 3.4), 90, 200)
    band = Image.new("L", (w, h), 0)
    band.paste(
        gradient((w, round(h * 0.44)), [(0,) * 3, (215,) * 3, (150,) * 3, (0,) * 3]).getchannel(0), (0, round(h * 0.48))
    )
    side = gradient((w, h), [(70,) * 3, (130,) * 3, (255,) * 3], sideways=True).getchannel(0)
    image.paste(
        mix(mood.sky[-1], (255, 255, 255), 0.3), (0, 0), ImageChops.multiply(ImageChops.multiply(fog, band), side)
    )
    return image


def cabin(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """A cabin with lit windows in falling snow."""
    mood = mood_of(o, "night")
    night = o.get("mood", "night") == "night"
    image = backdrop(w, h, rng, mood, 0.75, 0.6)
    if night:
        stars(image, rng, 260, 0.5)
    snow_tint = mix((238, 244, 252), mood.near, 0.45 if night else 0.02)
    for k in range(3):
        line = ridge(w, h * (0.58 + 0.07 * k), h * (0.16 - 0.05 * k), wave(rng, 2.6 - 0.5 * k, 6, 0.46))
        colour = mix(mood.far, snow_tint, 0.25 + 0.3 * k)
        layer = Image.new("RGB", (w, h))
        pour(layer, Image.new("L", (w, h), 255), [colour, mix(colour, mood.sky[-1], 0.3)], h * 0.4, h * 0.8)
        image.paste(shade(layer, relief(noise((w, h), rng, h / 10, 5), 4, 0.4)), (0, 0), below((w, h), line))
    lie = wave(rng, 1.4, 3, 0.35)
    rise = lambda t: h * 0.79 - h * 0.05 * lie(t)
    draw = ImageDraw.Draw(image)
    dark = mix(mood.near, (14, 34, 34), 0.4)
    for _ in range(round(15 * max(1, w / h))):
        x = rng.random()
        if abs(x - 0.56) > 0.16:
            tall = h * rng.uniform(0.14, 0.34)
            pine(draw, rng, x * w, rise(x) + 8, tall, dark)
            for k in range(5):
                y, half = rise(x) - tall * (0.94 - 0.19 * k), tall * (0.03 + 0.032 * k)
                draw.polygon(
                    [(x * w - half, y), (x * w, y - tall * 0.10), (x * w + half, y), (x * w, y - tall * 0.02)],
                    fill=snow_tint,
                )
    pour(
        image,
        below((w, h), [(x, rise(x / w)) for x in range(0, w + 8, 8)]),
        [mix(snow_tint, (255, 255, 255), 0.15), mix(snow_tint, mood.near, 0.4)],
        h * 0.74,
        h,
    )
    x, foot, s = w * 0.56, rise(0.56) + h * 0.012, min(h * 0.13, w * 0.16)
    glow(image, x, foot - s * 0.3, s * 3.2, (255, 176, 84), 0.5 if night else 0.15)
    draw = ImageDraw.Draw(image)
    wood = mix((116, 70, 46), mood.near, 0.35 if night else 0.05)
    draw.rectangle((x - s, foot - s * 0.75, x + s, foot), fill=wood)
    for k in range(7):
        draw.line(
            (x - s, foot - s * 0.75 * k / 7, x + s, foot - s * 0.75 * k / 7),
            fill=mix(wood, (20, 10, 10), 0.35),
            width=2,
        )
    draw.rectangle((x + s * 0.45, foot - s * 1.75, x + s * 0.68, foot - s * 1.0), fill=mix(wood, (90, 90, 96), 0.5))
    draw.polygon(
        [
            (x - s * 1.25, foot - s * 0.68),
            (x - s * 0.7, foot - s * 1.45),
            (x + s * 0.7, foot - s * 1.45),
            (x + s * 1.25, foot - s * 0.68),
        ],
        fill=mix(snow_tint, (255, 255, 255), 0.4),
    )
    for dx in (-0.72, 0.36):
        draw.rectangle((x + s * dx, foot - s * 0.56, x + s * (dx + 0.38), foot - s * 0.22), fill=(255, 214, 120))
        draw.line((x + s * (dx + 0.19), foot - s * 0.56, x + s * (dx + 0.19), foot - s * 0.22), fill=wood, width=3)
        draw.line((x + s * dx, foot - s * 0.39, x + s * (dx + 0.38), foot - s * 0.39), fill=wood, width=3)
    draw.rectangle((x - s * 0.2, foot - s * 0.58, x + s * 0.14, foot), fill=mix(wood, (20, 8, 8), 0.5))
    smoke = ImageDraw.Draw(image, "RGBA")
    for k in range(16):
        smoke.ellipse(
            around(x + s * (0.56 + 0.05 * k + 0.1 * math.sin(k)), foot - s * (1.8 + 0.13 * k), s * (0.08 + 0.018 * k)),
            fill=(236, 238, 246, 70 - 4 * k),
        )
    for _ in range(o.get("flakes", 420)):
        smoke.ellipse(
            around(rng.random() * w, rng.random() * h, h * (0.0012 + 0.005 * rng.random() ** 4)),
            fill=(255, 255, 255, rng.randint(90, 230)),
        )
    return image


SCENES = {"skyline": skyline, "houses": houses, "bridge": bridge, "cabin": cabin}
