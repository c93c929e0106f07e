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
    /// The index that the next photo gets.
    let index: Int
    /// The origin of ``state``, in device pixels of the chain's content space.
    let origin: Int64
    /// What the layout remembers.
    let state: MasonryState
    /// The stream's revision when the chain's first page was read.
    let chainRevision: Revision
}

/// Where a truncated rectangle goes on.
struct RectCursor: Hashable {
    let streamID: Int64
    let layoutKey: LayoutKey
    /// In device pixels.
    let rect: PixelRect
    /// Everything strictly behind it is still to come.
    let place: OrderKey
}
