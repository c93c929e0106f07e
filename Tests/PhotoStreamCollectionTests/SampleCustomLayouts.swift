import PhotoStreamCollection
import PhotoStreamLayout
import PhotoStreamModel

/// A cover flow: cells of one size across, each begins half way along the one before it, so that it covers a part of it.
struct CoverFlow: PlacementRule {
    /// The extent of every cell along the scroll axis.
    var itemExtent: Int64

    var name: String { "cover-flow:\(itemExtent)" }

    func initialRest(in space: LayoutSpace) -> [UInt8] { [] }

    func place(_ items: PackedMetrics, from rest: [UInt8], in space: LayoutSpace) -> RulePlacement {
        let pitch = itemExtent / 2 + space.lineSpacing
        let frames = (0..<Int64(items.count)).map { position in
            AxisFrame(along: position * pitch, across: 0, alongExtent: itemExtent, acrossExtent: space.length)
        }
        return RulePlacement(frames: frames, shift: Int64(items.count) * pitch, rest: [])
    }

    func end(behind rest: [UInt8], in space: LayoutSpace) -> Int64 {
        itemExtent - itemExtent / 2 - space.lineSpacing
    }
}

/// A button on every item, and a mark on the first of each section.
struct Buttons: LayoutAdjustment {
    var outset: Int64 { 0 }

    func adjust(_ attributes: inout LayoutAttributes) {}

    func elements(on item: LayoutAttributes) -> [ItemElement] {
        let frame = item.frame
        let corner = PixelRect(
            x: frame.x, y: frame.y, width: min(10, frame.width), height: min(7, frame.height))
        let button = ItemElement(kind: "caption-button", frame: corner, zIndex: 5)
        return item.indexPath.item == 0 ? [button, ItemElement(kind: "first-mark", frame: corner)] : [button]
    }
}

/// A helix: items wind around the scroll axis.
///
/// They go forth and back across the content in 24 steps a turn, each as large as its ratio makes it. The state is the
/// step, and the distance by which the items extend beyond the start of the next one.
struct Helix: PlacementRule {
    static let stepCount = 24

    let name = "helix"

    func initialRest(in space: LayoutSpace) -> [UInt8] { [0, 0, 0, 0] }

    func place(_ items: PackedMetrics, from rest: [UInt8], in space: LayoutSpace) -> RulePlacement {
        var step = Int(rest[0])
        // Counted from the item before, so that it is never negative.
        var reach = Int64(rest[1]) | Int64(rest[2]) << 8 | Int64(rest[3]) << 16
        var frames: [AxisFrame] = []
        for index in 0..<items.count {
            let size = items[index].pixelSize
            let side = max(1, space.length / 3)
            let other = max(1, min(4 * side, side * Int64(size.height) / Int64(size.width)))
            // 0 at the leading edge, 12 at the trailing edge, and back.
            let place = Int64(min(step, Self.stepCount - step))
            frames.append(
                AxisFrame(
                    along: Int64(index) * Self.pitch(space), across: (space.length - side) * place / 12,
                    alongExtent: other, acrossExtent: side))
            step = (step + 1) % Self.stepCount
            reach = max(reach - Self.pitch(space), other)
        }
        let bytes = [0, 8, 16].map { UInt8(truncatingIfNeeded: reach >> $0) }
        return RulePlacement(
            frames: frames, shift: Int64(items.count) * Self.pitch(space), rest: [UInt8(step)] + bytes)
    }

    func end(behind rest: [UInt8], in space: LayoutSpace) -> Int64 {
        (Int64(rest[1]) | Int64(rest[2]) << 8 | Int64(rest[3]) << 16) - Self.pitch(space)
    }

    static func pitch(_ space: LayoutSpace) -> Int64 { 7 + space.lineSpacing }
}

/// An adjustment that changes every element, each in a different way.
struct Disorder: LayoutAdjustment {
    var outset: Int64

    func adjust(_ attributes: inout LayoutAttributes) {
        let number = Int64(attributes.index &+ attributes.elementKind.name.utf8.count)
        guard outset > 0 else { return }
        attributes.frame.x += number % outset
        attributes.frame.y -= number * 7 % outset
        attributes.frame.width = max(0, attributes.frame.width - number % 3)
        attributes.zIndex += Int(number % 5)
        attributes.alpha = number % 2 == 0 ? 0.5 : 1
        if number % 7 == 0 { attributes.transform = .scale(x: 2, y: 2) }
        if number % 11 == 0 { attributes.isHidden = true }
        if number % 13 == 0 { attributes.customValues["number"] = .number(Double(number)) }
    }
}
