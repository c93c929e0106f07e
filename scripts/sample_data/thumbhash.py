"""ThumbHash: a picture in about 25 bytes, written from the public description of the format.

The picture is split into lightness (l), two colour differences (p: yellow-blue, q: red-green)
and, where it is not opaque, alpha. Of each, the lowest frequencies of a cosine transform are
kept with four bits each; the averages and the scales go into a header of five bytes.
"""

from __future__ import annotations

import base64
import math

from PIL import Image

SIDE = 48  # the format allows up to 100; 48 is plenty for seven frequencies


def _round(value: float) -> int:
    return math.floor(value + 0.5)


def _transform(channel: list[float], w: int, h: int, nx: int, ny: int) -> tuple[float, list[float], float]:
    """The mean, the other coefficients scaled to 0...1, and the scale."""
    across = [[math.cos(math.pi / w * cx * (x + 0.5)) for x in range(w)] for cx in range(nx)]
    mean, rest = 0.0, []
    for cy in range(ny):
        down = [math.cos(math.pi / h * cy * (y + 0.5)) for y in range(h)]
        cx = 0
        while cx * ny < nx * (ny - cy):
            wave = across[cx]
            total = sum(down[y] * sum(v * c for v, c in zip(channel[y * w : (y + 1) * w], wave)) for y in range(h))
            if cx == 0 and cy == 0:
                mean = total / (w * h)
            else:
                rest.append(total / (w * h))
            cx += 1
    scale = max(abs(v) for v in rest)
    if scale > 0:
        rest = [0.5 + 0.5 / scale * v for v in rest]
    return mean, rest, scale


def thumbhash(picture: Image.Image) -> str:
    """The ThumbHash of the upright picture, in Base64."""
    small = picture.convert("RGBA")
    small.thumbnail((SIDE, SIDE), Image.Resampling.BOX)
    w, h = small.size
    raw = small.tobytes()
    pixels = [(raw[i] / 255, raw[i + 1] / 255, raw[i + 2] / 255, raw[i + 3] / 255) for i in range(0, len(raw), 4)]
    opacity = sum(p[3] for p in pixels)
    average = [sum(p[c] * p[3] for p in pixels) / opacity if opacity else 0.0 for c in range(3)]
    has_alpha = opacity < w * h
    limit = 5 if has_alpha else 7
    lx, ly = max(1, _round(limit * w / max(w, h))), max(1, _round(limit * h / max(w, h)))

    light, yellow_blue, red_green, alpha = [], [], [], []
    for red, green, blue, a in pixels:
        r, g, b = (m * (1 - a) + c * a for m, c in zip(average, (red, green, blue)))
        light.append((r + g + b) / 3)
        yellow_blue.append((r + g) / 2 - b)
        red_green.append(r - g)
        alpha.append(a)
    l_mean, l_rest, l_scale = _transform(light, w, h, max(3, lx), max(3, ly))
    p_mean, p_rest, p_scale = _transform(yellow_blue, w, h, 3, 3)
    q_mean, q_rest, q_scale = _transform(red_green, w, h, 3, 3)

    landscape = w > h
    head = (
        _round(63 * l_mean)
        | _round(31.5 + 31.5 * p_mean) << 6
        | _round(31.5 + 31.5 * q_mean) << 12
        | _round(31 * l_scale) << 18
        | has_alpha << 23
    )
    tail = (ly if landscape else lx) | _round(63 * p_scale) << 3 | _round(63 * q_scale) << 9 | landscape << 15
    data = bytearray(head.to_bytes(3, "little") + tail.to_bytes(2, "little"))
    parts = [l_rest, p_rest, q_rest]
    if has_alpha:
        a_mean, a_rest, a_scale = _transform(alpha, w, h, 5, 5)
        data.append(_round(15 * a_mean) | _round(15 * a_scale) << 4)
        parts.append(a_rest)
    nibbles = [_round(15 * v) for part in parts for v in part]
    nibbles += [0] * (len(nibbles) % 2)
    data += bytes(low | high << 4 for low, high in zip(nibbles[::2], nibbles[1::2]))
    return base64.b64encode(bytes(data)).decode("ascii")
