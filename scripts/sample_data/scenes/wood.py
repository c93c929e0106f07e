"""Woods: conifers in fog, and birches."""

from __future__ import annotations

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
    rgb,
    soften,
    wave,
)
from .land import backdrop, pines, sun_in


def forest(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Rows of conifers fading into fog."""
    mood = mood_of(o, "storm")
    image = backdrop(w, h, rng, mood, 1, 0.3)
    if "sun" in o:
        sun_in(image, mood, w * o["sun"][0], h * o["sun"][1], min(w, h) * 0.028)
    for i in range(6):
        near = i / 5
        lie = wave(rng, 1.4, 3, 0.45)
        foot = lambda t: h * (0.52 + 0.47 * near) - h * 0.09 * lie(t)
        colour = mix(mix(mood.far, mood.sky[-1], 0.45), mix(mood.near, (0, 0, 0), 0.3), near**0.9)
        image.paste(colour, (0, 0), below((w, h), [(x, foot(x / w)) for x in range(0, w + 8, 8)]))
        pines(image, rng, foot, h * (0.12 + 0.24 * near), colour, h * (0.03 + 0.06 * near))
        if i < 5:
            fog = noise((w, h), rng, h / 3, 4, 3)
            band = Image.new("L", (w, h), 0)
            top, bottom = round(h * (0.42 + 0.44 * near)), round(h * (0.66 + 0.44 * near))
            band.paste(gradient((w, bottom - top), [(0,) * 3, (210,) * 3, (160,) * 3]).getchannel(0), (0, top))
            band.paste(160, (0, bottom, w, max(bottom, h)))
            image.paste(mix(mood.sky[-1], mood.far, 0.25), (0, 0), ImageChops.multiply(levels(fog, 60, 210), band))
    return image


def birches(w: int, h: int, rng: Random, o: dict) -> Image.Image:
    """Pale trunks before a blur of leaves."""
    leaf = [rgb(c) for c in o.get("leaves", ["#4d5a24", "#9c8a2c", "#e0ac34", "#f7dc7c"])]
    blur = levels(noise((w, h), rng, h / 5, 4), 50, 205)
    image = Image.merge("RGB", [blur.point([along(leaf, v / 255)[c] for v in range(256)]) for c in range(3)])
    glow(image, w * 0.62, h * 0.3, h * 0.8, (255, 246, 200), 0.55)
    pour(
        image,
        ImageChops.multiply(
            gradient((w, h), [(0,) * 3, (0,) * 3, (255,) * 3]).getchannel(0), Image.new("L", (w, h), 220)
        ),
        [leaf[1], mix(leaf[0], (60, 40, 10), 0.6)],
        h * 0.6,
        h,
    )
    trunks = sorted((rng.random() ** 0.8, rng.random()) for _ in range(o.get("count", 17)))
    for near, place in trunks:
        wide = w * (0.008 + 0.030 * near) * min(1.6, max(1, h / w))
        x, foot, lean = place * w * 1.1 - w * 0.05, h * (0.80 + 0.24 * near), rng.uniform(-0.03, 0.03) * h
        bark = mix(along(leaf, 0.75), (244, 240, 230), 0.35 + 0.6 * near)
        trunk = [(x - wide, foot), (x + lean - wide * 0.8, -9), (x + lean + wide * 0.8, -9), (x + wide, foot)]
        mask = area((w, h), trunk)
        image.paste(bark, (0, 0), mask)
        side = area((w, h), [(x + wide * 0.25, foot), (x + lean + wide * 0.25, -9), trunk[2], trunk[3]])
        image.paste(mix(bark, (70, 66, 80), 0.42), (0, 0), ImageChops.multiply(soften(side, wide * 0.3), mask))
        draw = ImageDraw.Draw(image)
        for _ in range(round(16 + 26 * near)):
            y = rng.random() * foot
            middle = x + lean * (1 - y / foot)
            start, reach, thick = (
                rng.choice([-wide, -wide * 0.3, wide * 0.1]),
                wide * rng.uniform(0.3, 1),
                wide * rng.uniform(0.05, 0.2),
            )
            start = start if start + reach < wide * 0.9 else -wide * 0.85
            draw.ellipse(
                (middle + start * 0.85, y - thick, middle + start * 0.85 + reach, y + thick),
                fill=mix(bark, (34, 28, 30), 0.78),
            )
    draw = ImageDraw.Draw(image, "RGBA")
    for _ in range(round(w * h / 2600)):
        x, y = rng.random() * w, rng.random() ** 1.5 * h
        draw.ellipse(
            around(x, y, h * rng.uniform(0.002, 0.009), 0.7), fill=rng.choice(leaf[1:]) + (rng.randint(120, 230),)
        )
    return image


SCENES = {"forest": forest, "birches": birches}
