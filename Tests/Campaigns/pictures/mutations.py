"""Changes of bytes that decoders may stumble over."""

import re
import struct
import zlib

INTERESTING = [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 255, 256, 511, 512, 1023, 1024, 4095, 4096, 32767,
               32768, 65534, 65535, 65536, 1 << 20, (1 << 24) - 1, 1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 1]

# Pieces of files that mean something to one of the readers.
WORDS = [b"Exif\0\0", b"II*\0", b"MM\0*", b"8BIM\x04\x04", b"\x1c\x02\x37\0\x08", b"\x1c\x02\x3c\0\x0b", b"\xff\xda", b"\xff\xc0",
         b"\xff\xc2", b"\xff\xd8", b"\xff\xd9", b"\xff\xdd\0\4", b"IHDR", b"IDAT", b"eXIf", b"iTXt", b"iCCP", b"acTL", b"fcTL", b"PLTE",
         b"VP8X", b"VP8L", b"VP8 ", b"ALPH", b"ANIM", b"ANMF", b"EXIF", b"XMP ", b"ICCP", b"meta", b"pitm", b"iinf", b"iloc",
         b"iprp", b"ipco", b"ipma", b"ispe", b"irot", b"imir", b"clap", b"iref", b"grid", b"hvcC", b"av1C", b"colr", b"auxC",
         b"<!DOCTYPE x [", b"&lt;", b"<rdf:li>", b"CDATA[", b"\xf0\x9f\x93\xb7", "é".encode() * 4, b"\0\x21\xf9\4", b"\x2c"]


def number(source, limit):
    """A place below a limit; the first bytes of a file are the most likely ones."""
    if source.random() < 0.5:
        limit = min(limit, source.choice((64, 512, 4096)))
    return source.randrange(max(1, limit))


def mutated(source, picture, others):
    """Returns a picture with some changes, by a source of random numbers."""
    data = bytearray(picture)
    for _ in range(source.choice((1, 1, 1, 2, 2, 3, 4, 8, 16, 64))):
        change(source, data, others)
    if data.startswith(b"\x89PNG") and source.random() < 0.8:
        mend_checksums(data)
    return bytes(data)


def change(source, data, others):
    kind, count = source.randrange(13), len(data)
    place = number(source, count)
    if kind == 0 and count:
        data[place] ^= 1 << source.randrange(8)
    elif kind == 1 and count:
        data[place] = source.choice((0, 1, 0x7F, 0x80, 0xFE, 0xFF, source.randrange(256)))
    elif kind in (2, 3, 4):
        width = source.choice((1, 2, 2, 4, 4, 4))
        value = source.choice(INTERESTING) + source.choice((-1, 0, 0, 1))
        packed = struct.pack(source.choice("<>") + "q", value & (1 << 63) - 1)
        packed = packed[:width] if packed[0] == value & 0xFF else packed[-width:]
        data[place:place + width] = packed[: max(0, count - place)]
    elif kind == 5:
        del data[place:place + source.choice((1, 2, 4, 16, 256, count // 4 + 1))]
    elif kind == 6:
        data[place:place] = source.randbytes(source.choice((1, 2, 4, 16, 64)))
    elif kind == 7:
        length = source.choice((4, 16, 64, 512))
        start = number(source, count)
        data[place:place] = data[start:start + length]
    elif kind == 8:
        word = source.choice(WORDS)
        if source.random() < 0.5:
            data[place:place + len(word)] = word
        else:
            data[place:place] = word
    elif kind == 9 and source.random() < 0.4:
        del data[source.randrange(count + 1):]
    elif kind == 10 and others:
        other = source.choice(others)
        start = number(source, len(other))
        length = source.choice((8, 64, 512, len(other)))
        data[place:place + length] = other[start:start + length]
    elif kind == 11:
        length = source.choice((2, 8, 64))
        data[place:place + length] = bytes([source.choice((0, 0xFF, 0x41))]) * min(length, max(0, count - place))
    elif kind == 12:
        change_digits(source, data)


def change_digits(source, data):
    """Puts other characters into a run of digits, such as a date, or replaces all of it without another length."""
    runs = [match.span() for match in re.finditer(rb"[0-9]{4,}|[0-9]{2}(?=[:,.])", data)]
    if not runs:
        return
    start, end = source.choice(runs)
    if source.random() < 0.5:
        start = source.randrange(start, end)
    text = source.choice(("\u00e9", "\U0001f4f7", "\r\n", "9", "0", "-", " ", "\u0660", "e")).encode()
    data[start:end] = (text * (end - start))[: end - start]


def mend_checksums(data):
    """Gives each chunk of a PNG its checksum, so that readers do not stop there."""
    place = 8
    while place + 12 <= len(data):
        length = struct.unpack_from(">I", data, place)[0]
        end = place + 8 + length
        if end + 4 > len(data):
            return
        struct.pack_into(">I", data, end, zlib.crc32(data[place + 4:end]))
        place = end + 4
