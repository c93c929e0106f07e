"""Makes what the gallery is measured with, from a fixed seed.

    photos.py records NUMBER                prints records of made-up photos as JSON Lines, the newest first
    photos.py pictures NUMBER FOLDER        fills a folder with real pictures, and prints records of their dates

The records have the sizes of cameras (40 % 3:2, 25 % 4:3, 10 % square, 17 % 2:3, 8 % 16:9, with jitter), 15 years of dates, a
colour and a ThumbHash each, and hardly any of these is that of another photo. The pictures are the JPEG files of SampleData
under many names. Each file ends with bytes of its own, which no decoder reads: so it has thumbnails of its own, and no two
photos share a cached one. They are newer than all records.
"""

import base64
import datetime
import json
import pathlib
import random
import sys

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "SampleData"
# Width and height, and how many of a hundred photos have it.
SIZES = [(6000, 4000, 40), (4032, 3024, 25), (3000, 3000, 10), (4000, 6000, 17), (3840, 2160, 8)]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
NEWEST = datetime.datetime(2026, 1, 1)
YEARS = 15


def placeholders():
    """The ThumbHashes of the sample photos, as bytes."""
    lines = (SAMPLES / "photos.jsonl").read_text().splitlines()
    texts = [json.loads(line).get("placeholder", "") for line in lines]
    hashes = [base64.b64decode(text) for text in texts if len(text) == 28 and text.isascii()]
    return [data for data in hashes if len(data) >= 20]


def records(count):
    random.seed(count)
    hashes = placeholders()
    weights = [weight for _, _, weight in SIZES]
    seconds = YEARS * 365 * 86_400 / count
    for number in range(count):
        width, height, _ = random.choices(SIZES, weights)[0]
        taken = NEWEST - datetime.timedelta(seconds=number * seconds + random.random() * 86_400)
        # The light of another photo: the first bytes say how the rest is read, and stay.
        likeness = random.choice(hashes)
        likeness = likeness[:6] + random.randbytes(len(likeness) - 6)
        yield {
            "id": "".join(random.choices(LETTERS, k=12)), "width": width + random.randint(-40, 40),
            "height": height + random.randint(-40, 40), "takenAt": taken.isoformat(timespec="seconds") + "Z",
            "color": f"#{random.randint(0x303030, 0xd0d0d0):06x}", "placeholder": base64.b64encode(likeness).decode(),
        }


def pictures(count, folder):
    # No tests of odd shapes and orientations.
    names = [path for path in sorted((SAMPLES / "pictures").glob("*.jpg"))
             if "fifty" not in path.name and "orientation" not in path.name]
    folder.mkdir(parents=True)
    for number in range(count):
        source = names[number * 7 % len(names)]
        name = f"{number:05}-{source.name}"
        (folder / name).write_bytes(source.read_bytes() + number.to_bytes(4, "big"))
        taken = NEWEST + datetime.timedelta(days=30) - datetime.timedelta(minutes=number)
        yield {"id": name, "takenAt": taken.isoformat(timespec="seconds") + "Z"}


def main(kind, count, *rest):
    lines = records(int(count)) if kind == "records" else pictures(int(count), pathlib.Path(rest[0]))
    for record in lines:
        print(json.dumps(record))


main(*sys.argv[1:])
