package import PhotoStreamLayout
import PhotoStreamModel
package import PhotoStreamService

extension LayoutContext: WireObject {
    package var displayScale: DisplayScale? { layoutKey.displayScale }

    package static let shape = Shape<LayoutContext>(
        nil,
        members: [
            .always("stream", about: "The stream's name.") { $0.stream.rawValue },
            .always("revision", about: "The state of the stream that the answer describes; grows with every write.") {
                $0.revision.rawValue
            },
            .always("layoutKey", about: "The layout in device pixels, as text; takes the place of all its options.") {
                $0.layoutKey.description
            },
            .always("contentSize", about: "The extent of the whole layout in points, insets included; exact.") {
                $0.contentSize
            },
        ])
}

extension PageContext: WireObject {
    package var displayScale: DisplayScale? { layoutKey.displayScale }

    package static let shape = Shape<PageContext>(
        nil,
        members: [
            .always("stream", about: "The stream's name.") { $0.stream.rawValue },
            .always("revision", about: "The state of the stream that the page describes.") { $0.revision.rawValue },
            .always("layoutKey", about: "The layout in device pixels, as text.") { $0.layoutKey.description },
            .optional(
                "contentSize", about: "The extent of the whole layout, where frames are counted from the content's end."
            ) { $0.contentSize },
        ])
}

extension LayoutAnswer: WireObject {
    package var displayScale: DisplayScale? { context.displayScale }

    fileprivate static let members =
        LayoutContext.shape.members(of: \LayoutAnswer.context) + [
            .always("count", about: "The number of photos.") { $0.count },
            .always("sectionCount", about: "The number of sections.") { $0.sectionCount },
            .optional("world", about: "Of a map, the frame of the square that is the world.") {
                $0.context.layoutKey.worldFrame
            },
            .always("sections", about: "The sections in order, as many as were asked for.") { $0.sections },
            .nullable("nextSection", about: "The section to go on with; `null` after the last.") { $0.nextSection },
        ]

    package static let shape = Shape<LayoutAnswer>(nil, members: members)
    package static var schema: Schema { FirstPaintAnswer.schema }
}

extension FirstPaintAnswer: WireObject {
    package var displayScale: DisplayScale? { layout.displayScale }

    package static let shape = Shape<FirstPaintAnswer>(
        "Layout",
        members: LayoutAnswer.members.map { $0.member(of: \FirstPaintAnswer.layout) } + [
            .optional("page", about: "The first page, where it was asked for.") { $0.page }
        ])
}

extension SectionAnswer: WireObject {
    package static let shape = Shape<SectionAnswer>(
        "Section",
        members: [
            .always("section", about: "Its position, from 0.") { $0.section },
            .always("id", about: "A day, month or year, `undated`, `located`, `unlocated`, or `all`.") { $0.id },
            .always("firstIndex", about: "The number of photos in the sections before it.") { $0.firstIndex },
            .always("count", about: "The number of photos.") { $0.count },
            .always("frame", about: "All of it, header and footer included.") { $0.frame },
        ])
}

extension PageAnswer: WireObject {
    package var displayScale: DisplayScale? { context.displayScale }

    package static let shape = Shape<PageAnswer>(
        "Page",
        members: PageContext.shape.members(of: \PageAnswer.context) + [
            .always("chainRevision", about: "The revision when the first page of this chain was read.") {
                $0.chainRevision.rawValue
            },
            .always("inPlace", about: "Whether the frames are also those of the layout as it is now.") {
                $0.isInPlace
            },
            .always("items", about: "The photos after the cursor, in stream order.") { Items(photos: $0.items) },
            .nullable("nextCursor", about: "The cursor of the next page; `null` after the last photo.") {
                $0.nextCursor
            },
            .always("truncated", about: "Whether more photos follow.") { $0.isTruncated },
        ])
}

extension RectAnswer: WireObject {
    package var displayScale: DisplayScale? { context.displayScale }

    package static let shape = Shape<RectAnswer>(
        "Rect",
        members: LayoutContext.shape.members(of: \RectAnswer.context) + [
            .always("items", about: "The photos that meet the rectangle, section by section in stream order.") {
                Items(photos: $0.items)
            },
            .always("elements", about: "Everything else that meets it, each once.") { $0.elements },
            .nullable("nextCursor", about: "The cursor that continues with the same rectangle; `null` at its end.") {
                $0.nextCursor
            },
            .always("truncated", about: "Whether there is more.") { $0.isTruncated },
        ])
}

extension ItemsAnswer: WireObject {
    package var displayScale: DisplayScale? { context.displayScale }

