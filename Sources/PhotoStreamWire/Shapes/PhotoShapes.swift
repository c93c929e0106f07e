import PhotoStreamLayout
package import PhotoStreamModel
package import PhotoStreamService

/// An object with the fields of a photo.
private protocol PhotoObject {
    /// The photo.
    ///
    /// Stored, because its fields are read one by one, and a copy of all of them takes longer than writing one.
    var photo: PackedPhotoFields { get }
    /// The result of decoding its picture, whose placeholder and colour replace those that the photo lacks.
    var picture: ShownPicture? { get }
}

extension MemberList where Value: PhotoObject {
    /// Describes the members that all objects with a photo share, each with the field by which a client requests it.
    ///
    /// - Parameter placeholder: The meaning of its placeholder.
    @inline(__always)
    fileprivate mutating func addShared(placeholder: @autoclosure () -> String) {
        for field in PhotoField.allCases {
            switch field {
            // Each of the objects shows them in its own way.
            case .size, .orientation: break
            case .takenAt:
                optional(
                    "takenAt", of: .takenAt, sharedAs: .plain,
                    about: "The capture time, with the digits that are known: `1894`, `2026-11-21`."
                ) { $0.photo.takenAt }
                optional(
                    "takenAtPrecision", of: .takenAt, sharedAs: .plain,
                    about: "The precision of a capture time whose day is unknown.",
                    as: .words(["year", "month"])
                ) {
                    // Omitted if the digits show it, because pages are full of times.
                    $0.photo.takenAt.flatMap { $0.precision < .day ? $0.precision.name : nil }
                }
                optional(
                    "takenAtSource", of: .takenAtSource,
                    about: "The source of the time; `fileName` and `fileTime` are guesses.",
                    as: .words(CaptureTimeSource.allCases.map(\.name))
                ) { $0.photo.takenAtSource?.name }
            case .coordinate:
                optional("latitude", of: .latitude, sharedAs: .position, about: "The latitude, in degrees.") {
                    $0.photo.coordinate?.latitude
                }
                optional("longitude", of: .longitude, sharedAs: .position, about: "The longitude, in degrees.") {
                    $0.photo.coordinate?.longitude
                }
            case .color:
                optional(
                    "color", of: .color, sharedAs: .plain, about: "The colour that stands for it, such as `#b98a90`."
                ) {
                    ($0.photo.color ?? $0.picture?.color)?.description
                }
            case .stack:
                // A record may have named it after a folder.
                optional("stack", of: .stack, sharedAs: .photoID, about: "The name of its stack.") {
                    unsafe $0.photo.stack?.stack
                }
                optional(
                    "stackRank", of: .stackRank, sharedAs: .plain,
                    about: "Its rank in the stack, 1 to 500; left out of the cover, which layouts show."
                ) { $0.photo.stack.flatMap { $0.rank == 0 ? nil : $0.rank } }
                optional(
                    "stackKind", of: .stackKind, sharedAs: .plain, about: "The reason for which it is in the stack.",
                    as: .words(StackKind.allCases.map(\.name))
                ) { $0.photo.stack?.kind.name }
            case .text(.placeholder):
                optional("placeholder", of: .text(.placeholder), sharedAs: .plain, about: placeholder()) {
                    $0.photo[.placeholder].map { String(decoding: $0, as: UTF8.self) } ?? $0.picture?.placeholder
                }
            case .text(let text):
                optional(text.name, of: .text(text), sharedAs: text.sharedForm, about: text.summary) { $0.photo[text] }
                if text == .caption {
                    optional(
                        "captionSource", of: .captionSource, about: "The author of the caption: `import` or `person`."
                    ) { $0.photo.captionSource?.name }
                }
            case .number(let number):
                optional(
                    number.name, of: .number(number), sharedAs: number.sharedForm, about: number.summary,
                    as: number.isWhole ? .integer : .number
                ) { $0.photo[number].map { NumberValue(number: number, value: $0) } }
            case .list(let list):
                optional(list.name, of: .list(list), sharedAs: list.sharedForm, about: list.summary) {
                    $0.photo[list].isEmpty ? nil : $0.photo[list]
                }
            case .flag(let flag):
                optional(flag.name, of: .flag(flag), about: flag.summary) { $0.photo[flag] ? true : nil }
            }
        }
    }
}

