import PhotoStreamLayout

extension JSONWriter {
    /// Writes consecutive photos of a layout.
    public mutating func value(_ answer: ItemsAnswer, fields: ItemFields = .all) {
        object { writer in
            writer.members(of: answer.context)
            writer.member("count", answer.count)
            writer.items(answer.items, answer.context.layoutKey, fields)
        }
    }

    /// Writes elements of one kind.
    public mutating func value(_ answer: ElementsAnswer) {
        object { writer in
            writer.members(of: answer.context)
            writer.key("elements")
            writer.array(answer.elements) { $0.value($1, answer.context.layoutKey.displayScale) }
            writer.key("next")
            if let next = answer.next { writer.value(next) } else { writer.null() }
        }
    }

    /// Writes where scrolling comes to rest.
    public mutating func value(_ answer: TargetAnswer) {
        let scale = answer.context.layoutKey.displayScale
        object { writer in
            writer.members(of: answer.context)
            writer.key("contentOffset")
            writer.object { writer in
                writer.member("x", pixels: answer.contentOffset.x, scale)
                writer.member("y", pixels: answer.contentOffset.y, scale)
            }
        }
    }
}
