"""Walks a stream with the client that openapi-python-client generated; run by scripts/api-client-walk."""

import sys

from photostream_client import Client
from photostream_client.api.default import get_layout, get_page, list_photos, locate_photo
from photostream_client.models import GetPageAlgorithm, Layout, Location, Page, PhotoList

WIDTH = 1000


def good(answer, kind):
    """The answer, unless it is a problem."""
    assert isinstance(answer, kind), f"{answer}"
    return answer


def listed(client, stream):
    """The ids of all photos, without a layout, in stream order."""
    ids, after = [], {}
    while True:
        answer = good(list_photos.sync(stream, client=client, limit=1000, **after), PhotoList)
        ids += [photo.id for photo in answer.photos]
        if not answer.truncated:
            return ids
        after = {"after": ids[-1]}


def paged(client, stream, **start):
    """The photos of a chain of pages, with their frames."""
    items, place = [], start
    while True:
        page = good(get_page.sync(stream, client=client, limit=250, **place), Page)
        assert page.in_place and page.revision == page.chain_revision
        items += page.items
        if page.next_cursor is None:
            assert not page.truncated
            return items
        place = {"cursor": page.next_cursor}


def walk(client, stream):
    """Checks each photo: once, in order, inside the content; then the rest of the photos from one in the middle."""
    ids = listed(client, stream)
    for algorithm in GetPageAlgorithm:
        options = {"width": WIDTH, "algorithm": algorithm}
        if algorithm == GetPageAlgorithm.MAP:
            options.update(zoom=2, item_size="40,30")
        items = paged(client, stream, **options)
        assert [item.photo for item in items] == ids, f"{algorithm}: {len(items)} photos, not {len(ids)}"
        layout = good(get_layout.sync(stream, client=client, **options), Layout)
        assert layout.count == len(ids)
        height = layout.content_size.height
        assert all(0 <= item.frame.y <= item.frame.y + item.frame.height <= height for item in items)
        middle = items[len(items) // 2]
        found = good(locate_photo.sync(stream, client=client, photo=middle.photo, **options), Location)
        rest = paged(client, stream, cursor=found.cursor)
        assert rest == items[len(items) - len(rest) :] and middle in rest[:100]
        print(f"{algorithm}: {len(items)} photos, each once; from {middle.photo} on {len(rest)}")


walk(Client(base_url=sys.argv[1], timeout=30), sys.argv[2])
