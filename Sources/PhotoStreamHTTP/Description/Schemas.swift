import PhotoStreamModel

/// The shapes of all bodies, by name.
enum Schemas {
    /// The schemas in the order of the document.
    static let all: KeyValuePairs<String, Schema> = [
        "StreamList": .object(Schema.always(["streams": .array(.named("Stream")), "truncated": .flag])),
        "Stream": .object(
            Schema.always([
                "stream": .text, "order": order, "count": .integer, "revision": .integer, "createdAt": .text,
                "imports": .array(.named("ImportRun")),
            ])),
        "Stats": .object(
            Schema.always([
                "stream": .text, "count": .integer, "dated": .integer, "firstDay": .nullable(.text),
                "lastDay": .nullable(.text), "captioned": .integer, "positioned": .integer, "measured": .integer,
                "ratio": .integer, "assumed": .integer, "edited": .integer, "moved": .integer, "landscape": .integer,
                "portrait": .integer, "square": .integer, "panoramas": .integer, "towers": .integer,
                "widest": .nullable(.named("Extent")), "tallest": .nullable(.named("Extent")),
                "chunks": .object(
                    Schema.always(["count": .integer, "least": .integer, "mean": .integer, "greatest": .integer])),
                "logRows": .integer, "layouts": .integer, "layoutBytes": .integer,
            ])),
        "StreamName": .onlyObject(Schema.always(["stream": .streamName])),
        "NewStream": .onlyObject(Schema.always(["stream": .streamName]) + Schema.sometimes(["order": order])),
        "ImportRun": .object(
            Schema.always([
                "sources": .array(.text), "sourceCount": .integer, "startedAt": .text, "finishedAt": .nullable(.text),
            ]) + counts
                + Schema.always([
                    "failures": .array(.object(Schema.always(["source": .text]) + place + refusal))
                ])),
        "ImportReport": .object(
            counts
                + Schema.always([
                    "rejects": .array(.object(place + refusal)),
                    "warnings": .array(.object(place + Schema.always(["field": .text, "reason": .text]))),
                ])),
        "PhotoList": .object(
            Schema.always(["stream": .text, "photos": .array(.named("Photo")), "truncated": .flag])),
        "Photo": .object(
            Schema.always(["id": .text])
                + Schema.sometimes([
                    "width": .number, "height": .number, "orientation": .integer, "takenAt": .text,
                    "takenAtPrecision": .words(["year", "month"]), "caption": .text, "captionSource": .text,
                ]) + photoFields + Schema.always(["metrics": .words(["measured", "ratio", "assumed"])])),
        "PhotoRecord": .onlyObject(photoRecord),
        "PhotoRecords": .someText,
        "Move": .anyOf([
            .onlyObject(Schema.always(["before": .photoID]) + Schema.sometimes(["also": .array(.photoID)])),
            .onlyObject(Schema.always(["after": .photoID]) + Schema.sometimes(["also": .array(.photoID)])),
        ]),
        "Moved": .object(Schema.always(["id": .text, "moved": .integer])),
        "Extent": .object(Schema.always(["width": .number, "height": .number])),
        "Frame": .object(Schema.always(["x": .number, "y": .number, "width": .number, "height": .number])),
        "Layout": .object(
            context
                + Schema.always([
                    "count": .integer, "sectionCount": .integer, "sections": .array(.named("Section")),
                    "nextSection": .nullable(.integer),
                ]) + Schema.sometimes(["world": .named("Frame"), "page": .named("Page")])),
        "Section": .object(
            Schema.always([
                "section": .integer, "id": .text, "firstIndex": .integer, "count": .integer, "frame": .named("Frame"),
            ])),
        "Page": .object(
            Schema.always(["stream": .text, "revision": .integer, "layoutKey": .text])
                + Schema.sometimes(["contentSize": .named("Extent")])
                + Schema.always(["chainRevision": .integer, "inPlace": .flag, "items": .array(.named("PlacedPhoto"))])
                + ending),
        "PlacedPhoto": .object(
            Schema.sometimes([
                "index": .integer, "photo": .text, "kind": .text, "section": .integer, "item": .integer,
                "frame": .named("Frame"), "captionExtent": .number, "zIndex": .integer, "hidden": .flag,
                "pixelWidth": .integer, "pixelHeight": .integer, "metrics": .text, "orientation": .integer,
                "takenAt": .text, "takenAtPrecision": .words(["year", "month"]), "caption": .text,
                "captionSource": .text,
            ]) + photoFields),
        "Element": .object(
            Schema.always([
                "kind": .text, "section": .integer, "item": .integer, "index": .integer, "frame": .named("Frame"),
                "zIndex": .integer,
            ])),
        "Rect": .object(
            context
                + Schema.always(["items": .array(.named("PlacedPhoto")), "elements": .array(.named("Element"))])
                + ending),
        "Items": .object(
            context + Schema.always(["count": .integer, "items": .array(.named("PlacedPhoto"))])),
        "Elements": .object(
            context + Schema.always(["elements": .array(.named("Element")), "next": .nullable(.integer)])),
        "Location": .object(context + Schema.always(["item": .named("PlacedPhoto"), "cursor": .text])),
        "Point": .object(
            context
                + Schema.always([
                    "item": .nullable(.named("PlacedPhoto")),
                    "insertion": .object(
                        Schema.always(["section": .integer, "item": .integer, "index": .integer])
                            + Schema.sometimes(["before": .text, "after": .text])),
                ])),
        "Scrubber": .object(
            context
                + Schema.always([
                    "stops": .array(
                        .object(
                            Schema.always([
                                "offset": .number, "section": .integer, "id": .text, "index": .integer,
                                "day": .nullable(.text), "precision": .nullable(.words(["day", "month", "year"])),
                            ])))
                ])),
        "Target": .object(
            context + Schema.always(["contentOffset": .object(Schema.always(["x": .number, "y": .number]))])),
        "Changes": .anyOf([.named("ChangeList"), .named("Reload")]),
        "ChangeList": .object(since + Schema.always(["changes": .array(.named("Change"))])),
        "Change": .object(
            Schema.always(["change": .words(["inserted", "deleted", "updated", "moved"]), "id": .text])
                + Schema.sometimes(["updated": .flag, "photo": .named("Photo")])),
        "Reload": .object(
            since + Schema.always(["reload": .object(Schema.always(["reason": .text, "message": .text]))])),
        "Updates": .anyOf([.named("UpdateList"), .named("Reload")]),
        "UpdateList": .object(
            context
                + Schema.always([
                    "since": .integer, "oldContentSize": .named("Extent"), "oldBounds": .named("Frame"),
                    "newBounds": .named("Frame"), "contentOffset": .number,
                ]) + Schema.sometimes(["anchor": .text])
                + Schema.always([
                    "insertions": .array(.named("Update")), "deletions": .array(.named("Update")),
                    "moves": .array(.named("Update")), "reloads": .array(.named("Update")),
                ])),
        "Update": .object(
            Schema.sometimes([
                "kind": .text, "photo": .text, "old": .named("UpdateAttributes"), "new": .named("UpdateAttributes"),
                "initial": .named("UpdateAttributes"), "final": .named("UpdateAttributes"),
            ])),
        "UpdateAttributes": .object(
            Schema.always(["index": .integer, "section": .integer, "item": .integer, "frame": .named("Frame")])
                + Schema.sometimes(["captionExtent": .number])
                + Schema.always(["zIndex": .integer, "alpha": .number])),
        "Health": .object(
            Schema.always(["status": .words(["running", "ready"])]) + Schema.sometimes(["warning": .text])),
        "Description": .anyObject,
        "Problem": .object(
            Schema.always([
                "type": .words(ProblemKind.allCases.map(\.type)), "title": .text, "status": .integer, "detail": .text,
            ]) + Schema.sometimes(["parameter": .text])),
    ]

