"""Colour moods: the light a landscape is painted in."""

from __future__ import annotations

from dataclasses import dataclass

from .paint import Colour, rgb


@dataclass(frozen=True)
class Mood:
    sky: list[Colour]  # from the top down to the horizon
    far: Colour  # the farthest hills
    near: Colour  # the nearest land
    sun: Colour
    cloud: Colour
    water: list[Colour]  # from the horizon down to the shore


def _mood(sky: str, far: str, near: str, sun: str, cloud: str, water: str) -> Mood:
    return Mood(
        [rgb(c) for c in sky.split()], rgb(far), rgb(near), rgb(sun), rgb(cloud), [rgb(c) for c in water.split()]
    )


MOODS = {
    "dawn": _mood(
        "#3d5a8c #8f86b0 #efa592 #fcdca4", "#b796a6", "#2a3352", "#fff3cf", "#ffd8c2", "#f0b79c #8d86a8 #2f4264"
    ),
    "noon": _mood(
        "#1f6fb8 #5ea7dc #a9d6ef #e2f2f6", "#a5c6d8", "#25534d", "#fffbe8", "#ffffff", "#8cc4dc #3f8fbd #1b5f92"
    ),
    "dusk": _mood(
        "#1b1d4a #56387a #c5547c #f8a575", "#95618f", "#191734", "#ffe0ad", "#f2a0a0", "#e58d80 #6d3f7c #1f1c48"
    ),
    "ember": _mood(
        "#34102e #8c2a3d #e15d39 #fcc661", "#b2534a", "#220e20", "#fff0b0", "#ffb070", "#f09a52 #8e3340 #2a1028"
    ),
    "night": _mood(
        "#040817 #0a1838 #183259 #2f5478", "#213d62", "#050a16", "#f4f1df", "#3b5578", "#2c4f73 #10274a #050c1e"
    ),
    "winter": _mood(
        "#7f9fc4 #b5cbe0 #e3e6ea #f8e8dc", "#c6d3e0", "#51687f", "#fffaf0", "#ffffff", "#d8e0e6 #9fb6c9 #5c7c98"
    ),
    "storm": _mood(
        "#25303c #4a5a66 #8a989c #c9cfc8", "#8d9ca1", "#1d2a2e", "#f0efe2", "#d9dedd", "#9aa8aa #54666d #25343c"
    ),
    "rose": _mood(
        "#8fa3cf #d3b4d0 #f6c3bf #fde6cf", "#d4afbe", "#5a4668", "#fff6e4", "#fff0ec", "#f5c9c0 #b99cbd #6d6a98"
    ),
    "lagoon": _mood(
        "#0d4f73 #2f93a8 #8fd3c0 #f7efca", "#7db9b4", "#0c3b46", "#fffbe0", "#f4fff6", "#9bdccb #2c9aa6 #0b5468"
    ),
    "gold": _mood(
        "#5d86a8 #a9b8ae #ecd08c #fbe7ae", "#c2ae86", "#40402a", "#fffbe2", "#fff0cc", "#f0d79a #a79a74 #4e5a52"
    ),
}


def mood_of(options: dict, default: str = "noon") -> Mood:
    return MOODS[options.get("mood", default)]
