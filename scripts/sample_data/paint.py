"""Painting helpers shared by the scenes.

Every scene paints at twice the wanted size; the picture is scaled down at the end,
which smooths all edges. Nothing here uses a random source other than the `rng` it is
given, so the same seed always gives the same pixels.
"""

from __future__ import annotations

import math
from random import Random

from PIL import Image, ImageChops, ImageDraw, ImageFilter

Colour = tuple[int, int, int]
Point = tuple[float, float]


# Colours


def rgb(text: str) -> Colour:
    """The colour written as "#rrggbb"."""
    return tuple(int(text[i : i + 2], 16) for i in (1, 3, 5))


def mix(a: Colour, b: Colour, amount: float) -> Colour:
    """`a` at 0, `b` at 1."""
    return tuple(round(x + (y - x) * amount) for x, y in zip(a, b))


def along(colours: list[Colour], position: float) -> Colour:
    """The colour at `position` (0...1) on the way through `colours`."""
    place = min(max(position, 0), 1) * (len(colours) - 1)
    first = min(int(place), len(colours) - 2)
    return mix(colours[first], colours[first + 1], place - first)


def gradient(size: tuple[int, int], colours: list[Colour], sideways: bool = False) -> Image.Image:
    """Colours flowing from top to bottom (or from left to right)."""
    count = size[0] if sideways else size[1]
    if len(colours) == 1:
        colours = colours * 2
    line = bytes(v for i in range(count) for v in along(colours, i / max(1, count - 1)))
    return Image.frombytes("RGB", (count, 1) if sideways else (1, count), line).resize(size)


def ramp(size: tuple[int, int], values: list[int], sideways: bool = False) -> Image.Image:
    """A grey gradient, to be used as a mask."""
    return gradient(size, [(v, v, v) for v in values], sideways).getchannel(0)


# Noise and light


def noise(size: tuple[int, int], rng: Random, cell: float, octaves: int = 4, stretch: float = 1) -> Image.Image:
    """Cloudy grey noise; `cell` is the size of the largest blobs, `stretch` widens them."""
    result, total, weight = None, 0.0, 1.0
    for octave in range(octaves):
        step = max(1.0, cell / 2**octave)
        across = max(2, math.ceil(size[0] / (step * stretch)) + 1)
        down = max(2, math.ceil(size[1] / step) + 1)
        layer = Image.frombytes("L", (across, down), rng.randbytes(across * down))
        layer = layer.resize(size, Image.Resampling.BICUBIC)
        total += weight
        result = layer if result is None else Image.blend(result, layer, weight / total)
        weight *= 0.55
    return result


def levels(image: Image.Image, low: float, high: float, top: int = 255) -> Image.Image:
    """Stretches `low`...`high` to 0...`top`."""
    return image.point([min(top, max(0, round((v - low) / (high - low) * top))) for v in range(256)])


def relief(height: Image.Image, shift: int, strength: float) -> Image.Image:
    """How light falls from the upper left on a height map; 128 is neutral."""
    moved = ImageChops.offset(height, shift, shift)
    return ImageChops.subtract(height, moved, 1 / strength, 128)


def shade(image: Image.Image, light: Image.Image) -> Image.Image:
    """Adds `light` (128 is neutral) to every channel."""
    return ImageChops.add(image, Image.merge("RGB", [light] * 3), 1, -128)


def grain(image: Image.Image, rng: Random, amount: float) -> Image.Image:
    """Fine film grain; it also hides the bands of wide gradients."""
    dust = Image.frombytes("L", image.size, rng.randbytes(image.width * image.height))
    return shade(image, dust.point([round(128 + (v - 128) * amount / 128) for v in range(256)]))


_SPOT = Image.radial_gradient("L")


def glow(
    image: Image.Image, x: float, y: float, radius: float, colour: Colour, strength: float = 1, power: float = 2
) -> None:
    """Light around a point, brightest in the middle."""
    side = max(2, round(radius * 2))
    table = [round(255 * strength * max(0, 1 - v / 180) ** power) for v in range(256)]
    mask = _SPOT.point(table).resize((side, side), Image.Resampling.BICUBIC)
    left, top = round(x - radius), round(y - radius)
    box = (max(0, left), max(0, top), min(image.width, left + side), min(image.height, top + side))
    if box[0] >= box[2] or box[1] >= box[3]:
        return
    mask = mask.crop((box[0] - left, box[1] - top, box[2] - left, box[3] - top))
    light = Image.merge("RGB", [mask.point([round(v * c / 255) for v in range(256)]) for c in colour])
    image.paste(ImageChops.screen(image.crop(box), light), box)


def vignette(image: Image.Image, amount: float) -> Image.Image:
    """Darkens the corners."""
    table = [round(255 * (1 - amount * max(0, v / 255 - 0.45) ** 1.6)) for v in range(256)]
    mask = _SPOT.point(table).resize(image.size, Image.Resampling.BICUBIC)
    return ImageChops.multiply(image, Image.merge("RGB", [mask] * 3))


def aged(image: Image.Image, rng: Random, sepia: bool) -> Image.Image:
    """An old print: grey or brown, with a pale border, faded blacks and coarse grain."""
    grey = levels(image.convert("L"), -40, 262)
    noise_map = noise(image.size, rng, image.width / 3, 3)
    grey = ImageChops.add(grey, noise_map.point([round(v * 0.16) for v in range(256)]), 1, -20)
    tones = [(36, 24, 18), (128, 98, 70), (206, 180, 142), (246, 232, 206)]
    if not sepia:
        tones = [(18, 18, 20), (104, 104, 106), (182, 182, 182), (240, 240, 238)]
    table = [along(tones, v / 255) for v in range(256)]
    toned = Image.merge("RGB", [grey.point([t[c] for t in table]) for c in range(3)])
    toned = grain(vignette(toned, 0.9), rng, 14)
    edge = round(min(image.size) * 0.04)
    ImageDraw.Draw(toned).rectangle((0, 0, image.width - 1, image.height - 1), outline=tones[3], width=edge)
    return toned


