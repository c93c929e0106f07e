package import PhotoStreamModel

/// Where a photo is moved to.
package enum MoveTarget: Hashable, Sendable {
    /// Directly before a photo in stream order.
    case before(PhotoID)
    /// Directly behind a photo in stream order.
    case after(PhotoID)

    /// The photo that it is put next to.
    package var neighbour: PhotoID {
        switch self {
        case .before(let id), .after(let id): id
        }
    }
}
