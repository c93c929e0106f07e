"""The knowledge of this interface that schemathesis lacks; read by scripts/api-fuzz.

Most requests that are meant to be good get names, cursors and layout options that belong together: made-up ones would
only be answered with 404 and 400. Requests that are meant to be bad are left unchanged.
"""

import json
import os
import random
import urllib.parse
import urllib.request

import schemathesis

# Streams that the run begins with, and photos of them.
SHARE = os.environ.get("PHOTOSTREAM_FUZZ_SHARE")
STREAMS = (SHARE,) if SHARE else ("sample", "many", "pictures", "empty")
# The token of the sender, if it has one; folders of the machine, which no answer may contain.
TOKEN = os.environ.get("PHOTOSTREAM_FUZZ_TOKEN")
PLANTED = [text for text in os.environ.get("PHOTOSTREAM_FUZZ_PLANTED", "").split(":") if text]
PICTURES = ("orientation-8.jpg", "moonrise.webp", "himalaya-panorama.jpg", "one-pixel.png", "citrus-print.png")
PHOTOS = ("orientation-8", "photo-7", "2023/été 3", "photo-40", "none")
# These are asked with any name, so that the streams stay unchanged.
SPARED = ("deleteStream", "renameStream")
# Options that one algorithm alone takes; all others belong to all of them.
OWN = {
    "masonry": ("minimum-column-width", "columns", "column-choice", "order-tolerance", "span-wider-than", "anchor"),
    "flow": ("item-size", "item-height", "own-sizes"),
    "justified": (
        "target-line-height", "tolerance", "minimum-line-height", "maximum-line-height", "widows", "breaks",
        "breakout-every",
    ),
    "grid": ("columns", "minimum-column-width", "aspect-ratio"),
    "map": ("zoom", "item-size"),
}
FOREIGN = {name for names in OWN.values() for name in names}
# Lengths for parameters whose schema has no range, the extremes among them.
LENGTHS = (0, 1, 0.001, 40, 900, 10_000, 100_000)
POINTS = (0, -1, 1, 0.5, 900, 1e7, -1e7, 2.0**31, 2.0**53, 2.0**60, 1e19, -1e19, 1e300, -1e300, 1e-300)
EXTENTS = (0, 1, 900, 1e7, 2.0**60, 1e19, 1e300)
# Parameters of questions about layouts other than layout options.
QUESTIONS = (
    "first", "limit", "from", "count", "from-section", "fields", "ids", "photo", "rect", "bounds", "x", "y", "velocity",
    "viewport", "snap", "since", "kind", "section", "steps", "cursor", "keep", "nearest", "id",
)
# Conditions that a schema cannot express: only for these may a good request be refused with 400 or 422.
REASONS = {
    "invalid-layout": "options of a layout depend on each other and on the width",
    "missing-parameter": "width, height and layout-key stand for each other, rect and cursor too",
    "invalid-parameter": (
        "fields requires first, ids requires the binary form, id excludes positions and limits, since and from have to be "
        "within the stream"
    ),
    "invalid-cursor": "a cursor is signed",
    "invalid-name": "names are limited by bytes of UTF-8, which a schema cannot count",
    "invalid-photo": "a photo's values are judged as an import judges them: dates, sizes, places, colours",
    "invalid-move": "a photo is not moved next to itself",
    "invalid-body": "lists are limited, CSV has a column of ids, and the rule of a kept view is a condition",
    "undecodable-picture": "bytes are a picture by their content",
}


def number(text):
    """A number that depends only on a value's text."""
    return sum(str(text).encode("utf-8", "surrogatepass"))


def is_layout(path):
    return "/layout" in path


def text(value):
    """A number as it is written in an address, always in decimal."""
    return format(value, ".400f").rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def value(draw, parameter):
    """A value of a parameter of a layout, mostly an extreme."""
    schema = parameter["schema"]
    if "enum" in schema:
        return draw.choice(schema["enum"])
    if schema["type"] == "boolean":
        return draw.choice(("true", "false"))
    if schema["type"] in ("number", "integer") and "minimum" in schema:
        least, most = schema["minimum"], schema["maximum"]
        values = [least, most] * 3 + [min(most, least + 1), max(least, most - 1), (least + most) / 2]
        values += [min(most, max(least, usual)) for usual in (2, 120, 900)]
        found = draw.choice(values)
        return text(int(found) if schema["type"] == "integer" else float(found))
    count = schema.get("pattern", "").count("[0-9]+(")
    return ",".join(text(float(draw.choice(LENGTHS))) for _ in range(count or 1))


