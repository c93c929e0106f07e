"""Builds the records, and the picture files they point at, from the tables in records/."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path
from random import Random

from PIL import Image, ImageOps, ImageStat

from . import scenes
from .files import encode
from .thumbhash import thumbhash

TABLES = Path(__file__).parent / "records"
STREAM = ["sea", "land", "sky", "town", "garden", "poster", "album", "odd"]  # photos.jsonl
TABLE = "table"  # photos.csv
FIELDS = [
    "id",
    "width",
    "height",
    "orientation",
    "takenAt",
    "caption",
    "alt",
    "tags",
    "location",
    "latitude",
    "longitude",
    "contentHash",
    "placeholder",
    "color",
]
SKETCH = 480  # long side of a picture that is drawn only for its placeholder and colour


def load(name: str) -> list[dict]:
    return json.loads((TABLES / f"{name}.json").read_text("utf-8"))


def average(picture: Image.Image) -> str:
    """The mean of the pixels as "#rrggbb"; what is transparent does not count."""
    rgba = picture.convert("RGBA")
    red, green, blue = ImageStat.Stat(rgba.convert("RGB"), mask=rgba.getchannel("A")).mean
    return "#" + "".join(f"{int(v + 0.5):02x}" for v in (red, green, blue))


def shown_size(record: dict) -> tuple[float, float]:
    width, height = float(record["width"]), float(record["height"])
    return (height, width) if int(record.get("orientation", 1)) >= 5 else (width, height)


def sketch(record: dict, draw: dict) -> Image.Image:
    width, height = shown_size(record)
    scale = SKETCH / max(width, height)
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    return scenes.paint(draw["scene"], record["id"], size, draw.get("with", {}), mark=False)


def finish(record: dict) -> tuple[dict, bytes | None]:
    """The record with all that follows from its picture, and the bytes of that picture."""
    record = dict(record)
    draw, data = record.pop("draw", None), None
    if draw and "file" in draw:
        mark = record.get("orientation", 1) > 1
        if not draw.get("bare"):
            record.setdefault("orientation", 1)
        picture = scenes.paint(draw["scene"], record["id"], tuple(draw["size"]), draw.get("with", {}), mark)
        data, (record["width"], record["height"]) = encode(picture, record, draw)
        record["location"] = f"pictures/{draw['file']}"
        record["contentHash"] = hashlib.sha256(data).hexdigest()
        shown = ImageOps.exif_transpose(Image.open(io.BytesIO(data)))
    else:
        shown = sketch(record, draw) if draw else None
    if shown is not None:
        record["placeholder"], record["color"] = thumbhash(shown), average(shown)
    return {field: record[field] for field in FIELDS if field in record}, data


def stream() -> tuple[list[dict], dict[str, bytes]]:
    """The records of photos.jsonl, in a mixed order, and the picture files by path."""
    records, files = [], {}
    for name in STREAM:
        for entry in load(name):
            record, data = finish(entry)
            records.append(record)
            if data is not None:
                files[record["location"]] = data
    Random("order of the stream").shuffle(records)
    return records, files


def as_lines(records: list[dict]) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode("utf-8")


def as_table(records: list[dict]) -> bytes:
    """RFC 4180: CRLF line ends, quotes where they are needed. Tags are joined with "; "."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, FIELDS, lineterminator="\r\n")
    writer.writeheader()
    for record in records:
        writer.writerow({**record, "tags": "; ".join(record.get("tags", []))})
    return text.getvalue().encode("utf-8")


def table() -> list[dict]:
    return [finish(entry)[0] for entry in load(TABLE)]
