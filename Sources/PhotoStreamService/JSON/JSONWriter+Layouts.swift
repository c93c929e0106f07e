import PhotoStreamLayout
import PhotoStreamModel

extension JSONWriter {
    /// Writes a layout as a whole.
    public mutating func value(_ answer: LayoutAnswer) {
        object { $0.members(of: answer) }
    }

    /// Writes a layout as a whole and its first page.
    public mutating func value(_ answer: FirstPaintAnswer, fields: ItemFields = .all) {
        object { writer in
            writer.members(of: answer.layout)
            writer.key("page")
            writer.value(answer.page, fields: fields)
        }
    }

    private mutating func members(of answer: LayoutAnswer) {
        members(of: answer.context)
        member("count", answer.count)
        member("sectionCount", answer.sectionCount)
        if let world = answer.context.layoutKey.worldFrame {
            key("world")
            value(world, answer.context.layoutKey.displayScale)
        }
        key("sections")
        array(answer.sections) { writer, section in
            writer.object { writer in
                writer.member("section", section.section)
                writer.member("id", section.id)
                writer.member("firstIndex", section.firstIndex)
                writer.member("count", section.count)
                writer.key("frame")
                writer.value(section.frame, answer.context.layoutKey.displayScale)
            }
        }
        key("nextSection")
        if let next = answer.nextSection { value(next) } else { null() }
    }

    /// Writes a page.
    public mutating func value(_ answer: PageAnswer, fields: ItemFields = .all) {
        object { writer in
            let context = answer.context
            writer.members(
                context.stream, context.revision, context.layoutKey, contentSize: context.contentSize)
            writer.member("chainRevision", answer.chainRevision.rawValue)
            writer.key("inPlace")
            writer.value(answer.isInPlace)
            writer.items(answer.items, answer.context.layoutKey, fields)
            writer.end(nextCursor: answer.nextCursor, isTruncated: answer.isTruncated)
        }
    }

    /// Writes what meets a rectangle.
    public mutating func value(_ answer: RectAnswer, fields: ItemFields = .all) {
        object { writer in
            writer.members(of: answer.context)
            writer.items(answer.items, answer.context.layoutKey, fields)
            writer.key("elements")
            writer.array(answer.elements) { $0.value($1, answer.context.layoutKey.displayScale) }
            writer.end(nextCursor: answer.nextCursor, isTruncated: answer.isTruncated)
        }
    }

    /// Writes one photo of a layout.
    public mutating func value(_ answer: ItemAnswer, fields: ItemFields = .all) {
        object { writer in
            writer.members(of: answer.context)
            writer.key("item")
            writer.value(answer.item, answer.context.layoutKey.displayScale, fields)
        }
    }

    /// Writes where a photo is.
    public mutating func value(_ answer: LocateAnswer, fields: ItemFields = .all) {
        object { writer in
            writer.members(of: answer.context)
            writer.key("item")
            writer.value(answer.item, answer.context.layoutKey.displayScale, fields)
            writer.member("cursor", answer.cursor)
        }
    }

    /// Writes what is at a point.
    public mutating func value(_ answer: PointAnswer, fields: ItemFields = .all) {
        let scale = answer.context.layoutKey.displayScale
        object { writer in
            writer.members(of: answer.context)
            writer.key("item")
            if let item = answer.item { writer.value(item, scale, fields) } else { writer.null() }
            writer.key("insertion")
            writer.object { writer in
                writer.member("section", answer.insertion.indexPath.section)
                writer.member("item", answer.insertion.indexPath.item)
                writer.member("index", answer.insertion.index)
                writer.member("before", ifPresent: answer.insertion.next?.rawValue)
                writer.member("after", ifPresent: answer.insertion.previous?.rawValue)
            }
        }
    }

    mutating func members(of context: LayoutContext) {
        members(context.stream, context.revision, context.layoutKey, contentSize: context.contentSize)
    }

    private mutating func members(
        _ stream: StreamName, _ revision: Revision, _ layoutKey: LayoutKey, contentSize: PixelExtent?
    ) {
        member("stream", stream.rawValue)
        member("revision", revision.rawValue)
        member("layoutKey", layoutKey.description)
        guard let contentSize else { return }
        key("contentSize")
        object { writer in
            writer.member("width", pixels: contentSize.width, layoutKey.displayScale)
            writer.member("height", pixels: contentSize.height, layoutKey.displayScale)
        }
    }

    mutating func items(_ items: [PlacedPhoto], _ layoutKey: LayoutKey, _ fields: ItemFields) {
        // As long as an item of all members is that has no texts but its id.
        expect(320 * items.count)
        key("items")
        array(items) { $0.value($1, layoutKey.displayScale, fields) }
    }

    private mutating func end(nextCursor: String?, isTruncated: Bool) {
        key("nextCursor")
        if let nextCursor { value(nextCursor) } else { null() }
        key("truncated")
        value(isTruncated)
    }

    /// Writes a placed photo: the one item object that every answer uses.
    private mutating func value(_ item: PlacedPhoto, _ scale: DisplayScale, _ fields: ItemFields) {
        item.packed.withFields { value(item.attributes, $0, scale, fields) }
    }

    private mutating func value(
        _ attributes: LayoutAttributes, _ photo: PackedPhotoFields, _ scale: DisplayScale, _ fields: ItemFields
    ) {
        object { writer in
            if fields.contains(.index) { writer.member("index", attributes.index) }
            if fields.contains(.photo) { writer.member("photo", photo.id) }
            if fields.contains(.kind) { writer.member("kind", attributes.elementKind.name) }
            if fields.contains(.section) { writer.member("section", attributes.indexPath.section) }
            if fields.contains(.item) { writer.member("item", attributes.indexPath.item) }
            if fields.contains(.frame) {
                writer.key("frame")
                writer.value(attributes.frame, scale)
            }
            if fields.contains(.captionExtent) {
                writer.member("captionExtent", pixels: attributes.captionExtent, scale)
            }
            if fields.contains(.zIndex) { writer.member("zIndex", attributes.zIndex) }
            if attributes.isHidden, fields.contains(.hidden) {
                writer.key("hidden")
                writer.value(true)
            }
            // As displayed, unlike the width and height of an export: a client sizes its image by them.
            if fields.contains(.pixelWidth) { writer.member("pixelWidth", photo.pixelSize.width) }
            if fields.contains(.pixelHeight) { writer.member("pixelHeight", photo.pixelSize.height) }
            if fields.contains(.metrics) { writer.member("metrics", photo.metricsSource.name) }
            if fields.contains(.orientation) { writer.member("orientation", photo.orientation.rawValue) }
            writer.fields(of: photo, fields)
        }
    }

    /// Writes an element that is no photo.
    mutating func value(_ element: LayoutAttributes, _ scale: DisplayScale) {
        object { writer in
            writer.member("kind", element.elementKind.name)
            writer.member("section", element.indexPath.section)
            writer.member("item", element.indexPath.item)
            writer.member("index", element.index)
            writer.key("frame")
            writer.value(element.frame, scale)
            writer.member("zIndex", element.zIndex)
        }
    }

    mutating func value(_ rect: PixelRect, _ scale: DisplayScale) {
        object { writer in
            writer.member("x", pixels: rect.x, scale)
            writer.member("y", pixels: rect.y, scale)
            writer.member("width", pixels: rect.width, scale)
            writer.member("height", pixels: rect.height, scale)
        }
    }

    mutating func member(_ name: StaticString, pixels: Int64, _ scale: DisplayScale) {
        key(name)
        value(pixels: pixels, scale)
    }
}
