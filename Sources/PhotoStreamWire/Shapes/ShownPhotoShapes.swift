package import PhotoStreamModel
package import PhotoStreamService

/// The object of a photo with the result of decoding its picture.
package struct ShownPhotoFields: WireObject {
    let photo: PackedPhotoFields
    let picture: ShownPicture?
    let file: PhotoFileState
    let stack: StackSummary?

    package static let schemaName: String? = "Photo"

    package static func describe(_ members: inout some MemberList<ShownPhotoFields>) {
        members.include { $0.photo }
        members.optional(
            "picture", of: .pictureKey, sharedAs: .plain,
            about: "The result of decoding its picture, or its preview before; no import reads it back."
        ) {
            $0.picture
        }
        members.addStack { $0.stack }
        members.optional(
            "vanished",
            about: "True if an import or a watch on this machine found that the photo's file is gone."
        ) { $0.file.isVanished ? true : nil }
        members.optional(
            "film", sharedAs: .original, about: "True if the photo's file contains the film of a motion photo."
        ) { $0.file.hasFilm ? true : nil }
        members.optional(
            "fileWarnings",
            about: "The kinds of metadata in the photo's file that were left out or could not be read on this machine.",
            as: .array(.words(FileWarning.allCases.map(\.name)))
        ) { photo in
            let warnings = photo.file.warnings
            return warnings.isEmpty ? nil : FileWarning.allCases.filter(warnings.contains).map(\.name)
        }
    }
}

/// A photo with the state of its picture, for answers about single photos and lists.
package struct ShownPhoto: WireValue {
    /// The photo.
    package let photo: Photo
    let picture: ShownPicture?
    let file: PhotoFileState
    let stack: StackSummary?

    /// Creates it from its parts.
    package init(
        _ photo: Photo, with picture: ShownPicture?, file: PhotoFileState = PhotoFileState(),
        stack: StackSummary? = nil
    ) {
        (self.photo, self.picture, self.file, self.stack) = (photo, picture, file, stack)
    }

    package static var schema: Schema { ShownPhotoFields.schema }

    package func write(to writer: inout JSONWriter, in context: WireContext) {
        PackedPhoto(photo).withFields {
            ShownPhotoFields(photo: $0, picture: picture, file: file, stack: stack).write(to: &writer, in: context)
        }
    }
}

extension JSONWriter {
    /// Writes a photo with the result of decoding its picture.
    package mutating func value(_ photo: ShownPhoto) {
        photo.write(to: &self, in: .plain)
    }
}

extension ShownPicture: WireObject {
    package static let schemaName: String? = "Picture"

    package static func describe(_ members: inout some MemberList<ShownPicture>) {
        members.optional(
            "key", sharedAs: .pictureKey,
            about: """
                The key in the addresses of its thumbnails; left out until it is decoded: placeholder and colour are then \
                those of the preview in its file.
                """
        ) { $0.key?.description }
        members.optional("placeholder", sharedAs: .plain, about: "Its ThumbHash, in base64.") { $0.placeholder }
        members.optional("color", sharedAs: .plain, about: "Its dominant colour, such as `#b98a90`.") {
            $0.color?.description
        }
        members.optional("thumbnails", sharedAs: .plain, about: ThumbnailAddresses.summary) { ThumbnailAddresses($0) }
    }
}
