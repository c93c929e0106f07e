import PhotoStreamAtlas
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
package import PhotoStreamWire

/// The schemas of all bodies, by name.
///
/// Those of answers are the shapes that write them.
package enum Schemas {
    /// The objects that answers consist of.
    private static let objects: [any WireObject.Type] = [
        StreamList.self, StreamSummary.self, StreamStats.self, ImportSummary.self, ImportReport.self,
        StreamPhotosList.self,
        DeletedPhotosList.self, DeletedPhotosAnswer.Entry.self, ShownPhotoFields.self, ShownPicture.self, Moved.self,
        PixelExtent.self, PixelRect.self, FirstPaintAnswer.self,
        SectionAnswer.self,
        PageAnswer.self, ItemShape.self, ElementShape.self, RectAnswer.self, ItemsAnswer.self,
        ElementsAnswer.self, ClusterAnswer.self, ClusterShape.self, GeographicBounds.self, PositionsAnswer.self,
        LocateAnswer.self, PointAnswer.self, ScrubberAnswer.self, TargetAnswer.self, FacetsAnswer.self, Facet.self,
        AlbumsAnswer.self, AlbumChange.self,
        ChangesAnswer.self,
        PhotoChange.self, ReloadAnswer.self, UpdatesAnswer.self, PhotoUpdate.self, UpdateAttributes.self,
        SessionAnswer.self, PlaceList.self, Place.self, Health.self, Problem.self,
    ]

    /// The schemas in the order of the document.
    package static let all: [(name: String, schema: Schema)] =
        objects.compactMap { named($0) } + [
            ("Changes", ChangesOrReload<ChangesAnswer>.schema), ("Updates", ChangesOrReload<UpdatesAnswer>.schema),
            (
                "StreamChanges",
                .onlyObject(
                    Schema.sometimes(["stream": .streamName, "where": .text, "description": .text, "cover": .text]))
            ),
            (
                "NewStream",
                .anyOf([
                    .onlyObject(Schema.always(["stream": .streamName]) + Schema.sometimes(["order": .streamOrder])),
                    .onlyObject(
                        Schema.always(["stream": .streamName, "source": .streamName, "where": .text])
                            + Schema.sometimes(["description": .text])),
                ])
            ), ("PhotoRecord", .onlyObject(photoRecord)), ("PhotoRecords", .array(.anyObject)),
            (
                "Move",
                .anyOf([
                    .onlyObject(Schema.always(["before": .photoID]) + Schema.sometimes(["also": .array(.photoID)])),
                    .onlyObject(Schema.always(["after": .photoID]) + Schema.sometimes(["also": .array(.photoID)])),
                    .onlyObject(Schema.always(["reset": .flag]) + Schema.sometimes(["also": .array(.photoID)])),
                ])
            ),
            ("AlbumPhotos", .onlyObject(Schema.sometimes(["add": .array(.photoID), "remove": .array(.photoID)]))),
            ("AlbumPath", .onlyObject(Schema.always(["album": .text]))),
            ("Reset", .onlyObject(Schema.sometimes(["fields": .array(.words(PhotoField.names))]))),
            ("Description", .anyObject),
        ]

    private static func named<Value: WireObject>(_ type: Value.Type) -> (name: String, schema: Schema)? {
        Value.schemaName.map { ($0, Schema.object(Value.members)) }
    }

    /// The members of a photo in a body.
    ///
    /// An answer to `GET` may be sent back: `metrics`, `captionSource`, `takenAtPrecision`, `takenAtSource`, `edited`, `fileFields`,
    /// `clearedFields`, `picture`, `vanished`, `film`, `fileWarnings`, `stackCount` and `stackKinds`, which follow from other members, the author of the write and the file, are ignored.
    static let photoRecord: [Schema.Member] =
        Schema.sometimes(["id": .anyOf([.photoID, .number])])
        + PhotoField.allCases.map(\.row).flatMap { row in
            zip(row.members, row.types).flatMap { Schema.sometimes([$0.description: .nullable(schema($1))]) }
        }
        + Schema.sometimes([
            "metrics": .text, "captionSource": .text, "takenAtPrecision": .text, "takenAtSource": .text,
            "edited": .array(.text), "fileFields": .array(.text), "clearedFields": .array(.text), "picture": .anyObject,
            "vanished": .flag, "film": .flag, "fileWarnings": .array(.text), "stackCount": .number,
            "stackKinds": .array(.text),
        ])

    private static func schema(_ type: PhotoField.Row.ValueType) -> Schema {
        switch type {
        case .text: .text
        case .texts: .array(.text)
        case .integer: .integer
        case .number: .number
        case .flag: .flag
        }
    }
}
