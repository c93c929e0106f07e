import PhotoStreamLayout
import PhotoStreamModel

/// Where a chain of pages goes on: a place in the order, and the fold's state there.
///
/// A place, not a photo: the photo that ended the page may be gone by then.
struct PageCursor: Hashable {
    let streamID: Int64
    let layoutKey: LayoutKey
    /// Everything strictly behind it is still to come.
    let place: OrderKey
    /// Where the layout goes on.
    let layout: LayoutCursor
    /// The stream's revision when the chain's first page was read.
    let chainRevision: Revision
}

/// Where a truncated rectangle goes on.
struct RectCursor: Hashable {
    let streamID: Int64
    let layoutKey: LayoutKey
    /// In device pixels.
    let rect: PixelRect
    /// Where the answer ended.
    let end: End

    /// The end of a truncated answer.
    struct End: Hashable {
        /// The place of the last photo before it, `nil` before the first; everything strictly behind is still to come.
        let place: OrderKey?
        /// Whether it lies behind photos of a section and before that section's footer.
        let isBeforeFooter: Bool
        /// Whether it lies in the section of a map's photos without a position.
        let isUnlocated: Bool
    }
}
