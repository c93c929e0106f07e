import PhotoStreamModel

/// The sizes of the items of a flow, in device pixels.
struct FlowSizes: Hashable, Sendable {
    private let rule: LayoutKey.Flow
    private let displayScale: DisplayScale
    let captionExtent: Int64
    let isHorizontal: Bool

    init(_ key: LayoutKey, _ rule: LayoutKey.Flow) {
        self.rule = rule
        displayScale = key.displayScale
        captionExtent = key.captionExtent
        isHorizontal = key.scrollDirection == .horizontal
    }

    /// Whether all items are alike across the scroll axis.
    var areUniform: Bool {
        guard case .uniform = rule else { return false }
        return !isHorizontal || captionExtent == 0
    }

    /// One item.
    @inline(__always)
    func size(of item: ItemMetrics) -> FlowItem {
        let picture = pictureSize(of: item.pixelSize)
        let caption = item.hasCaption ? captionExtent : 0
        return isHorizontal
            ? FlowItem(length: picture.height + caption, extent: picture.width, captionExtent: 0)
            : FlowItem(length: picture.width, extent: picture.height, captionExtent: caption)
    }

    @inline(__always)
    private func pictureSize(of size: PixelSize) -> PixelExtent {
        switch rule {
        case .uniform(let extent): return extent
        case .height(let height):
            // Below 2^53, so exact; see MasonryExtents.
            let width = Double(height) * Double(size.width) / Double(size.height)
            return PixelExtent(width: max(1, Int64(width + 0.5)), height: height)
        case .own:
            return PixelExtent(
                width: max(1, displayScale.pixels(Double(size.width))),
                height: max(1, displayScale.pixels(Double(size.height))))
        }
    }
}

/// The lengths of an item that a flow reads.
struct FlowItem {
    /// Device pixels across the scroll axis, of the whole cell.
    let length: Int64
    /// Device pixels along the scroll axis, without a caption that lies along it.
    let extent: Int64
    /// Device pixels of a caption along the scroll axis.
    let captionExtent: Int64
}