def layout(draw, parameters):
    """Options of one algorithm, most of them extreme at once."""
    algorithm = draw.choice(tuple(OWN))
    options = {"algorithm": algorithm}
    if draw.random() < 0.2:
        options["scroll-direction"] = "horizontal"
    side = "height" if "scroll-direction" in options else "width"
    options[side] = value(draw, parameters[side])
    share = draw.choice((0.1, 0.4, 0.8))
    for name, parameter in parameters.items():
        if name in options or name in ("width", "height", "layout-key", "algorithm", "scroll-direction"):
            continue
        if name not in FOREIGN or name in OWN[algorithm]:
            if draw.random() < share:
                options[name] = value(draw, parameter)
    # Options that exclude or need each other.
    for one, other in (("columns", "minimum-column-width"), ("item-size", "item-height"), ("item-height", "own-sizes")):
        if one in options and other in options:
            del options[draw.choice((one, other))]
    if "own-sizes" in options:
        options.pop("item-size", None)
        options.pop("item-height", None)
    if options.get("column-choice") == "round-robin":
        options.pop("order-tolerance", None)
    for pin, size in (("pin-headers", "header-size"), ("pin-footers", "footer-size")):
        if options.get(pin) == "true" and options.get(size, "0") == "0":
            options[size] = "40"
    return options


def place(draw, options):
    """Points and rectangles for a layout, including extreme ones."""
    for name in ("x", "y", "velocity"):
        if name in options:
            options[name] = text(float(draw.choice(POINTS)))
    for name, points, extents in (("rect", 2, 2), ("bounds", 2, 2), ("viewport", 0, 2)):
        if name in options:
            numbers = [draw.choice(POINTS) for _ in range(points)] + [draw.choice(EXTENTS) for _ in range(extents)]
            options[name] = ",".join(text(float(number)) for number in numbers)


def ask(address):
    """The answer to a question of the hooks themselves, with the sender's rights; `None` where it has none."""
    fields = {"Authorization": f"Bearer {TOKEN}"} if TOKEN else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=fields)) as answer:
            return json.load(answer)
    except OSError:
        return None


_cursors = {}


def cursor(case, stream, kind):
    """A cursor of a stream's second page, or of a rectangle."""
    key = (stream, kind)
    if key not in _cursors:
        question = "page?width=900&limit=7" if kind == "getPage" else "rect?width=900&rect=0,0,900,9000&limit=7"
        base = case.operation.schema.get_base_url().rstrip("/")
        found = ask(f"{base}/v1/streams/{stream}/layout/{question}")
        if found is None:
            return None
        _cursors[key] = found["nextCursor"]
    return _cursors[key]


_keys = []


