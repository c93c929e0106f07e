"""The messages of `photostream-pictures` (Sources/PhotoStreamPictureMessages), and a process of it."""

import os
import select
import signal
import struct
import subprocess
import time

WEBP, JPEG = 0, 1
FAILURES = ["missing", "denied", "notAPicture", "unsupported", "damaged", "tooLarge", "changed", "exhausted"]


def counted(content):
    return struct.pack("<I", len(content)) + content


def header_request(root, path, sidecars=()):
    names = b"".join(counted(name.encode()) for name in sidecars)
    return b"\0" + counted(root.encode()) + counted(path.encode()) + struct.pack("<I", len(sidecars)) + names


def decode_request(root, path, orientation=0, kinds=((320, WEBP),), is_measured=True):
    sizes = b"".join(struct.pack("<HB", *kind) for kind in kinds)
    return (b"\1" + counted(root.encode()) + counted(path.encode()) + bytes((orientation,))
            + struct.pack("<I", len(kinds)) + sizes + bytes((int(is_measured),)))


class Malformed(Exception):
    """An answer that no server would take."""


class Reader:
    """Reads the parts of an answer."""

    def __init__(self, data):
        self.data, self.place = data, 0

    def number(self, kind):
        size = struct.calcsize("<" + kind)
        if self.place + size > len(self.data):
            raise Malformed("the answer is too short")
        self.place += size
        return struct.unpack_from("<" + kind, self.data, self.place - size)[0]

    def bytes(self):
        count = self.number("I")
        if self.place + count > len(self.data):
            raise Malformed("a list is longer than the answer")
        self.place += count
        return self.data[self.place - count:self.place]

    def text(self):
        try:
            return self.bytes().decode()
        except UnicodeDecodeError:
            raise Malformed("a text is not UTF-8") from None

    def list(self, read):
        return [read() for _ in range(self.number("I"))]

    def optional(self, read):
        return read() if self.number("B") else None


def metadata(reader):
    found = {}
    found["takenAt"] = reader.optional(
        lambda: (reader.number("q"), reader.optional(lambda: reader.number("h")), reader.number("B")))
    found["title"] = reader.optional(reader.text)
    found["caption"] = reader.optional(reader.text)
    found["keywords"] = reader.list(reader.text)
    found["rating"] = reader.optional(lambda: reader.number("b"))
    found["coordinate"] = reader.optional(lambda: (reader.number("d"), reader.number("d")))
    found["camera"] = reader.optional(reader.text)
    return found


def answer(message):
    """Reads an answer as a dictionary; raises Malformed."""
    reader = Reader(message)
    kind = reader.number("B")
    if kind == 0:
        found = {"kind": "header", "format": reader.number("B"), "size": (reader.number("i"), reader.number("i")),
                 "orientation": reader.number("B"), "embedded": metadata(reader)}
        found["sidecar"] = reader.optional(lambda: metadata(reader))
        found["preview"] = reader.optional(lambda: (reader.bytes(), reader.number("I")))
        found["warnings"] = reader.list(reader.text)
    elif kind == 1:
        found = {"kind": "decoded", "byteCount": reader.number("q"), "modified": reader.number("q"),
                 "size": (reader.number("i"), reader.number("i")), "orientation": reader.number("B")}
        found["measures"] = reader.optional(lambda: (reader.bytes(), reader.bytes(), reader.bytes(), reader.number("I")))
        found["thumbnails"] = reader.list(
            lambda: {"size": reader.number("H"), "format": reader.number("B"), "width": reader.number("I"),
                     "height": reader.number("I"), "bytes": reader.bytes()})
    elif kind == 2:
        found = {"kind": "content", "picture": reader.bytes(), "file": reader.bytes()}
    elif kind == 3:
        number = reader.number("B")
        if number >= len(FAILURES):
            raise Malformed(f"the failure {number} is none of a worker's")
        found = {"kind": "failed", "failure": FAILURES[number], "reason": reader.text()}
    else:
        raise Malformed(f"the answer has the kind {kind}")
    if reader.place != len(message):
        raise Malformed("bytes follow the answer")
    return found


class Ended(Exception):
    """The process ended before it answered."""

    def __init__(self, status):
        super().__init__(status)
        self.name = signal.Signals(-status).name if status < 0 else f"status {status}"
        self.is_signal = status < 0


class TooLate(Exception):
    """The process did not answer in time, and was killed."""


class Worker:
    """A process that answers one request at a time."""

    def __init__(self, path, arguments=()):
        self.process = subprocess.Popen(
            [path, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
            start_new_session=True)
        self.rest = b""

    def ask(self, message, seconds):
        """Sends a request and returns the message of its answer; raises Ended or TooLate, after which it is of no use."""
        end = time.monotonic() + seconds
        try:
            self.process.stdin.write(counted(message))
        except BrokenPipeError:
            raise Ended(self.status()) from None
        count = struct.unpack("<I", self.take(4, end))[0]
        if count > 64 << 20:
            raise Malformed(f"the answer has {count} bytes")
        return self.take(count, end)

    def take(self, count, end):
        while len(self.rest) < count:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                self.kill()
                raise TooLate
            block = os.read(self.process.stdout.fileno(), 1 << 20)
            if not block:
                raise Ended(self.status())
            self.rest += block
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def status(self):
        try:
            return self.process.wait(10)
        finally:
            self.kill()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
