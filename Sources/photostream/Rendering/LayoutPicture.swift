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
    /// The other elements that meet it.
    let elements: [LayoutAttributes]
    /// All sections of the layout.
    let sections: [SectionAnswer]
    /// Whether photos are missing that meet it.
    let isCut: Bool
}
