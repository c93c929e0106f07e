"""What schemathesis cannot know of this interface; read by scripts/api-fuzz.

Requests that are meant to be good get names, cursors and layout options that go together, most of them: made-up ones meet
nothing but 404 and 400. What is meant to be bad stays as it is.
"""

import json
import urllib.parse
import urllib.request

import schemathesis

# Streams that the run begins with, and photos of them.
STREAMS = ("sample", "many", "many", "empty")
PHOTOS = ("orientation-8", "photo-7", "2023/été 3", "photo-40", "none")
# These are asked of any name, so that the streams stay what they are.
SPARED = ("deleteStream", "renameStream")
# Options that a layout takes together.
LAYOUTS = (
    {"width": 900},
    {"width": 1203.5, "columns": 5, "interitem-spacing": 7, "display-scale": 2, "caption-extent": 20},
    {"height": 700, "scroll-direction": "horizontal", "layout-direction": "right-to-left"},
    {"width": 800, "minimum-column-width": 120, "anchor": "end", "section-by": "day", "header-size": 30},
    {"width": 700, "column-choice": "round-robin"},
    {"width": 1000, "algorithm": "justified", "target-line-height": 180, "breaks": "optimal"},
    {"width": 1000, "algorithm": "justified", "widows": "hide", "section-by": "month", "pin-headers": "true"},
    {"width": 600, "algorithm": "flow", "item-height": 90, "line-spacing": 4},
    {"width": 600, "algorithm": "flow", "item-size": "50,40"},
    {"width": 640, "algorithm": "grid", "columns": 6, "aspect-ratio": 1.5},
    {"width": 500, "algorithm": "map", "zoom": 3, "item-size": "30,20"},
)
# What a schema cannot say of a request: only for this a good one may be refused with 400 or 422.
REASONS = {
    "invalid-layout": "options of a layout depend on each other and on the width",
    "missing-parameter": "width, height and layout-key stand for each other, rect and cursor too",
    "invalid-parameter": "fields means nothing without first, ids nothing to JSON, since and from lie in what there is",
    "invalid-cursor": "a cursor is signed",
    "invalid-name": "names are limited by bytes of UTF-8, which a schema cannot count",
    "invalid-photo": "a photo's values are judged as an import judges them: dates, sizes, places, colours",
    "invalid-move": "a photo is not moved next to itself",
    "invalid-body": "lists are limited",
}


def number(text):
    """A number that a value's text always gives."""
    return sum(str(text).encode("utf-8", "surrogatepass"))


def is_layout(path):
    return "/layout" in path


_cursors = {}


def cursor(case, stream, kind):
    """A cursor of a stream's second page, or of a rectangle."""
    key = (stream, kind)
    if key not in _cursors:
        question = "page?width=900&limit=7" if kind == "getPage" else "rect?width=900&rect=0,0,900,9000&limit=7"
        base = case.operation.schema.get_base_url().rstrip("/")
        try:
            with urllib.request.urlopen(f"{base}/v1/streams/{stream}/layout/{question}") as answer:
                _cursors[key] = json.load(answer)["nextCursor"]
        except OSError:
            return None
    return _cursors[key]


@schemathesis.serializer("application/jsonl", "application/x-ndjson")
def json_lines(context, value):
    """Lines are sent as they are: the document calls them a text."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes sense of most requests that are meant to be good."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    operation = case.operation.definition.raw.get("operationId")
    # In a sequence of requests the names come from the answers before.
    path = {} if "STATEFUL" in str(case.meta.phase.name).upper() else case.path_parameters or {}
    stream = path.get("stream")
    if operation not in SPARED and isinstance(stream, str) and number(stream) % 6 < len(STREAMS):
        stream = path["stream"] = STREAMS[number(stream) % 6]
    photo = path.get("photo")
    if isinstance(photo, str) and number(photo) % 6 < len(PHOTOS):
        path["photo"] = PHOTOS[number(photo) % 6]
    query = case.query
    if query is not None and is_layout(case.operation.path):
        seed = number(sorted(query.items()))
        if seed % 5:
            options = LAYOUTS[seed % len(LAYOUTS)]
            names = {p["name"] for p in case.operation.definition.raw["parameters"] if p["in"] == "query"}
            own = ("first", "limit", "from", "count", "from-section", "fields", "ids", "photo", "rect", "bounds", "x", "y")
            own += ("velocity", "viewport", "snap", "since", "kind", "section", "steps", "cursor")
            for name in [name for name in query if name not in own]:
                del query[name]
            if "cursor" in query and seed % 3:
                query.pop("rect", None)
                found = cursor(case, stream, operation)
                if found:
                    query["cursor"] = found
            else:
                query.pop("cursor", None)
                query.update({name: value for name, value in options.items() if name in names})
                if operation == "getRect":
                    query.setdefault("rect", "0,200,900,800")
            if isinstance(query.get("photo"), str):
                query["photo"] = PHOTOS[seed % len(PHOTOS)]
    if operation == "importPhotos" and isinstance(case.body, str) and number(case.body) % 3:
        seed = number(case.body)
        photos = [
            {"id": f"new-{seed % 97}-{i}", "width": seed % 5000, "height": 300 + i, "caption": case.body[:40]}
            for i in range(seed % 9 + 1)
        ]
        case.body = "\n".join(json.dumps(photo) for photo in photos)


@schemathesis.check
def refusals_are_what_no_schema_can_say(context, response, case):
    """A good request is refused with 400 or 422 only for a reason of the list, and says which."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code not in (400, 422):
        return
    kind = response.json()["type"].rsplit(":", 1)[-1]
    assert kind in REASONS, f"refused as {kind}: {response.json()['detail']}"


@schemathesis.check
class StreamsThatAreThereAreFound:
    """A stream that was made and neither renamed nor deleted since is never said to be unknown, whatever is asked of it.

    Stands for ensure_resource_availability, which does not know that PATCH renames. One worker asks, so answers come in the
    order in which the server did what they tell.
    """

    def __init__(self):
        self.names = set(STREAMS)

    def after_response(self, context, response, case):
        # The address that was sent, since a case may hold what no address can. Its parts: "", v1, streams, the name, more.
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
