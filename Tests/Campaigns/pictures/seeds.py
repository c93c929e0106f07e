"""Small pictures of every format that the worker knows, with metadata in each that can hold it."""

import pathlib
import struct
import subprocess
import zlib

WIDTH, HEIGHT = 48, 36

XMP = b"""<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>
<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about=''
xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:xmp='http://ns.adobe.com/xap/1.0/'
xmlns:exif='http://ns.adobe.com/exif/1.0/' xmlns:lr='http://ns.adobe.com/lightroom/1.0/'
xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/' xmp:Rating='4' photoshop:DateCreated='2023-11-04T15:30:12.25+01:00'
exif:GPSLatitude='41,54.123N' exif:GPSLongitude='12,29,7E'>
<dc:description><rdf:Alt><rdf:li xml:lang='x-default'>A barn</rdf:li></rdf:Alt></dc:description>
<dc:title><rdf:Alt><rdf:li xml:lang='x-default'>Barn</rdf:li></rdf:Alt></dc:title>
<dc:subject><rdf:Bag><rdf:li>barn</rdf:li><rdf:li>snow</rdf:li></rdf:Bag></dc:subject>
<lr:hierarchicalSubject><rdf:Bag><rdf:li>place|Rome</rdf:li></rdf:Bag></lr:hierarchicalSubject>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>"""


def pixels():
    """A gradient with a disc in it, three bytes for each pixel."""
    rows = bytearray()
    for y in range(HEIGHT):
        for x in range(WIDTH):
            inside = (x - 30) ** 2 + (y - 16) ** 2 < 90
            rows += bytes((230, 60, 40) if inside else (x * 5, y * 7, 255 - x * 4))
    return bytes(rows)


def iptc():
    """A block of IPTC-IIM: date, time, headline, keywords and caption."""
    values = [(1, 90, b"\x1b%G"), (2, 5, b"Barn"), (2, 25, b"barn"), (2, 25, b"snow"), (2, 55, b"20231104"),
              (2, 60, b"153012+0100"), (2, 120, "A barn in snow, n\u00e4her".encode())]
    return b"".join(struct.pack(">BBBH", 0x1C, record, kind, len(text)) + text for record, kind, text in values)


def tiff(tags, order="<", place=8):
    """The directory of a TIFF at a place, with its values after it; tags are (tag, kind, count, bytes)."""
    head = struct.pack(order + "H", len(tags))
    values, start = b"", place + 2 + len(tags) * 12 + 4
    for tag, kind, count, content in sorted(tags):
        head += struct.pack(order + "HHI", tag, kind, count)
        if len(content) <= 4:
            head += content.ljust(4, b"\0")
        else:
            head += struct.pack(order + "I", start + len(values))
            values += content + b"\0" * (len(content) % 2)
    return head + struct.pack(order + "I", 0) + values


def text(tag, content):
    return (tag, 2, len(content) + 1, content + b"\0")


def exif(order="<"):
    """An EXIF block without its prefix."""
    def fractions(*values):
        return b"".join(struct.pack(order + "II", round(value * 1000), 1000) for value in values)

    exif_tags = [text(0x9003, b"2023:11:04 15:30:12"), text(0x9011, b"+01:00"), text(0x9291, b"250"),
                 (0x9286, 7, 14, b"ASCII\0\0\0A barn"), text(0xA431, b"SERIAL-4711")]
    gps_tags = [text(1, b"N"), (2, 5, 3, fractions(41, 54, 7)), text(3, b"E"), (4, 5, 3, fractions(12, 29, 7)),
                (7, 5, 3, fractions(14, 30, 12)), text(0x1D, b"2023:11:04")]
    wide = "Barn".encode("utf-16-le") + b"\0\0"

    def first(exif_place, gps_place):
        return [text(0x10E, b"A barn"), text(0x10F, b"Lumen"), text(0x110, b"Lumen One"),
                (0x112, 3, 1, struct.pack(order + "H", 6)), (0x9C9B, 1, len(wide), wide),
                (0x8769, 4, 1, struct.pack(order + "I", exif_place)), (0x8825, 4, 1, struct.pack(order + "I", gps_place))]

    exif_place = 8 + len(tiff(first(0, 0), order))
    gps_place = exif_place + len(tiff(exif_tags, order, exif_place))
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", 8)
    return (head + tiff(first(exif_place, gps_place), order) + tiff(exif_tags, order, exif_place)
            + tiff(gps_tags, order, gps_place))


def with_jpeg_metadata(jpeg, order="<"):
    """A JPEG with EXIF, XMP and IPTC in it."""
    def segment(marker, content):
        return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content

    block = iptc()
    resource = b"Photoshop 3.0\0" + b"8BIM" + struct.pack(">HHI", 0x0404, 0, len(block)) + block + b"\0" * (len(block) % 2)
    return (jpeg[:2] + segment(0xE1, b"Exif\0\0" + exif(order))
            + segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + XMP) + segment(0xED, resource) + jpeg[2:])


