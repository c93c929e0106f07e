"""Writes a picture as JPEG, PNG or WebP, turned and with the EXIF data of its record."""

from __future__ import annotations

import io
import math

from PIL import Image
from PIL.TiffImagePlugin import IFDRational

from .dates import exif_date

T = Image.Transpose
# What must be done to the upright pixels so that a viewer that honours the tag undoes it.
STORED = {
    2: T.FLIP_LEFT_RIGHT,
    3: T.ROTATE_180,
    4: T.FLIP_TOP_BOTTOM,
    5: T.TRANSPOSE,
    6: T.ROTATE_90,
    7: T.TRANSVERSE,
    8: T.ROTATE_270,
}

ORIENTATION, DESCRIPTION, SOFTWARE = 0x0112, 0x010E, 0x0131
EXIF_PART, GPS_PART = 0x8769, 0x8825
VERSION, TAKEN, OFFSET, SUBSECOND, PIXELS_X, PIXELS_Y = 0x9000, 0x9003, 0x9011, 0x9291, 0xA002, 0xA003


def _degrees(value: float) -> tuple[IFDRational, IFDRational, IFDRational]:
    """Degrees, minutes and seconds; a hundredth of a second is about 30 cm."""
    hundredths = round(abs(value) * 360000)
    return (
        IFDRational(hundredths // 360000, 1),
        IFDRational(hundredths // 6000 % 60, 1),
        IFDRational(hundredths % 6000, 100),
    )


def exif_of(record: dict, size: tuple[int, int]) -> Image.Exif:
    exif = Image.Exif()
    exif[ORIENTATION] = int(record.get("orientation", 1))
    exif[SOFTWARE] = "PhotoStream make-sample-data"
    if "caption" in record:
        exif[DESCRIPTION] = record["caption"].encode("utf-8")
    part = exif.get_ifd(EXIF_PART)
    part[VERSION] = b"0232"
    part[PIXELS_X], part[PIXELS_Y] = size
    date = exif_date(record.get("takenAt"))
    if date:
        part[TAKEN] = date.local
        if date.offset:
            part[OFFSET] = date.offset
        if date.fraction:
            part[SUBSECOND] = date.fraction
    if "latitude" in record and "longitude" in record:
        lat, lon = float(record["latitude"]), float(record["longitude"])
        gps = exif.get_ifd(GPS_PART)
        gps[0] = b"\x02\x03\x00\x00"
        gps[1], gps[2] = "S" if math.copysign(1, lat) < 0 else "N", _degrees(lat)
        gps[3], gps[4] = "W" if math.copysign(1, lon) < 0 else "E", _degrees(lon)
    return exif


def encode(picture: Image.Image, record: dict, draw: dict) -> tuple[bytes, tuple[int, int]]:
    """The bytes of the file and its own size in pixels, before the orientation is applied."""
    turn = STORED.get(int(record.get("orientation", 1)))
    stored = picture if turn is None else picture.transpose(turn)
    if draw.get("grey"):
        stored = stored.convert("L")
    options = {} if draw.get("bare") else {"exif": exif_of(record, stored.size).tobytes()}
    ending, out = draw["file"].rsplit(".", 1)[1], io.BytesIO()
    if ending == "jpg":
        stored.save(
            out,
            "JPEG",
            quality=draw.get("quality", 80),
            optimize=True,
            progressive=draw.get("progressive", False),
            **options,
        )
    elif ending == "png":
        if draw.get("palette"):
            stored = stored.quantize(draw["palette"], dither=Image.Dither.NONE)
        stored.save(out, "PNG", optimize=True, **options)
    elif ending == "webp":
        stored.save(
            out, "WEBP", quality=draw.get("quality", 78), method=6, lossless=draw.get("lossless", False), **options
        )
    else:
        raise ValueError(f"unknown kind of file: {draw['file']}")
    return out.getvalue(), stored.size