def key(case, seed):
    """The key of a picture's thumbnails."""
    if not _keys:
        base = case.operation.schema.get_base_url().rstrip("/")
        found = ask(f"{base}/v1/streams/pictures/photos?limit=100") or {"photos": []}
        _keys.extend(photo["picture"]["key"] for photo in found["photos"] if "key" in photo.get("picture", {}))
    return _keys[seed % len(_keys)] if _keys else "none"


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Leaves the operations that a share may ask, for a sender who has its link: there are no others beneath it.

    So `Allow` is compared with the methods of the operations that are left: beneath a link, GET and HEAD alone.
    """
    if not SHARE:
        return
    for path, operations in list(raw_schema["paths"].items()):
        shared = {method: it for method, it in operations.items() if it.get("x-photostream-share")}
        if shared:
            raw_schema["paths"][path] = shared
        else:
            del raw_schema["paths"][path]


@schemathesis.serializer("application/jsonl", "application/x-ndjson")
def json_lines(context, value):
    """Lines are sent unchanged, because the document calls them a text."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes most requests that are meant to be good sensible."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    operation = case.operation.definition.raw.get("operationId")
    # In a sequence of requests, the names come from earlier answers.
    path = {} if "STATEFUL" in str(case.meta.phase.name).upper() else case.path_parameters or {}
    stream = path.get("stream")
    if operation not in SPARED and isinstance(stream, str) and number(stream) % 6 < len(STREAMS):
        stream = path["stream"] = STREAMS[number(stream) % 6]
    photo = path.get("photo")
    if isinstance(photo, str) and number(photo) % 6 < len(PHOTOS):
        path["photo"] = PHOTOS[number(photo) % 6]
    if operation in ("getImage", "getPicture") and isinstance(photo, str) and number(photo) % 4:
        path["stream"], path["photo"] = "pictures", PICTURES[number(photo) % len(PICTURES)]
    if operation == "getThumbnail" and isinstance(path.get("key"), str) and number(path["key"]) % 4:
        path["key"] = key(case, number(path["key"]))
    query = case.query
    if query is not None and is_layout(case.operation.path):
        seed = number(sorted(query.items()))
        if seed % 5:
            draw = random.Random(seed)
            raw = case.operation.definition.raw["parameters"]
            parameters = {p["name"]: p for p in raw if p["in"] == "query" and p["name"] not in QUESTIONS + ("revision",)}
            for name in [name for name in query if name not in QUESTIONS]:
                del query[name]
            if "cursor" in query and seed % 3:
                query.pop("rect", None)
                found = cursor(case, stream, operation)
                if found:
                    query["cursor"] = found
            else:
                query.pop("cursor", None)
                query.update(layout(draw, parameters))
                if operation == "getRect":
                    query.setdefault("rect", "0,200,900,800")
            if seed % 7:
                place(draw, query)
            if isinstance(query.get("photo"), str):
                query["photo"] = PHOTOS[seed % len(PHOTOS)]
    if operation == "importPhotos" and isinstance(case.body, str) and number(case.body) % 3:
        seed = number(case.body)
        photos = [
            {"id": f"new-{seed % 97}-{i}", "width": seed % 5000, "height": 300 + i, "caption": case.body[:40]}
            for i in range(seed % 9 + 1)
        ]
        case.body = "\n".join(json.dumps(photo) for photo in photos)
    if operation == "uploadPicture" and query and number(query.get("name", "")) % 3:
        path["stream"] = "empty"
        query["name"] = f"{number(query['name']) % 500}.png"


@schemathesis.check
def refusals_are_what_no_schema_can_say(context, response, case):
    """A good request is refused with 400 or 422 only for a reason of the list, and the answer names it."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code not in (400, 422):
        return
    kind = response.json()["type"].rsplit(":", 1)[-1]
    assert kind in REASONS, f"refused as {kind}: {response.json()['detail']}"


@schemathesis.check
def nothing_of_the_machine_is_told(context, response, case):
    """No answer contains a folder of the server's machine, or the sender's token, which it knows."""
    for text in PLANTED + ([TOKEN] if TOKEN else []):
        assert text.encode() not in response.content, f"the answer contains {text}"


@schemathesis.check
class StreamsThatAreThereAreFound:
    """A stream that was created and neither renamed nor deleted since is never unknown, whatever is asked of it.

    Stands for ensure_resource_availability, which does not know that PATCH renames. One worker asks, so answers come in the
    order in which the server did what they tell.
    """

    def __init__(self):
        self.names = set(STREAMS)

    def after_response(self, context, response, case):
        # The address that was sent, because a case may contain values that no address can. Its parts: "", v1, streams, the name, more.
        parts = urllib.parse.urlsplit(response.request.url).path.split("/")
        if parts[1:3] != ["v1", "streams"]:
            return
        name = urllib.parse.unquote(parts[3]) if len(parts) > 3 else None
        step = (response.request.method, len(parts), response.status_code)
        if step == ("POST", 3, 201):
            self.names.add(response.json()["stream"])
        elif step == ("PATCH", 4, 200):
            self.names.discard(name)
            self.names.add(response.json()["stream"])
        elif step == ("DELETE", 4, 204):
            self.names.discard(name)
        elif response.status_code == 404 and name in self.names:
            # An answer to HEAD has no body.
            kind = response.json()["type"] if response.content else ""
            assert not kind.endswith(":unknown-stream"), f'"{name}" was made and is unknown'