extension MemberList {
    /// Describes the members that show the stack of a photo.
    mutating func addStack(_ summary: (Value) -> StackSummary?) {
        optional(
            "stackCount", of: .stackCount, sharedAs: .plain,
            about: "The number of photos in its stack, with the cover; no import reads it back."
        ) { summary($0)?.count }
        optional(
            "stackKinds", of: .stackKinds, sharedAs: .plain,
            about: "The reasons for which the photos of its stack are together; no import reads them back.",
            as: .array(.words(StackKind.allCases.map(\.name)))
        ) { summary($0)?.kinds.map(\.name) }
    }
}

extension PackedPhotoFields: PhotoObject {
    fileprivate var photo: PackedPhotoFields { self }
    fileprivate var picture: ShownPicture? { nil }
}

extension PackedPhotoFields: WireObject {
    /// A photo as an object that an import reads back unchanged: width and height are the file's own.
    package static func describe(_ members: inout some MemberList<PackedPhotoFields>) {
        members.always("id", of: .photo, sharedAs: .photoID, about: "The external id.") { $0.id }
        members.optional(
            "width", of: .pixelWidth, sharedAs: .plain,
            about: "The file's own width in pixels, before orientation; a decimal is a ratio's."
        ) { $0.ownSide(\.width) }
        members.optional(
            "height", of: .pixelHeight, sharedAs: .plain, about: "The file's own height in pixels, before orientation."
        ) { $0.ownSide(\.height) }
        members.optional(
            "orientation", of: .orientation, sharedAs: .plain,
            about: "The file's raw EXIF tag; left out where it is 1.", as: .integer
        ) {
            $0.orientation == .up ? nil : Int($0.orientation.rawValue)
        }
        members.addShared(placeholder: PhotoText.placeholder.summary)
        members.always(
            "metrics", of: .metrics, sharedAs: .plain, about: "The source of the size.",
            as: .words(["measured", "ratio", "assumed"])
        ) {
            $0.metricsSource.name
        }
        members.optional(
            "edited", about: "The fields that a person edited, which imports leave as they are.",
            as: .array(.words(PhotoField.names))
        ) { $0.editedFields.isEmpty ? nil : $0.editedFields.names }
        members.optional(
            "fileFields", about: "The fields whose value came from the picture's file, below any edit.",
            as: .array(.words(PhotoField.names))
        ) { $0.fileFields.isEmpty ? nil : $0.fileFields.names }
        members.optional(
            "clearedFields", about: "The fields that a record cleared, which the file does not set again.",
            as: .array(.words(PhotoField.names))
        ) { $0.clearedFields.isEmpty ? nil : $0.clearedFields.names }
    }

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
        photo.write(to: &self, in: .plain)
    }
}

