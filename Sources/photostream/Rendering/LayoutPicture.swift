import PhotoStreamLayout
import PhotoStreamService

/// A part of a layout, ready to be drawn.
struct LayoutPicture {
    /// Stream, revision, key and content size.
    let context: LayoutContext
    /// The part that is shown, in points of the content.
    let region: Rect
    /// The photos that meet it, or the first of them.
    let items: [PlacedPhoto]
    /// Whether photos are missing that meet it.
    let isCut: Bool
}
