import PhotoStreamLayout
import PhotoStreamModel

extension JSONWriter {
    /// Writes a layout as a whole.
    public mutating func value(_ answer: LayoutAnswer) {
        object { writer in
            writer.members(of: answer.context)
            writer.member("count", answer.count)
            writer.member("sectionCount", answer.sectionCount)
            if let world = answer.context.layoutKey.worldFrame {
                writer.key("world")
                writer.value(world, answer.context.layoutKey.displayScale)
            }
            writer.key("sections")
            writer.array(answer.sections) { writer, section in
                writer.object { writer in
                    writer.member("section", section.section)
                    writer.member("id", section.id)
                    writer.member("firstIndex", section.firstIndex)
                    writer.member("count", section.count)
                    writer.key("frame")
                    writer.value(section.frame, answer.context.layoutKey.displayScale)
                }
            }
            writer.key("nextSection")
            if let next = answer.nextSection { writer.value(next) } else { writer.null() }
        }
    }

    /// Writes a page.
    public mutating func value(_ answer: PageAnswer) {
        object { writer in
            let context = answer.context
            writer.members(
                context.stream, context.revision, context.layoutKey, contentSize: context.contentSize)
            writer.member("chainRevision", answer.chainRevision.rawValue)
            writer.key("inPlace")
            writer.value(answer.isInPlace)
            writer.items(answer.items, answer.context.layoutKey)
            writer.end(nextCursor: answer.nextCursor, isTruncated: answer.isTruncated)
        }
    }

    /// Writes what meets a rectangle.
    public mutating func value(_ answer: RectAnswer) {
        object { writer in
            writer.members(of: answer.context)
            writer.items(answer.items, answer.context.layoutKey)
            writer.key("elements")
            writer.array(answer.elements) { $0.value($1, answer.context.layoutKey.displayScale) }
            writer.end(nextCursor: answer.nextCursor, isTruncated: answer.isTruncated)
        }
    }

    /// Writes one photo of a layout.
    public mutating func value(_ answer: ItemAnswer) {
        object { writer in
            writer.members(of: answer.context)
            writer.key("item")
            writer.value(answer.item, answer.context.layoutKey.displayScale)
        }
    }

    /// Writes what is at a point.
    public mutating func value(_ answer: PointAnswer) {
        let scale = answer.context.layoutKey.displayScale
        object { writer in
            writer.members(of: answer.context)
            writer.key("item")
            if let item = answer.item { writer.value(item, scale) } else { writer.null() }
            writer.key("insertion")
            writer.object { writer in
                writer.member("section", answer.insertion.indexPath.section)
                writer.member("item", answer.insertion.indexPath.item)
                writer.member("index", answer.insertion.index)
                writer.member("before", answer.insertion.next?.rawValue)
                writer.member("after", answer.insertion.previous?.rawValue)
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

    private mutating func items(_ items: [PlacedPhoto], _ layoutKey: LayoutKey) {
        key("items")
        array(items) { $0.value($1, layoutKey.displayScale) }
    }

    private mutating func end(nextCursor: String?, isTruncated: Bool) {
        key("nextCursor")
        if let nextCursor { value(nextCursor) } else { null() }
        key("truncated")
        value(isTruncated)
    }

    /// Writes a placed photo: the one item object that every answer uses.
    private mutating func value(_ item: PlacedPhoto, _ scale: DisplayScale) {
        let (attributes, photo) = (item.attributes, item.photo)
        object { writer in
            writer.member("index", attributes.index)
            writer.member("photo", photo.id.rawValue)
            writer.member("kind", attributes.elementKind.name)
            writer.member("section", attributes.indexPath.section)
            writer.member("item", attributes.indexPath.item)
            writer.key("frame")
            writer.value(attributes.frame, scale)
            writer.member("captionExtent", pixels: attributes.captionExtent, scale)
            writer.member("zIndex", attributes.zIndex)
            if attributes.isHidden {
                writer.key("hidden")
                writer.value(true)
            }
            // As displayed, unlike the width and height of an export: a client sizes its image by them.
            writer.member("pixelWidth", photo.pixelSize.width)
            writer.member("pixelHeight", photo.pixelSize.height)
            writer.member("metrics", photo.metricsSource.name)
            writer.member("orientation", photo.orientation.rawValue)
            writer.fields(of: photo)
        }
    }

    /// Writes an element that is no photo.
    private mutating func value(_ element: LayoutAttributes, _ scale: DisplayScale) {
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