/// A photo with its frame in a layout: the object of items in every answer.
package struct ItemShape: WireObject, PhotoObject {
    let attributes: LayoutAttributes
    let photo: PackedPhotoFields
    let picture: ShownPicture?
    let cluster: PositionSummary?
    let stackSummary: StackSummary?

    package static let schemaName: String? = "PlacedPhoto"

    package static func describe(_ members: inout some MemberList<ItemShape>) {
        members.optional(
            "index", of: .index, sharedAs: .plain, about: "The position in stream order over all sections, from 0."
        ) {
            $0.attributes.index
        }
        members.optional("photo", of: .photo, sharedAs: .photoID, about: "The external id.") { $0.photo.id }
        members.optional("kind", of: .kind, sharedAs: .plain, about: "The kind of element: `item`.") {
            $0.attributes.elementKind.name
        }
        members.optional("section", of: .section, sharedAs: .plain, about: "The section of the index path.") {
            $0.attributes.indexPath.section
        }
        members.optional("item", of: .item, sharedAs: .plain, about: "The item of the index path.") {
            $0.attributes.indexPath.item
        }
        members.optional(
            "frame", of: .frame, sharedAs: .plain, about: "The whole cell: the picture and, under it, its caption."
        ) {
            $0.attributes.frame
        }
        members.optional(
            "captionExtent", of: .captionExtent,
            sharedAs: .plain, about: "The part of the frame's height that is the caption's, in points."
        ) { Points(pixels: $0.attributes.captionExtent) }
        members.optional(
            "zIndex", of: .zIndex, sharedAs: .plain,
            about: "The order of overlapping elements: 0, or in a map the photo's index."
        ) { $0.attributes.zIndex }
        members.optional("hidden", of: .hidden, sharedAs: .plain, about: "True if the layout does not show the photo.")
        {
            $0.attributes.isHidden ? true : nil
        }
        members.optional(
            "cluster", of: .cluster, sharedAs: .plain, about: "On a map with clusters, the photos that it stands for."
        ) {
            $0.cluster.map(ClusterShape.init)
        }
        // The displayed size, unlike the width and height of an export: clients size their images by it.
        members.optional(
            "pixelWidth", of: .pixelWidth, sharedAs: .plain,
            about: "The width in pixels as displayed: orientation is applied."
        ) { Int($0.photo.pixelSize.width) }
        members.optional("pixelHeight", of: .pixelHeight, sharedAs: .plain, about: "The height in pixels as displayed.")
        {
            Int($0.photo.pixelSize.height)
        }
        members.optional(
            "metrics", of: .metrics, sharedAs: .plain,
            about: "The source of the size: `measured`, `ratio` or `assumed`."
        ) { $0.photo.metricsSource.name }
        members.optional("orientation", of: .orientation, about: "The file's raw EXIF tag.", as: .integer) {
            Int($0.photo.orientation.rawValue)
        }
        members.addShared(
            placeholder: "A ThumbHash or BlurHash, as text; of a decoded picture, a ThumbHash in base64.")
        members.addStack { $0.stackSummary }
        members.optional(
            "pictureKey", of: .pictureKey,
            sharedAs: .pictureKey, about: "The key in the addresses of its thumbnails; left out if there are none."
        ) { $0.picture?.key?.description }
        members.optional("thumbnails", of: .thumbnails, sharedAs: .plain, about: ThumbnailAddresses.summary) {
            $0.picture.flatMap { ThumbnailAddresses($0) }
        }
    }
}

/// The signed addresses of a picture's thumbnails, by the longer side in pixels.
struct ThumbnailAddresses: WireValue {
    private let addresses: [(size: ThumbnailSize, address: String)]

    static let summary = """
        The addresses of its WebP thumbnails, by the longer side in pixels, which need no token and end after half a day to a \
        day; only of a server with `--images-base`.
        """

    /// Creates the addresses of a picture; `nil` if the server shows none.
    init?(_ picture: ShownPicture) {
        guard let signer = picture.signer, let key = picture.key else { return nil }
        addresses = signer.addresses(of: key)
    }

    static let schema = Schema.object(
        ThumbnailSize.allCases.map {
            Schema.Member(name: String($0.rawValue), schema: .text, isRequired: true, summary: "", sharedForm: .plain)
        })

    func write(to writer: inout JSONWriter, in context: WireContext) {
        // The same for every audience: a signed address does not contain the key of the picture.
        writer.object { writer in
            for (size, address) in addresses {
                writer.key(named: String(size.rawValue))
                writer.value(address)
            }
        }
    }
}

extension PlacedPhoto: WireValue {
    package static var schema: Schema { ItemShape.schema }
    package func write(to writer: inout JSONWriter, in context: WireContext) {
        packed.withFields {
            ItemShape(attributes: attributes, photo: $0, picture: picture, cluster: cluster, stackSummary: stack)
                .write(to: &writer, in: context)
        }
    }
}

/// The photos of an answer; reserves memory for all of them first.
struct Items: WireValue {
    let photos: [PlacedPhoto]

    static var schema: Schema { .array(PlacedPhoto.schema) }

    func write(to writer: inout JSONWriter, in context: WireContext) {
        // The length of an item with all members, but without texts except for its id.
        writer.expect(320 * photos.count)
        photos.write(to: &writer, in: context)
    }
}
