import PhotoStreamLayout
package import PhotoStreamModel
package import PhotoStreamService

/// A member of a photo's object that all objects with a photo share, and the name by which a client asks for it.
struct PhotoMember {
    let field: ItemField
    let member: Shape<PackedPhotoFields>.Member

    private init(_ field: ItemField, member: Shape<PackedPhotoFields>.Member) {
        self.field = field
        self.member = member
    }

    /// The members in the order in which they are written; those without a value are left out.
    static let all: [PhotoMember] = PhotoField.allCases.flatMap(members)

    /// Returns the members that show a field.
    private static func members(of field: PhotoField) -> [PhotoMember] {
        switch field {
        // Each of the two objects shows them in its own way.
        case .size, .orientation: []
        case .takenAt: takenAt
        case .tags:
            [
                PhotoMember(
                    .tags, member: .optional("tags", about: "The tags.") { $0.tags.isEmpty ? nil : $0.tags })
            ]
        case .coordinate:
            [
                PhotoMember(
                    .latitude,
                    member: .optional("latitude", about: "The latitude, in degrees.") { $0.coordinate?.latitude }),
                PhotoMember(
                    .longitude,
                    member: .optional("longitude", about: "The longitude, in degrees.") { $0.coordinate?.longitude }),
            ]
        case .color:
            [
                PhotoMember(
                    .color,
                    member: .optional("color", about: "The colour that stands for it, such as `#b98a90`.") {
                        $0.color?.description
                    })
            ]
        case .text(.caption):
            [
                member(.caption),
                PhotoMember(
                    .captionSource,
                    member: .optional("captionSource", about: "The author of the caption: `import` or `person`.") {
                        $0.captionSource?.name
                    }),
            ]
        case .text(let text): [member(text)]
        case .number(let number):
            [
                PhotoMember(
                    .number(number),
                    member: .optional(number.name, about: number.summary, as: .integer) { $0[number] })
            ]
        }
    }

    private static func member(_ text: PhotoText) -> PhotoMember {
        PhotoMember(.text(text), member: .optional(text.name, about: text.summary) { $0[text] })
    }

    private static let takenAt: [PhotoMember] = [
        PhotoMember(
            .takenAt,
            member: .optional(
                "takenAt", about: "The capture time, with the digits that are known: `1894`, `2026-11-21`."
            ) {
                $0.takenAt
            }),
        PhotoMember(
            .takenAt,
            member: .optional(
                "takenAtPrecision", about: "The precision of a capture time whose day is unknown.",
                as: .words(["year", "month"])
            ) { photo in
                // Left out if the digits show it, because pages are full of times.
                photo.takenAt.flatMap { $0.precision < .day ? $0.precision.name : nil }
            }),
    ]
}

extension PackedPhotoFields: WireObject {
    /// A photo as an object that an import reads back unchanged: width and height are the file's own.
    package static let shape = Shape<PackedPhotoFields>(
        nil,
        members: [
            .always("id", about: "The external id.") { $0.id },
            .optional("width", about: "The file's own width in pixels, before orientation; a decimal is a ratio's.") {
                $0.ownSide(\.width)
            },
            .optional("height", about: "The file's own height in pixels, before orientation.") {
                $0.ownSide(\.height)
            },
            .optional("orientation", about: "The file's raw EXIF tag; left out where it is 1.", as: .integer) {
                $0.orientation == .up ? nil : Int($0.orientation.rawValue)
            },
        ] + PhotoMember.all.map(\.member) + [
            .always(
                "metrics", about: "The source of the size.", as: .words(["measured", "ratio", "assumed"])
            ) { $0.metricsSource.name },
            .optional(
                "edited", about: "The fields that a person edited, which imports leave as they are.",
                as: .array(.words(PhotoField.names))
            ) { $0.editedFields.isEmpty ? nil : $0.editedFields.names },
            .optional(
                "fileFields", about: "The fields whose value came from the picture's file, below any edit.",
                as: .array(.words(PhotoField.names))
            ) { $0.fileFields.isEmpty ? nil : $0.fileFields.names },
            .optional(
                "clearedFields", about: "The fields that a record cleared, which the file does not set again.",
                as: .array(.words(PhotoField.names))
            ) { $0.clearedFields.isEmpty ? nil : $0.clearedFields.names },
        ])

    /// Returns a side of the file's own size, in the form that an import reads back with the same source.
    private func ownSide(_ side: KeyPath<PixelSize, Int32>) -> Double? {
        let length = Double(pixelSize.applying(orientation)[keyPath: side])
        return switch metricsSource {
        case .measured: length
        // In tenths: not both sides are multiples of ten, so a decimal shows again that only the ratio is known.
        case .ratio: length / 10
        // A record without a size means the same.
        case .assumed: nil
        }
    }
}

extension Photo: WireValue {
    package static var schema: Schema { ShownPhotoFields.schema }
    package func write(to writer: inout JSONWriter, in context: WireContext) {
        PackedPhoto(self).withFields { $0.write(to: &writer, in: context) }
    }
}

extension JSONWriter {
    /// Writes a photo.
    package mutating func value(_ photo: Photo) {
        photo.write(to: &self, in: WireContext(displayScale: nil, fields: .all))
    }
}

/// The object of a photo with the result of decoding its picture.
package struct ShownPhotoFields: WireObject {
    let photo: PackedPhotoFields
    let picture: ShownPicture?

    package static let shape = Shape<ShownPhotoFields>(
        "Photo",
        members: PackedPhotoFields.shape.members(of: \ShownPhotoFields.photo) + [
            .optional("picture", about: "The result of decoding its picture, which no import reads back.") {
                $0.picture
            }
        ])
}