    /// The members of a photo in a body.
    ///
    /// An answer to `GET` may be sent back: `metrics`, `captionSource` and `takenAtPrecision`, which follow from other
    /// members, are ignored.
    static let photoRecord = Schema.sometimes([
        "id": .anyOf([.photoID, .number]), "width": .nullable(.number), "height": .nullable(.number),
        "orientation": .nullable(.integer), "takenAt": .nullable(.text), "caption": .nullable(.text),
        "alt": .nullable(.text), "tags": .nullable(.array(.text)), "location": .nullable(.text),
        "latitude": .nullable(.number), "longitude": .nullable(.number), "contentHash": .nullable(.text),
        "placeholder": .nullable(.text), "color": .nullable(.text), "metrics": .text, "captionSource": .text,
        "takenAtPrecision": .text,
    ])

    private static let order = Schema.words(StreamOrder.allCases.map(\.rawValue))
    private static let context = Schema.always([
        "stream": .text, "revision": .integer, "layoutKey": .text, "contentSize": .named("Extent"),
    ])
    private static let since = Schema.always(["stream": .text, "since": .integer, "revision": .integer])
    private static let ending = Schema.always(["nextCursor": .nullable(.text), "truncated": .flag])
    private static let place = Schema.always(["line": .integer, "column": .integer])
    private static let refusal = Schema.always(["id": .nullable(.text), "reason": .text])
    private static let counts = Schema.always([
        "read": .integer, "inserted": .integer, "updated": .integer, "unchanged": .integer, "duplicate": .integer,
        "rejected": .integer, "assumed": .integer,
    ])
    private static let photoFields = Schema.sometimes([
        "alt": .text, "tags": .array(.text), "location": .text, "latitude": .number, "longitude": .number,
        "contentHash": .text, "placeholder": .text, "color": .text,
    ])
}
