package import PhotoStreamModel

/// The request for an upload: a name, and rules.
package struct UploadRequest: Sendable {
    /// The rule for a name that a file or a photo has already.
    package enum TakenName: String, Sendable, CaseIterable {
        /// The upload is refused.
        case refuse
        /// The file gets a number before its extension; if the stream has a photo with the same content, that is the
        /// result.
        case rename
    }

    /// The name of the file.
    package let name: String
    /// The rule for a taken name.
    package var takenName = TakenName.refuse
    /// The time of the file's last modification on the client, in milliseconds since 1970, not negative; `nil` if
    /// unknown.
    package var modifiedAtMilliseconds: Int64?
    /// Whether a photo that a person deleted is restored by its picture.
    package var restoresDeleted = false

    /// Creates a request with the default rules.
    package init(name: String) {
        self.name = name
    }
}

/// The result of an upload.
package struct UploadedPhoto: Hashable, Sendable {
    /// The id of the photo: the path of its file from the root.
    package let id: PhotoID
    /// Whether the stream did not have a photo with the content.
    package let isNew: Bool
}

/// A free name for an upload.
struct UploadPlace: Hashable, Sendable {
    /// The name of the file.
    let name: UploadName
    /// The id of its photo.
    let id: PhotoID
}