# Shapes


def wave(rng: Random, cells: float, octaves: int = 5, rough: float = 0.5):
    """A random smooth function from 0...1 to about -1...1; higher `rough` is more jagged."""
    tables = [[rng.uniform(-1, 1) for _ in range(math.ceil(cells * 2**o) + 3)] for o in range(octaves)]
    scale = sum(rough**o for o in range(octaves))

    def value(t: float) -> float:
        total = 0.0
        for octave, table in enumerate(tables):
            place = max(0.0, t) * cells * 2**octave
            knot = min(int(place), len(table) - 2)
            part = min(1.0, place - knot)
            part = (1 - math.cos(part * math.pi)) / 2
            total += (table[knot] * (1 - part) + table[knot + 1] * part) * rough**octave
        return total / scale * 1.6

    return value


def ridge(width: int, base: float, amplitude: float, shape, step: int = 3) -> list[Point]:
    """A skyline: `shape` (see `wave`) drawn across the width, up from `base`."""
    return [(x, base - amplitude * shape(x / width)) for x in range(-step, width + step, step)]


def area(size: tuple[int, int], points: list[Point]) -> Image.Image:
    """A mask of the inside of a polygon."""
    mask = Image.new("L", size, 0)
    ImageDraw.Draw(mask).polygon(points, fill=255)
    return mask


def below(size: tuple[int, int], line: list[Point]) -> Image.Image:
    """A mask of everything under a skyline."""
    return area(size, line + [(size[0] + 9, size[1] + 9), (-9, size[1] + 9)])


def pour(image: Image.Image, mask: Image.Image, colours: list[Colour], top: float, bottom: float) -> None:
    """Fills the mask with a gradient that runs from `top` to `bottom`."""
    top, bottom = round(top), max(round(top) + 2, round(bottom))
    paint = Image.new("RGB", image.size, colours[-1])
    paint.paste(colours[0], (0, 0, image.width, max(0, top)))
    paint.paste(gradient((image.width, bottom - top), colours), (0, top))
    image.paste(paint, (0, 0), mask)


def soften(mask: Image.Image, radius: float) -> Image.Image:
    return mask.filter(ImageFilter.GaussianBlur(radius))


def around(x: float, y: float, radius: float, flat: float = 1) -> tuple[float, float, float, float]:
    """The box of a circle (or, with `flat` below 1, of a lying ellipse)."""
    return (x - radius, y - radius * flat, x + radius, y + radius * flat)


def turned(points: list[Point], x: float, y: float, angle: float, scale: float = 1) -> list[Point]:
    """Points turned about the origin, scaled, then moved to x, y."""
    c, s = math.cos(angle) * scale, math.sin(angle) * scale
    return [(x + px * c - py * s, y + px * s + py * c) for px, py in points]


def stars(image: Image.Image, rng: Random, count: int, depth: float) -> None:
    """Stars over the upper `depth` of the picture."""
    draw = ImageDraw.Draw(image, "RGBA")
    unit = max(image.size) / 1000
    for _ in range(count):
        x, y = rng.random() * image.width, rng.random() ** 1.2 * image.height * depth
        size = unit * (0.5 + 1.2 * rng.random() ** 5)
        tint = rng.choice([(255, 255, 255), (214, 228, 255), (255, 240, 214)])
        draw.ellipse(around(x, y, size), fill=tint + (rng.randint(90, 255),))


def reflect(image: Image.Image, line: int, tint: Colour, amount: float, ripple: float, rng: Random) -> None:
    """Mirrors what is above `line` into the water below it."""
    height = image.height - line
    source = image.crop((0, max(0, line - height), image.width, line)).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    if source.height < height:
        source = source.resize((image.width, height))
    source = Image.blend(source, Image.new("RGB", source.size, tint), amount)
    sway = wave(rng, max(6.0, 60 * height / max(image.size)), 3, 0.7)
    for y in range(0, height, 2):
        near = y / height
        shift = round(ripple * (0.15 + near) * sway(near**0.7))
        strip = source.crop((0, y, image.width, y + 2))
        image.paste(ImageChops.offset(strip, shift, 0), (0, line + y))


def sparkle(image: Image.Image, rng: Random, line: int, x: float, colour: Colour, count: int, spread: float) -> None:
    """The path of light a low sun or moon leaves on the water."""
    draw = ImageDraw.Draw(image, "RGBA")
    height = image.height - line
    for _ in range(count):
        near = rng.random() ** 1.3
        middle = x + rng.gauss(0, 1) * spread * (0.25 + near)
        length = spread * (0.06 + 0.30 * near) * rng.uniform(0.4, 1.2)
        y = line + near * height
        thick = 1 + 3 * near * height / 400
        draw.ellipse(
            (middle - length, y - thick / 2, middle + length, y + thick / 2), fill=colour + (rng.randint(50, 190),)
        )


def letter_f(image: Image.Image, x: float, y: float, height: float, colour: tuple[int, ...]) -> None:
    """A capital F: it looks different in each of the eight orientations."""
    t, w = height * 0.2, height * 0.62
    draw = ImageDraw.Draw(image, "RGBA")
    draw.polygon(
        [
            (x, y),
            (x + w, y),
            (x + w, y + t),
            (x + t, y + t),
            (x + t, y + 2 * t),
            (x + w * 0.82, y + 2 * t),
            (x + w * 0.82, y + 3 * t),
            (x + t, y + 3 * t),
            (x + t, y + height),
            (x, y + height),
        ],
        fill=colour,
    )
