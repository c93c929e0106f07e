package import PhotoStreamLayout
import PhotoStreamModel
package import PhotoStreamService

/// The description of the member `state` of all answers.
let stateSummary =
    "The revision and the tag of its history, to be sent back as `since`, `revision` or `Last-Event-ID`; opaque."

/// An answer about a layout, whose lengths are in the layout's scale.
package protocol LayoutWireObject: WireObject {
    /// The layout.
    var context: LayoutContext { get }
}

extension LayoutWireObject {
    package var displayScale: DisplayScale? { context.displayScale }
}

extension LayoutContext: WireObject {
    package var displayScale: DisplayScale? { layoutKey.displayScale }

    package static func describe(_ members: inout some MemberList<LayoutContext>) {
        members.always("stream", sharedAs: .plain, about: "The stream's name.") { $0.stream.rawValue }
        members.always(
            "revision", sharedAs: .plain,
            about: "The state of the stream that the answer describes; grows with every write."
        ) {
            $0.revision.rawValue
        }
        members.always("state", sharedAs: .plain, about: stateSummary) { $0.revision.state }
        members.always(
            "layoutKey", sharedAs: .plain,
            about: "The layout in device pixels, as text; takes the place of all its options."
        ) {
            $0.layoutKey.description
        }
        members.addCondition { $0.condition }
        members.always(
            "contentSize", sharedAs: .plain, about: "The extent of the whole layout in points, insets included; exact."
        ) {
            $0.contentSize
        }
    }
}

extension MemberList {
    /// Describes the condition of a view.
    mutating func addCondition(_ condition: @escaping @Sendable (Value) -> Condition?) {
        optional(
            "where", sharedAs: .plain,
            about: "The condition that the photos meet, in canonical form, with fixed days."
        ) {
            condition($0)?.canonicalText
        }
    }
}

extension PageContext: WireObject {
    package var displayScale: DisplayScale? { layoutKey.displayScale }

    package static func describe(_ members: inout some MemberList<PageContext>) {
        members.always("stream", sharedAs: .plain, about: "The stream's name.") { $0.stream.rawValue }
        members.always("revision", sharedAs: .plain, about: "The state of the stream that the page describes.") {
            $0.revision.rawValue
        }
        members.always("state", sharedAs: .plain, about: stateSummary) { $0.revision.state }
        members.always("layoutKey", sharedAs: .plain, about: "The layout in device pixels, as text.") {
            $0.layoutKey.description
        }
        members.addCondition { $0.condition }
        members.optional(
            "contentSize", sharedAs: .plain,
            about: "The extent of the whole layout, where frames are counted from the content's end."
        ) { $0.contentSize }
    }
}

extension LayoutAnswer: LayoutWireObject {
    package static var schema: Schema { FirstPaintAnswer.schema }

    package static func describe(_ members: inout some MemberList<LayoutAnswer>) {
        members.include { $0.context }
        members.always("count", sharedAs: .plain, about: "The number of photos.") { $0.count }
        members.always("sectionCount", sharedAs: .plain, about: "The number of sections.") { $0.sectionCount }
        members.optional("world", sharedAs: .plain, about: "Of a map, the frame of the square that is the world.") {
            $0.context.layoutKey.worldFrame
        }
        members.optional("positions", sharedAs: .plain, about: "Of a map with clusters, the positions of the photos.") {
            $0.positions
        }
        members.always("sections", sharedAs: .plain, about: "The sections in order, as many as were asked for.") {
            $0.sections
        }
        members.nullable("nextSection", sharedAs: .plain, about: "The section to go on with; `null` after the last.") {
            $0.nextSection
        }
    }
}

extension FirstPaintAnswer: WireObject {
    package var displayScale: DisplayScale? { layout.displayScale }

    package static let schemaName: String? = "Layout"

    package static func describe(_ members: inout some MemberList<FirstPaintAnswer>) {
        members.include { $0.layout }
        members.optional("page", sharedAs: .plain, about: "The first page, where it was asked for.") { $0.page }
    }
}

extension SectionAnswer: WireObject {
    package static let schemaName: String? = "Section"

    package static func describe(_ members: inout some MemberList<SectionAnswer>) {
        members.always("section", sharedAs: .plain, about: "Its position, from 0.") { $0.section }
        members.always(
            "id", sharedAs: .plain, about: "A day, month or year, `undated`, `located`, `unlocated`, or `all`."
        ) { $0.id }
        members.always("firstIndex", sharedAs: .plain, about: "The number of photos in the sections before it.") {
            $0.firstIndex
        }
        members.always("count", sharedAs: .plain, about: "The number of photos.") { $0.count }
        members.always("frame", sharedAs: .plain, about: "All of it, header and footer included.") { $0.frame }
    }
}