/// A photo with the result of decoding its picture, as answers about single photos and lists show it.
package struct ShownPhoto: WireValue {
    let photo: Photo
    let picture: ShownPicture?

    /// Creates it from its parts.
    package init(_ photo: Photo, with picture: ShownPicture?) {
        (self.photo, self.picture) = (photo, picture)
    }

    package static var schema: Schema { ShownPhotoFields.schema }

    package func write(to writer: inout JSONWriter, in context: WireContext) {
        PackedPhoto(photo).withFields { ShownPhotoFields(photo: $0, picture: picture).write(to: &writer, in: context) }
    }
}

extension JSONWriter {
    /// Writes a photo with the result of decoding its picture.
    package mutating func value(_ photo: ShownPhoto) {
        photo.write(to: &self, in: WireContext(displayScale: nil, fields: .all))
    }
}

extension ShownPicture: WireObject {
    package static let shape = Shape<ShownPicture>(
        "Picture",
        members: [
            .always("key", about: "The key in the addresses of its thumbnails.") { $0.key.description },
            .optional("placeholder", about: "Its ThumbHash, in base64.") { $0.placeholder },
            .optional("color", about: "Its dominant colour, such as `#b98a90`.") { $0.color?.description },
        ])
}

/// A photo with its place in a layout: the object of items in every answer.
package struct ItemShape: WireObject {
    let attributes: LayoutAttributes
    let photo: PackedPhotoFields
    let picture: ShownPicture?

    private typealias Member = Shape<ItemShape>.Member

    /// The members, each with the name by which a client asks for it.
    private static let fields: [(field: ItemField, member: Member)] =
        [
            (
                .index,
                .optional("index", about: "The position in stream order over all sections, from 0.") {
                    $0.attributes.index
                }
            ), (.photo, .optional("photo", about: "The external id.") { $0.photo.id }),
            (.kind, .optional("kind", about: "The kind of element: `item`.") { $0.attributes.elementKind.name }),
            (
                .section,
                .optional("section", about: "The section of the index path.") { $0.attributes.indexPath.section }
            ),
            (.item, .optional("item", about: "The item of the index path.") { $0.attributes.indexPath.item }),
            (
                .frame,
                .optional("frame", about: "The whole cell: the picture and, under it, its caption.") {
                    $0.attributes.frame
                }
            ),
            (
                .captionExtent,
                .optional("captionExtent", about: "The part of the frame's height that is the caption's, in points.") {
                    Points(pixels: $0.attributes.captionExtent)
                }
            ),
            (
                .zIndex,
                .optional("zIndex", about: "The order of overlapping elements: 0, or in a map the photo's index.") {
                    $0.attributes.zIndex
                }
            ),
            (
                .hidden,
                .optional("hidden", about: "True where the layout leaves the photo out.") {
                    $0.attributes.isHidden ? true : nil
                }
            ),
            // As displayed, unlike the width and height of an export: a client sizes its image by them.
            (
                .pixelWidth,
                .optional("pixelWidth", about: "The width in pixels as displayed: orientation is applied.") {
                    Int($0.photo.pixelSize.width)
                }
            ),
            (
                .pixelHeight,
                .optional("pixelHeight", about: "The height in pixels as displayed.") { Int($0.photo.pixelSize.height) }
            ),
            (
                .metrics,
                .optional("metrics", about: "The source of the size: `measured`, `ratio` or `assumed`.") {
                    $0.photo.metricsSource.name
                }
            ),
            (
                .orientation,
                .optional("orientation", about: "The file's raw EXIF tag.", as: .integer) {
                    Int($0.photo.orientation.rawValue)
                }
            ),
        ] + PhotoMember.all.map { ($0.field, member(of: $0)) } + [
            (
                .pictureKey,
                .optional(
                    "pictureKey", about: "The key in the addresses of its thumbnails; left out if there are none."
                ) {
                    $0.picture?.key.description
                }
            )
        ]

    /// A member of the photo; in place of a placeholder and a colour that it lacks, those of its picture.
    private static func member(of photo: PhotoMember) -> Member {
        switch photo.field {
        case .color:
            .optional("color", about: "The colour that stands for it, such as `#b98a90`.") {
                ($0.photo.color ?? $0.picture?.color)?.description
            }
        case .text(.placeholder):
            .optional(
                "placeholder", about: "A ThumbHash or BlurHash, as text; of a decoded picture, a ThumbHash in base64."
            ) { item in
                item.photo[.placeholder].map { String(decoding: $0, as: UTF8.self) } ?? item.picture?.placeholder
            }
        default: photo.member.member(of: { $0.photo })
        }
    }

    package static let shape = Shape<ItemShape>("PlacedPhoto", members: fields.map(\.member))

    private static let masks = fields.map { ItemFields($0.field) }

    package func write(to writer: inout JSONWriter, in context: WireContext) {
        let (masks, members) = (Self.masks, Self.shape.members)
        writer.object { writer in
            for position in members.indices where context.fields.isSuperset(of: masks[position]) {
                members[position].write(&writer, self, context)
            }
        }
    }
}

extension PlacedPhoto: WireValue {
    package static var schema: Schema { ItemShape.schema }
    package func write(to writer: inout JSONWriter, in context: WireContext) {
        packed.withFields {
            ItemShape(attributes: attributes, photo: $0, picture: picture).write(to: &writer, in: context)
        }
    }
}

/// The photos of an answer, for all of which memory is reserved first.
struct Items: WireValue {
    let photos: [PlacedPhoto]

    static var schema: Schema { .array(PlacedPhoto.schema) }

    func write(to writer: inout JSONWriter, in context: WireContext) {
        // The length of an item with all members, but without texts except for its id.
        writer.expect(320 * photos.count)
        photos.write(to: &writer, in: context)
    }
}
