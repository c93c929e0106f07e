"""Checks SampleData/: that records, files and EXIF data agree."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections import Counter
from pathlib import Path

from PIL import Image, ImageOps

from .dates import exif_date
from .files import (
    DESCRIPTION,
    EXIF_PART,
    GPS_PART,
    OFFSET,
    ORIENTATION,
    PIXELS_X,
    PIXELS_Y,
    SUBSECOND,
    TAKEN,
)
from .records import FIELDS, average

PICTURES_LIMIT, TOTAL_LIMIT = 2_800_000, 3_000_000


def _decimal(parts, ref: str) -> float:
    value = float(parts[0]) + float(parts[1]) / 60 + float(parts[2]) / 3600
    return -value if ref in "SW" else value


def _check_picture(record: dict, path: Path) -> list[str]:
    """What is wrong with the file of one record."""
    wrong = []

    def expect(what: str, found, wanted) -> None:
        if found != wanted:
            wrong.append(f"{record['id']}: {what} is {found!r}, not {wanted!r}")

    data = path.read_bytes()
    expect("sha256", hashlib.sha256(data).hexdigest(), record["contentHash"])
    with Image.open(path) as picture:
        picture.load()
        expect("size", picture.size, (record["width"], record["height"]))
        exif = picture.getexif()
        upright = ImageOps.exif_transpose(picture)
    expect("average colour", average(upright), record["color"])
    turned = record.get("orientation", 1) >= 5
    expect("upright size", upright.size, picture.size[::-1] if turned else picture.size)
    expect("orientation", exif.get(ORIENTATION, 1), record.get("orientation", 1))
    if not len(exif):
        return wrong  # a file without any EXIF data
    part, date = exif.get_ifd(EXIF_PART), exif_date(record.get("takenAt"))
    expect("EXIF size", (part.get(PIXELS_X), part.get(PIXELS_Y)), (record["width"], record["height"]))
    expect("DateTimeOriginal", part.get(TAKEN), date and date.local)
    expect("OffsetTimeOriginal", part.get(OFFSET), date and date.offset)
    expect("SubsecTimeOriginal", part.get(SUBSECOND), date and date.fraction)
    text = exif.get(DESCRIPTION)
    expect("ImageDescription", text and text.encode("latin-1").decode("utf-8"), record.get("caption"))
    gps = exif.get_ifd(GPS_PART)
    expect("GPS", bool(gps), "latitude" in record)
    if gps:
        place = (_decimal(gps[2], gps[1]), _decimal(gps[4], gps[3]))
        far = max(abs(a - float(record[k])) for a, k in zip(place, ("latitude", "longitude")))
        expect("distance of the GPS place", far < 0.00001, True)
    return wrong


def check(folder: Path) -> list[str]:
    """All that is wrong, as lines of text."""
    records = [json.loads(line) for line in (folder / "photos.jsonl").read_text("utf-8").splitlines()]
    raw = (folder / "photos.csv").read_bytes()
    if raw.count(b"\r\n") == 0:
        return ["photos.csv has no CRLF"]
    rows = list(csv.DictReader(raw.decode("utf-8").split("\r\n"), strict=True))
    wrong = []
    if len(records) != 120:
        wrong.append(f"{len(records)} records, not 120")
    ids = Counter([r["id"] for r in records] + [r["id"] for r in rows])
    wrong += [f"id used {n} times: {key}" for key, n in ids.items() if n > 1]
    for record in records:
        wrong += [f"{record['id']}: unknown field {key}" for key in record if key not in FIELDS]
        if "color" in record and not re.fullmatch(r"#[0-9a-f]{6}", record["color"]):
            wrong.append(f"{record['id']}: color")
        if "contentHash" in record:
            wrong += _check_picture(record, folder / record["location"])
    listed = {r["location"] for r in records if "contentHash" in r}
    present = {f"pictures/{p.name}" for p in (folder / "pictures").iterdir()}
    wrong += [f"not in the records: {name}" for name in sorted(present - listed)]
    seen = Counter(int(r.get("orientation", 1)) for r in records if "contentHash" in r)
    wrong += [f"no picture of orientation {n}" for n in range(1, 9) if not seen[n]]
    pictures = sum(p.stat().st_size for p in (folder / "pictures").iterdir())
    total = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
    if pictures > PICTURES_LIMIT or total > TOTAL_LIMIT:
        wrong.append(f"too large: pictures {pictures}, all {total} bytes")
    print(f"{len(records)} records, {len(listed)} pictures ({pictures} bytes), {len(rows)} rows, {total} bytes in all")
    return wrong