extension PageAnswer: WireObject {
    package var displayScale: DisplayScale? { context.displayScale }

    package static let schemaName: String? = "Page"

    package static func describe(_ members: inout some MemberList<PageAnswer>) {
        members.include { $0.context }
        members.always(
            "chainRevision", sharedAs: .plain, about: "The revision when the first page of this chain was read."
        ) {
            $0.chainRevision.rawValue
        }
        members.always("chainState", sharedAs: .plain, about: "The state at that revision.") { $0.chainRevision.state }
        members.always(
            "inPlace", sharedAs: .plain, about: "Whether the frames are also those of the layout as it is now."
        ) {
            $0.isInPlace
        }
        members.always("items", sharedAs: .plain, about: "The photos after the cursor, in stream order.") {
            Items(photos: $0.items)
        }
        members.nullable(
            "nextCursor", sharedAs: .cursor, about: "The cursor of the next page; `null` after the last photo."
        ) {
            $0.nextCursor
        }
        members.always("truncated", sharedAs: .plain, about: "Whether more photos follow.") { $0.isTruncated }
    }
}

extension RectAnswer: LayoutWireObject {
    package static let schemaName: String? = "Rect"

    package static func describe(_ members: inout some MemberList<RectAnswer>) {
        members.include { $0.context }
        members.always(
            "items", sharedAs: .plain, about: "The photos that meet the rectangle, section by section in stream order."
        ) {
            Items(photos: $0.items)
        }
        members.always("elements", sharedAs: .plain, about: "Everything else that meets it, each once.") {
            ElementShape.all($0.elements, headed: $0.headedSections)
        }
        members.nullable(
            "nextCursor", sharedAs: .cursor,
            about: "The cursor that continues with the same rectangle; `null` at its end."
        ) {
            $0.nextCursor
        }
        members.always("truncated", sharedAs: .plain, about: "Whether there is more.") { $0.isTruncated }
    }
}

extension ItemsAnswer: LayoutWireObject {
    package static let schemaName: String? = "Items"

    package static func describe(_ members: inout some MemberList<ItemsAnswer>) {
        members.include { $0.context }
        members.always("count", sharedAs: .plain, about: "The number of photos in the layout.") { $0.count }
        members.always(
            "items", sharedAs: .plain, about: "The photos, in stream order, or in that of the ids that were asked for."
        ) {
            Items(photos: $0.items)
        }
        members.optional(
            "missing", sharedAs: .photoID, about: "Of the ids that were asked for, those that the stream does not have."
        ) {
            $0.missing?.map(\.rawValue)
        }
        members.optional(
            "truncated", sharedAs: .plain,
            about: "Whether photos that were asked for by id are left out: ask for them again."
        ) {
            $0.missing == nil ? nil : $0.isTruncated
        }
    }
}

extension ElementsAnswer: LayoutWireObject {
    package static let schemaName: String? = "Elements"

    package static func describe(_ members: inout some MemberList<ElementsAnswer>) {
        members.include { $0.context }
        members.always("elements", sharedAs: .plain, about: "The elements.") {
            ElementShape.all($0.elements, headed: $0.headedSections)
        }
        members.nullable("next", sharedAs: .plain, about: "The place to continue from; `null` after the last.") {
            $0.next
        }
    }
}

/// An element that is not a photo.
package struct ElementShape: WireObject {
    let attributes: LayoutAttributes
    let section: HeadedSection?

    /// Returns elements, the headers with their sections.
    static func all(_ elements: [LayoutAttributes], headed sections: [Int: HeadedSection]) -> [ElementShape] {
        elements.map { element in
            let isHeader = element.elementKind == .sectionHeader
            return ElementShape(
                attributes: element, section: isHeader ? sections[element.indexPath.section] : nil)
        }
    }

    package static let schemaName: String? = "Element"

    package static func describe(_ members: inout some MemberList<ElementShape>) {
        members.include { $0.attributes }
        members.optional("id", sharedAs: .plain, about: "Of a header, its section's name.") { $0.section?.id }
        members.optional("count", sharedAs: .plain, about: "Of a header, the number of its section's photos.") {
            $0.section?.count
        }
    }
}

