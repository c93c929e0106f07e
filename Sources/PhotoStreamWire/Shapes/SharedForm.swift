import PhotoStreamModel
package import PhotoStreamService

/// The form in which a share shows a member of an answer.
package enum SharedForm: Sendable {
    /// The value as it is; for objects, the members that have a form themselves.
    case plain
    /// The value as it is, if the share shows positions.
    case position
    /// The value as it is, if the share sends originals.
    case original
    /// The share's own text for the id of a photo.
    case photoID
    /// The share's own text for the key of a picture.
    case pictureKey
    /// The share's own text for a cursor.
    case cursor
}

/// The readers of an answer who have the link of a share.
///
///     let audience = ShareAudience(share)
///     let bytes = JSONWriter.bytes(for: audience) { $0.value(page) }
///
/// Each writer carries its audience, and then writes only members that are described with a ``SharedForm``.
package struct ShareAudience: Sendable {
    /// The parts that the share shows in addition to the photos.
    package let options: ShareOptions
    /// Creates the share's own texts, and opens them.
    package let seal: ShareSeal

    /// Creates the readers of a share.
    package init(_ share: ShareGrant) {
        (seal, options) = (share.seal, share.options)
    }

    /// Whether the share shows members of a form.
    package func shows(_ form: SharedForm) -> Bool {
        switch form {
        case .position: options.contains(.positions)
        case .original: options.contains(.originals)
        case .plain, .photoID, .pictureKey, .cursor: true
        }
    }

    /// Returns the text that the share shows.
    package func text(_ text: String, as form: SharedForm) -> String {
        switch form {
        case .plain, .position, .original: text
        case .photoID: options.contains(.names) ? text : seal.sealed(text, as: .photo)
        case .pictureKey: PictureKey(text).map { seal.sealed($0).description } ?? ""
        case .cursor: seal.sealed(text, as: .cursor)
        }
    }
}
