"""All scenes by name. A scene paints a picture of w by h pixels from an `rng` and options."""

from __future__ import annotations

from random import Random

from PIL import Image

from ..paint import aged, grain, letter_f
from . import garden, land, poster, shore, sky, still, town, water, wood

PARTS = (land, wood, water, shore, sky, town, garden, still, poster)
SCENES = {name: scene for part in PARTS for name, scene in part.SCENES.items()}
FLAT = set(poster.SCENES) | {"citrus"}  # printed work: no film grain


def paint(name: str, seed: str, size: tuple[int, int], options: dict, mark: bool) -> Image.Image:
    """The upright picture. `mark` adds a small F, which shows a mirrored picture as such."""
    rng = Random(seed)
    large = SCENES[name](size[0] * 2, size[1] * 2, rng, options)
    picture = large.resize(size, Image.Resampling.LANCZOS)
    if picture.mode == "RGBA":
        return picture
    if options.get("aged"):
        picture = aged(picture, rng, options["aged"] == "sepia")
    elif name not in FLAT:
        picture = grain(picture, rng, 2.5)
    if mark and name != "chart":
        tall = min(size) * 0.055
        letter_f(picture, tall * 0.7, size[1] - tall * 1.7, tall, (255, 255, 255, 205))
    return picture