extension LayoutAttributes: WireObject {
    package static func describe(_ members: inout some MemberList<LayoutAttributes>) {
        members.always(
            "kind", sharedAs: .plain,
            about: "`section-background`, `separator`, `badge`, `section-header` or `section-footer`."
        ) { $0.elementKind.name }
        members.always("section", sharedAs: .plain, about: "The section of its index path.") { $0.indexPath.section }
        members.always("item", sharedAs: .plain, about: "The item of its index path: of a badge its photo's.") {
            $0.indexPath.item
        }
        members.always(
            "index", sharedAs: .plain, about: "The position in stream order of the photo that it stands on or before."
        ) {
            $0.index
        }
        members.always("frame", sharedAs: .plain, about: "The frame.") { $0.frame }
        members.always("zIndex", sharedAs: .plain, about: "The order of overlapping elements: a greater one is above.")
        { $0.zIndex }
    }
}

extension ItemAnswer: LayoutWireObject {
    package static let schemaName: String? = "Item"

    package static func describe(_ members: inout some MemberList<ItemAnswer>) {
        members.include { $0.context }
        members.always("item", about: "The photo.") { $0.item }
    }
}

extension LocateAnswer: LayoutWireObject {
    package static let schemaName: String? = "Location"

    package static func describe(_ members: inout some MemberList<LocateAnswer>) {
        members.include { $0.context }
        members.always("item", sharedAs: .plain, about: "The photo.") { $0.item }
        members.always("cursor", sharedAs: .cursor, about: "The cursor of a page that has the photo with this frame.") {
            $0.cursor
        }
    }
}

extension PointAnswer: LayoutWireObject {
    package static let schemaName: String? = "Point"

    package static func describe(_ members: inout some MemberList<PointAnswer>) {
        members.include { $0.context }
        members.nullable(
            "item", sharedAs: .plain,
            about: "The photo at the point, or the nearest if it was asked for; otherwise `null`."
        ) {
            $0.item
        }
        members.always("insertion", sharedAs: .plain, about: "The place of a photo that is dropped at the point.") {
            $0.insertion
        }
    }
}

extension InsertionPlace: WireObject {
    package static func describe(_ members: inout some MemberList<InsertionPlace>) {
        members.always("section", sharedAs: .plain, about: "The section of the index path that the photo would get.") {
            $0.indexPath.section
        }
        members.always("item", sharedAs: .plain, about: "The item of that index path.") { $0.indexPath.item }
        members.always("index", sharedAs: .plain, about: "Its position in stream order.") { $0.index }
        members.optional("before", sharedAs: .photoID, about: "The photo of the section that it would stand before.") {
            $0.next?.rawValue
        }
        members.optional("after", sharedAs: .photoID, about: "The photo of the section that it would stand after.") {
            $0.previous?.rawValue
        }
    }
}

extension TargetAnswer: LayoutWireObject {
    package static let schemaName: String? = "Target"

    package static func describe(_ members: inout some MemberList<TargetAnswer>) {
        members.include { $0.context }
        members.always("contentOffset", sharedAs: .plain, about: "The offset at which scrolling comes to rest.") {
            $0.contentOffset
        }
    }
}

extension ScrubberAnswer: LayoutWireObject {
    package static let schemaName: String? = "Scrubber"

    package static func describe(_ members: inout some MemberList<ScrubberAnswer>) {
        members.include { $0.context }
        members.always("stops", sharedAs: .plain, about: "The stops, from the start of the content to its end.") {
            $0.stops
        }
    }
}

extension ScrubberStop: WireObject {
    package static func describe(_ members: inout some MemberList<ScrubberStop>) {
        members.always(
            "offset", sharedAs: .plain, about: "Along the scroll axis from the start of the content, in points."
        ) {
            Points(pixels: $0.offset)
        }
        members.always("section", sharedAs: .plain, about: "The section there.") { $0.section }
        members.always("id", sharedAs: .plain, about: "The section's name.") { $0.sectionID }
        members.always("index", sharedAs: .plain, about: "The position of the first photo there or after.") { $0.index }
        members.nullable(
            "day", sharedAs: .plain, about: "That photo's date, with the digits that are known; `null` without a date."
        ) {
            $0.date.digits
        }
        members.nullable(
            "precision", sharedAs: .plain, about: "The smallest known unit of the date.",
            as: .words(["day", "month", "year"])
        ) { $0.date.unit?.rawValue }
    }
}
