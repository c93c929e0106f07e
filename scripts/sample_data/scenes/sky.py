"""Northern lights, stars, and balloons."""

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
    ramp,
    reflect,
    rgb,
    ridge,
    soften,
    stars,
    wave,
)
from .land import FIELDS, backdrop, pines, sun_in


def aurora(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Curtains of light over a dark wood; `lake` mirrors them."""
    line = round(h * (0.68 if o.get("lake") else 0.9))
    image = gradient((w, h), [rgb("#03060f"), rgb("#07122a"), rgb("#123047")])
    stars(image, rng, 520, 0.8)
    low, high = rgb(o.get("low", "#4dffa0")), rgb(o.get("high", "#8a4dff"))
    for k in range(o.get("curtains", 3)):
        foot, bright, reach = wave(rng, 2.2, 4, 0.5), wave(rng, 7, 4, 0.7), wave(rng, 3, 2, 0.5)
        curtain = Image.new("L", (w, h), 0)
        fade = ramp((1, 256), [0, 8, 30, 80, 170, 255, 200, 0])
        for x in range(0, w, 3):
            t = x / w
            tall = round(h * (0.34 + 0.12 * reach(t)))
            power = min(1.0, max(0.06, 0.55 + 0.6 * bright(t)))
            column = fade.resize((3, tall)).point([round(v * power) for v in range(256)])
            curtain.paste(column, (x, round(h * (0.36 + 0.09 * k) + h * 0.12 * foot(t)) - tall))
        curtain = soften(curtain, h / 200)
        tint = gradient((w, h), [high, high, mix(high, low, 0.4), low, low, low])
        tint = ImageChops.multiply(tint, Image.merge("RGB", [curtain] * 3))
        image = ImageChops.screen(image, tint)
        image = ImageChops.screen(
            image, tint.resize((w // 16, h // 16)).resize((w, h), Image.Resampling.BICUBIC).point(lambda v: v // 3)
        )
    far = ridge(w, line - h * 0.05, h * 0.07, wave(rng, 2.4, 5, 0.5))
    image.paste(rgb("#0c2030"), (0, 0), below((w, h), far))
    lie = wave(rng, 2, 3, 0.4)
    if o.get("lake"):
        pines(image, rng, lambda t: line - h * 0.004, h * 0.13, rgb("#050d14"), h * 0.022)
        reflect(image, line, rgb("#06121e"), 0.30, w / 60, rng)
    else:
        rise = lambda t: h * 0.96 - h * 0.03 * lie(t)
        image.paste(rgb("#03080c"), (0, 0), below((w, h), [(x, rise(x / w)) for x in range(0, w + 8, 8)]))
        pines(image, rng, rise, h * 0.22, rgb("#03080c"), h * 0.04)
    return image


def milkyway(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """The band of the galaxy, and a tent with a lamp in it."""
    image = gradient((w, h), [rgb("#050716"), rgb("#0e1736"), rgb("#2d3358"), rgb("#7b5a6a")])
    side = round(math.hypot(w, h))
    band = ramp((side, side), [0, 0, 0, 40, 170, 255, 170, 40, 0, 0, 0])
    dust = levels(noise((side, side), rng, side / 9, 6, 1.5), 78, 190)
    lanes = levels(noise((side, side), rng, side / 14, 5, 2.6), 110, 175)
    core = ImageChops.multiply(band, dust)
    core = ImageChops.subtract(core, ImageChops.multiply(lanes, band).point([round(v * 0.55) for v in range(256)]))
    core = core.rotate(o.get("tilt", 58), Image.Resampling.BICUBIC)
    left, top = (side - w) // 2, (side - h) // 2
    core = core.crop((left, top, left + w, top + h))
    core = ImageChops.multiply(core, ramp((w, h), [255, 255, 230, 60, 0]))
    milk = Image.merge("RGB", [core.point([round(v * c) for v in range(256)]) for c in (0.80, 0.66, 0.86)])
    image = ImageChops.screen(image, milk)
    stars(image, rng, 1500, 0.85)
    for k, colour in enumerate(("#232742", "#0b0d1a")):
        image.paste(
            rgb(colour), (0, 0), below((w, h), ridge(w, h * (0.83 + 0.08 * k), h * 0.06, wave(rng, 2 + k, 5, 0.42)))
        )
    x, foot, s = w * o.get("tent", 0.34), h * 0.945, min(w, h) * 0.085
    glow(image, x, foot - s * 0.4, s * 3.4, (255, 170, 80), 0.6)
    draw = ImageDraw.Draw(image)
    draw.polygon([(x - s * 1.2, foot), (x - s * 0.1, foot - s), (x + s * 1.1, foot)], fill=(255, 186, 92))
    draw.polygon([(x - s * 0.1, foot - s), (x + s * 1.1, foot), (x + s * 0.5, foot)], fill=(226, 122, 58))
    draw.polygon([(x - s * 0.1, foot - s), (x - s * 0.28, foot), (x + s * 0.04, foot)], fill=(255, 238, 178))
    return image


def startrails(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """A long exposure: the stars circle the pole."""
    image = gradient((w, h), [rgb("#060a1c"), rgb("#12244e"), rgb("#3a4f86"), rgb("#c98f7c")])
    layer = ImageDraw.Draw(image, "RGBA")
    x, y = w * o.get("pole", [0.4, 0.42])[0], h * o.get("pole", [0.4, 0.42])[1]
    for _ in range(430):
        radius = rng.random() ** 0.8 * math.hypot(w, h) * 0.75
        start, sweep = rng.random() * 360, rng.uniform(24, 60)
        tint = rng.choice([(255, 255, 255), (190, 214, 255), (255, 224, 180), (255, 200, 170)])
        layer.arc(
            around(x, y, radius),
            start,
            start + sweep,
            fill=tint + (rng.randint(50, 220),),
            width=rng.choice([2, 2, 3, 4]),
        )
    lie = wave(rng, 1.5, 3, 0.4)
    rise = lambda t: h * 0.94 - h * 0.05 * lie(t)
    image.paste(rgb("#070a12"), (0, 0), below((w, h), [(px, rise(px / w)) for px in range(0, w + 8, 8)]))
    pines(image, rng, rise, h * 0.2, rgb("#070a12"), h * 0.05)
    return image


STRIPES = [
    ["#e4483f", "#f7d154", "#2b7fb8"],
    ["#f28f3b", "#fff1d6", "#c8553d"],
    ["#3d9a8b", "#f4e9cd", "#e76f51"],
    ["#7b4b94", "#f2a6c0", "#fdf0d5"],
    ["#1f5f8b", "#f2c14e", "#f4f1de"],
    ["#d1495b", "#edae49", "#00798c"],
]


def balloon(image: Image.Image, rng: Random, x: float, y: float, r: float, haze, amount: float) -> None:
    draw = ImageDraw.Draw(image)
    colours = [mix(rgb(c), haze, amount) for c in rng.choice(STRIPES)]

    def outline(squeeze: float):
        points = []
        for k in range(61):
            a = -math.pi / 2 + k / 60 * math.tau
            px, py = math.cos(a) * squeeze, math.sin(a)
            if py > 0.1:  # the lower half narrows to the mouth
                px *= max(0.16, 1 - (py - 0.1) ** 1.5 * 0.95)
                py *= 1.22
            points.append((x + px * r, y + py * r))
        return points

    for k, squeeze in enumerate((1, 0.84, 0.62, 0.38, 0.13)):
        draw.polygon(outline(squeeze), fill=colours[k % 3])
    mask = Image.new("L", image.size, 0)
    ImageDraw.Draw(mask).polygon(outline(1), fill=255)
    box = tuple(round(v) for v in (x - r * 1.1, y - r * 1.1, x + r * 1.1, y + r * 1.4))
    dark = ramp((box[2] - box[0], box[3] - box[1]), [0, 0, 26, 100], sideways=True)
    image.paste((30, 20, 50), box[:2], ImageChops.multiply(dark, mask.crop(box)))
    rope, basket = mix((70, 50, 40), haze, amount), mix((132, 88, 52), haze, amount)
    for side in (-1, 1):
        draw.line(
            (x + side * r * 0.16, y + r * 1.2, x + side * r * 0.11, y + r * 1.5), fill=rope, width=max(1, round(r / 40))
        )
    draw.rectangle((x - r * 0.13, y + r * 1.48, x + r * 0.13, y + r * 1.68), fill=basket)


def balloons(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Hot-air balloons over fields in the morning."""
    mood = mood_of(o, "rose")
    image = backdrop(w, h, rng, mood, 0.85, 0.8)
    sun_in(image, mood, w * 0.2, h * 0.62, min(w, h) * 0.04)
    fields = [rgb(c) for c in FIELDS[o.get("season", "summer")]]
    for k in range(4):
        near = k / 3
        colour = mix(mix(mood.far, mood.near, near * 0.7), fields[k + 1], 0.45)
        pour(
            image,
            below((w, h), ridge(w, h * (0.74 + 0.08 * k), h * 0.05, wave(rng, 2.2 - 0.3 * k, 4, 0.42))),
            [colour, mix(colour, mood.sky[-1], 0.45 * (1 - near))],
            h * (0.7 + 0.08 * k),
            h * (0.95 + 0.1 * k),
        )
    unit = min(w, h)
    placed = []
    for k in reversed(range(o.get("count", 9))):  # the largest first, while there is room
        r = unit * (0.022 + 0.011 * k + 0.0012 * k * k)
        for _ in range(60):
            x, y = rng.uniform(r, w - r), rng.uniform(r * 1.1, max(r * 1.2, h * 0.76 - r * 1.8))
            if all(math.hypot(x - a, y - b) > (r + c) * 1.5 for a, b, c in placed):
                placed.append((x, y, r))
                balloon(image, rng, x, y, r, mood.sky[-1], max(0.0, 0.55 - 0.08 * k))
                break
    return image


def bokeh(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """City lights out of focus through a wet window."""
    image = gradient((w, h), [rgb(c) for c in o.get("back", ["#0a0d1c", "#1b1a38", "#2a1a2e", "#0a0a14"])])
    lights = [rgb(c) for c in ("#ffb347", "#ff6b5a", "#ffd98a", "#5ad1ff", "#ff4f8b", "#8affc7", "#fff1d0")]
    for k in range(o.get("count", 90)):
        layer = Image.new("RGB", (w, h))
        draw = ImageDraw.Draw(layer)
        x, y, r = (
            rng.random() * w,
            h * min(0.95, max(0.05, rng.gauss(0.48, 0.17))),
            min(w, h) * rng.uniform(0.018, 0.085),
        )
        colour = mix((0, 0, 0), rng.choice(lights), rng.uniform(0.22, 0.62))
        draw.ellipse(
            around(x, y, r), fill=colour, outline=mix(colour, (255, 255, 255), 0.25), width=max(2, round(r * 0.06))
        )
        box = tuple(round(v) for v in (max(0, x - r - 6), max(0, y - r - 6), min(w, x + r + 6), min(h, y + r + 6)))
        part = layer.crop(box)
        image.paste(ImageChops.screen(image.crop(box), part), box)
    # Rain on the glass: small lenses that show the picture upside down.
    flipped = soften(image, min(w, h) / 40).transpose(Image.Transpose.ROTATE_180)
    for _ in range(o.get("drops", 60)):
        x, y, r = rng.random() * w, rng.random() * h, min(w, h) * 0.004 + min(w, h) * 0.016 * rng.random() ** 4
        side = max(4, round(r * 2))
        lens = flipped.resize(
            (side, side), box=(max(0, x - w * 0.22), max(0, y - h * 0.22), min(w, x + w * 0.22), min(h, y + h * 0.22))
        )
        mask = Image.new("L", (side, side), 0)
        ImageDraw.Draw(mask).ellipse((0, 0, side - 1, side - 1), fill=235)
        image.paste(
            lens.point([min(255, round(v * 1.25 + 10)) for v in range(256)] * 3), (round(x - r), round(y - r)), mask
        )
        ImageDraw.Draw(image, "RGBA").ellipse(around(x - r * 0.3, y - r * 0.35, r * 0.2), fill=(255, 255, 255, 170))
    return image


SCENES = {"aurora": aurora, "milkyway": milkyway, "startrails": startrails, "balloons": balloons, "bokeh": bokeh}