def png(depth=8, kind=2, interlaced=False):
    """A PNG of one colour in any of its forms, with EXIF and XMP in it."""
    def chunk(name, content):
        body = name + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
    row = b"\0" + bytes((WIDTH * samples * depth + 7) // 8)
    data = row * HEIGHT if not interlaced else (row * HEIGHT)[: 3 * len(row) * HEIGHT]
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, depth, kind, 0, 0, int(interlaced)))
    palette = chunk(b"PLTE", bytes(range(192))) if kind == 3 else b""
    note = chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + XMP)
    return (b"\x89PNG\r\n\x1a\n" + head + palette + chunk(b"eXIf", exif()) + note
            + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def bmp():
    row = b"".join(pixels()[i:i + 3] for i in range(0, WIDTH * 3, 3))
    return (b"BM" + struct.pack("<IHHI", 54 + len(row) * HEIGHT, 0, 0, 54)
            + struct.pack("<IiiHHIIiiII", 40, WIDTH, -HEIGHT, 1, 24, 0, len(row) * HEIGHT, 2835, 2835, 0, 0)
            + row * HEIGHT)


def negative(preview):
    """A DNG whose first directory is its preview."""
    raw = bytes(range(256)) * 24

    def first(preview_place, raw_place):
        return [(0xFE, 4, 1, struct.pack("<I", 1)), (0x100, 3, 1, struct.pack("<H", WIDTH)),
                (0x101, 3, 1, struct.pack("<H", HEIGHT)), (0x102, 3, 3, struct.pack("<HHH", 8, 8, 8)),
                (0x103, 3, 1, struct.pack("<H", 7)), (0x106, 3, 1, struct.pack("<H", 6)), text(0x10E, b"A barn"),
                text(0x10F, b"Lumen"), text(0x110, b"Lumen One"), (0x111, 4, 1, struct.pack("<I", preview_place)),
                (0x112, 3, 1, struct.pack("<H", 6)), (0x115, 3, 1, struct.pack("<H", 3)),
                (0x116, 3, 1, struct.pack("<H", HEIGHT)), (0x117, 4, 1, struct.pack("<I", len(preview))),
                (0x14A, 4, 1, struct.pack("<I", raw_place)), (0xC612, 1, 4, bytes((1, 4, 0, 0))),
                text(0xC614, b"Lumen One")]

    def second(place):
        return [(0xFE, 4, 1, struct.pack("<I", 0)), (0x100, 3, 1, struct.pack("<H", 64)),
                (0x101, 3, 1, struct.pack("<H", 48)), (0x102, 3, 1, struct.pack("<H", 16)),
                (0x103, 3, 1, struct.pack("<H", 1)), (0x106, 3, 1, struct.pack("<H", 32803)),
                (0x111, 4, 1, struct.pack("<I", place)), (0x115, 3, 1, struct.pack("<H", 1)),
                (0x116, 3, 1, struct.pack("<H", 48)), (0x117, 4, 1, struct.pack("<I", len(raw))),
                (0x828D, 3, 2, struct.pack("<HH", 2, 2)), (0x828E, 1, 4, bytes((0, 1, 1, 2)))]

    raw_place = 8 + len(tiff(first(0, 0)))
    preview_place = raw_place + len(tiff(second(0), place=raw_place))
    preview += b"\0" * (len(preview) % 2)
    return (b"II*\0" + struct.pack("<I", 8) + tiff(first(preview_place, raw_place))
            + tiff(second(preview_place + len(preview)), place=raw_place) + preview + raw)


def raw_stubs(preview):
    """Beginnings of raw files of other makers, which are enough for a reader to begin with."""
    body = exif()[8:] + preview
    raf = (b"FUJIFILMCCD-RAW 0201FF383501Lumen One".ljust(84, b"\0") + struct.pack(">IIIIII", 160, len(preview), 160
           + len(preview), 64, 256 + len(preview), 4096)).ljust(160, b"\0") + preview + body * 2
    return {
        "raf": raf,
        "cr2": b"II*\0" + struct.pack("<I", 16) + b"CR\x02\0" + struct.pack("<I", 0) + body,
        "orf": b"IIRO" + struct.pack("<I", 8) + body,
        "rw2": b"IIU\0" + struct.pack("<I", 8) + body,
        "x3f": b"FOVb" + struct.pack("<I", 0x20002) + body + b"SECd" + struct.pack("<II", 0, 1),
        "mrw": b"\0MRM" + struct.pack(">I", len(body)) + b"\0TTW" + struct.pack(">I", len(body)) + body,
        "crw": b"II\x1a\0\0\0HEAPCCDR\x02\0\x01\0" + body + struct.pack("<I", 26),
        "cr3": struct.pack(">I", 24) + b"ftypcrx \0\0\0\1crx isom" + struct.pack(">I", 8 + len(body)) + b"moov" + body,
    }


# A codestream of 120 by 80, and a container with one of 64 by 64.
JPEG_XL = bytes.fromhex("ff0a") + bytes((0b01_01001_1, 0x0E)) + bytes(60)
JPEG_XL_BOX = bytes.fromhex("0000000c4a584c200d0a870a0000001466747970") + b"jxl \0\0\0\0jxl " + struct.pack(
    ">I", 40) + b"jxlc" + bytes.fromhex("ff0a0f00") + bytes(28)


def made(folder):
    """Makes pictures with the command `vips`, and by hand where that does not write a format.

    Returns a dictionary from the name of a format to its pictures.
    """
    folder = pathlib.Path(folder)
    (folder / "seed.ppm").write_bytes(b"P6 %d %d 255\n" % (WIDTH, HEIGHT) + pixels())

    def vips(source, name, options=""):
        done = subprocess.run(["vips", "copy", folder / source, f"{folder / name}{options}"], capture_output=True)
        return (folder / name).read_bytes() if done.returncode == 0 else None

    def converted(profile, name):
        """A picture in the colours of a profile, which is in the file."""
        subprocess.run(["vips", "icc_transform", folder / "seed.ppm", folder / f"{profile}.tif", profile],
                       capture_output=True)
        return vips(f"{profile}.tif", name)

    plain = vips("seed.ppm", "plain.jpg", "[Q=80]")
    if plain is None:
        raise SystemExit("the command vips cannot write JPEG: install libvips-tools")
    interlaced = vips("seed.ppm", "interlaced.jpg", "[Q=80,interlace]")
    for name, order in (("little.jpg", "<"), ("big.jpg", ">")):
        (folder / name).write_bytes(with_jpeg_metadata(plain, order))
    annotated = (folder / "little.jpg").read_bytes()
    pictures = {
        "jpeg": [annotated, (folder / "big.jpg").read_bytes(), with_jpeg_metadata(interlaced), plain,
                 converted("p3", "p3.jpg"), converted("cmyk", "cmyk.jpg")],
        "png": [png(), png(16, 6), png(4, 3), png(16, 4), png(1, 0), vips("seed.ppm", "seed.png"),
                vips("seed.ppm", "interlaced.png", "[interlace]"), converted("p3", "p3.png")],
        "gif": [vips("seed.ppm", "seed.gif"), vips("seed.ppm", "frames.gif", "[page-height=12]")],
        "webp": [vips("little.jpg", "seed.webp"), vips("seed.ppm", "lossless.webp", "[lossless]"),
                 vips("seed.ppm", "frames.webp", "[page-height=12]"), converted("p3", "p3.webp")],
        "tiff": [vips("little.jpg", "seed.tif"), vips("seed.ppm", "lzw.tif", "[compression=lzw,predictor=horizontal]"),
                 vips("seed.ppm", "tiles.tif", "[tile,tile-width=16,tile-height=16,compression=deflate]"),
                 vips("seed.ppm", "jpeg.tif", "[compression=jpeg]"),
                 vips("seed.ppm", "pages.tif", "[page-height=12,compression=lzw]"), converted("cmyk", "cmyk-copy.tif")],
        "heic": [vips("little.jpg", "seed.heic", "[compression=hevc]"), converted("p3", "p3.heic")],
        "avif": [vips("little.jpg", "seed.avif", "[compression=av1,effort=1]"), converted("p3", "p3.avif")],
        "bmp": [bmp()],
        "jxl": [JPEG_XL, JPEG_XL_BOX, vips("little.jpg", "seed.jxl")],
        "raw": [negative(plain), *raw_stubs(plain).values()],
    }
    return {format: [picture for picture in list if picture] for format, list in pictures.items()}


# Extensions and the formats whose pictures they are; other files of a folder are left out.
EXTENSIONS = {
    "jpg": "jpeg", "jpeg": "jpeg", "png": "png", "gif": "gif", "webp": "webp", "tif": "tiff", "tiff": "tiff", "heic": "heic",
    "heif": "heic", "avif": "avif", "bmp": "bmp", "jxl": "jxl", "dng": "raw", "cr2": "raw", "cr3": "raw", "nef": "raw",
    "arw": "raw", "raf": "raw", "orf": "raw", "rw2": "raw", "mrw": "raw", "crw": "raw", "x3f": "raw",
}


def found(folder, largest):
    """Reads the pictures of a folder that are no larger than a number of bytes."""
    pictures = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        format = EXTENSIONS.get(path.suffix.lower().lstrip("."))
        if format and path.is_file() and 0 < path.stat().st_size <= largest:
            pictures.setdefault(format, []).append(path.read_bytes())
    return pictures
