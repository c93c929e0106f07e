"""The EXIF form of a record's `takenAt`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

WHOLE = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$")
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True)
class ExifDate:
    local: str  # "2024:08:12 21:14:03"
    offset: str | None  # "+02:00"
    fraction: str | None  # "250"


def exif_date(taken) -> ExifDate | None:
    """None for a missing date, and for a day, month or year alone: EXIF wants a full time.

    A whole number is seconds since 1970; from 100 000 000 000 up, milliseconds.
    """
    if isinstance(taken, int):
        millis = taken if abs(taken) >= 100_000_000_000 else taken * 1000
        moment = EPOCH + timedelta(milliseconds=millis)
        fraction = f"{moment.microsecond // 1000:03}" if moment.microsecond else None
        return ExifDate(moment.strftime("%Y:%m:%d %H:%M:%S"), "+00:00", fraction)
    found = WHOLE.match(taken or "")
    if not found:
        return None
    year, month, day, clock, fraction, offset = found.groups()
    return ExifDate(f"{year}:{month}:{day} {clock}", "+00:00" if offset == "Z" else offset, fraction)