    package static let shape = Shape<ItemsAnswer>(
        "Items",
        members: LayoutContext.shape.members(of: \ItemsAnswer.context) + [
            .always("count", about: "The number of photos in the layout.") { $0.count },
            .always("items", about: "The photos, in stream order, or in that of the ids that were asked for.") {
                Items(photos: $0.items)
            },
            .optional("missing", about: "Of the ids that were asked for, those that the stream does not have.") {
                $0.missing?.map(\.rawValue)
            },
            .optional("truncated", about: "Whether photos that were asked for by id are left out: ask for them again.")
            {
                $0.missing == nil ? nil : $0.isTruncated
            },
        ])
}

extension ElementsAnswer: WireObject {
    package var displayScale: DisplayScale? { context.displayScale }

    package static let shape = Shape<ElementsAnswer>(
        "Elements",
        members: LayoutContext.shape.members(of: \ElementsAnswer.context) + [
            .always("elements", about: "The elements.") { $0.elements },
            .nullable("next", about: "The place to continue from; `null` after the last.") { $0.next },
        ])
}

extension LayoutAttributes: WireObject {
    /// An element that is not a photo.
    package static let shape = Shape<LayoutAttributes>(
        "Element",
        members: [
            .always(
                "kind",
                about: "`section-background`, `separator`, `badge`, `section-header` or `section-footer`."
            ) { $0.elementKind.name },
            .always("section", about: "The section of its index path.") { $0.indexPath.section },
            .always("item", about: "The item of its index path: of a badge its photo's.") { $0.indexPath.item },
            .always("index", about: "The position in stream order of the photo that it stands on or before.") {
                $0.index
            },
            .always("frame", about: "The frame.") { $0.frame },
            .always("zIndex", about: "The order of overlapping elements: a greater one is above.") { $0.zIndex },
        ])
}

extension ItemAnswer: WireObject {
    package var displayScale: DisplayScale? { context.displayScale }

    package static let shape = Shape<ItemAnswer>(
        "Item",
        members: LayoutContext.shape.members(of: \ItemAnswer.context) + [
            .always("item", about: "The photo.") { $0.item }
        ])
}

extension LocateAnswer: WireObject {
    package var displayScale: DisplayScale? { context.displayScale }

    package static let shape = Shape<LocateAnswer>(
        "Location",
        members: LayoutContext.shape.members(of: \LocateAnswer.context) + [
            .always("item", about: "The photo.") { $0.item },
            .always("cursor", about: "The cursor of a page that has the photo with this frame.") { $0.cursor },
        ])
}

extension PointAnswer: WireObject {
    package var displayScale: DisplayScale? { context.displayScale }

    package static let shape = Shape<PointAnswer>(
        "Point",
        members: LayoutContext.shape.members(of: \PointAnswer.context) + [
            .nullable("item", about: "The photo at the point, or the nearest if it was asked for; otherwise `null`.") {
                $0.item
            },
            .always("insertion", about: "The place of a photo that is dropped at the point.") { $0.insertion },
        ])
}

extension InsertionPlace: WireObject {
    package static let shape = Shape<InsertionPlace>(
        nil,
        members: [
            .always("section", about: "The section of the index path that the photo would get.") {
                $0.indexPath.section
            },
            .always("item", about: "The item of that index path.") { $0.indexPath.item },
            .always("index", about: "Its position in stream order.") { $0.index },
            .optional("before", about: "The photo of the section that it would stand before.") { $0.next?.rawValue },
            .optional("after", about: "The photo of the section that it would stand after.") {
                $0.previous?.rawValue
            },
        ])
}

extension TargetAnswer: WireObject {
    package var displayScale: DisplayScale? { context.displayScale }

    package static let shape = Shape<TargetAnswer>(
        "Target",
        members: LayoutContext.shape.members(of: \TargetAnswer.context) + [
            .always("contentOffset", about: "The offset at which scrolling comes to rest.") { $0.contentOffset }
        ])
}

extension ScrubberAnswer: WireObject {
    package var displayScale: DisplayScale? { context.displayScale }

    package static let shape = Shape<ScrubberAnswer>(
        "Scrubber",
        members: LayoutContext.shape.members(of: \ScrubberAnswer.context) + [
            .always("stops", about: "The stops, from the start of the content to its end.") { $0.stops }
        ])
}

extension ScrubberStop: WireObject {
    package static let shape = Shape<ScrubberStop>(
        nil,
        members: [
            .always("offset", about: "Along the scroll axis from the start of the content, in points.") {
                Points(pixels: $0.offset)
            },
            .always("section", about: "The section there.") { $0.section },
            .always("id", about: "The section's name.") { $0.sectionID },
            .always("index", about: "The position of the first photo there or after.") { $0.index },
            .nullable("day", about: "That photo's date, with the digits that are known; `null` without a date.") {
                $0.date.digits
            },
            .nullable(
                "precision", about: "The smallest known unit of the date.", as: .words(["day", "month", "year"])
            ) { $0.date.unit?.rawValue },
        ])
}
