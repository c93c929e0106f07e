import PhotoStreamLayout
import PhotoStreamModel

extension JSONWriter {
    /// Writes what became of photos, or that it cannot be told.
    public mutating func value(_ answer: ChangesOrReload<ChangesAnswer>) {
        switch answer {
        case .changes(let answer): value(answer)
        case .reload(let reload): value(reload)
        }
    }

    /// Writes what becomes of elements, or that it cannot be told.
    public mutating func value(_ answer: ChangesOrReload<UpdatesAnswer>) {
        switch answer {
        case .changes(let answer): value(answer)
        case .reload(let reload): value(reload)
        }
    }

    private mutating func value(_ answer: ChangesAnswer) {
        object { writer in
            writer.members(of: answer)
            writer.key("changes")
            writer.array(answer.changes) { $0.value($1) }
        }
    }

    /// Writes what became of photos as JSON Lines: what was asked, then a line for each change; or that it cannot be told.
    public mutating func lines(_ answer: ChangesOrReload<ChangesAnswer>) {
        switch answer {
        case .changes(let answer):
            object { $0.members(of: answer) }
            endLine()
            for change in answer.changes {
                value(change)
                endLine()
            }
        case .reload(let reload):
            value(reload)
            endLine()
        }
    }

    private mutating func members(of answer: ChangesAnswer) {
        member("stream", answer.stream.rawValue)
        member("since", answer.since.rawValue)
        member("revision", answer.revision.rawValue)
    }

    private mutating func value(_ change: PhotoChange) {
        object { writer in
            writer.member("change", change.kind.rawValue)
            writer.member("id", change.id.rawValue)
            if change.kind == .moved {
                writer.key("updated")
                writer.value(change.isUpdated)
            }
            guard let photo = change.photo else { return }
            writer.key("photo")
            writer.value(photo)
        }
    }

    private mutating func value(_ answer: ReloadAnswer) {
        object { writer in
            writer.member("stream", answer.stream.rawValue)
            writer.member("since", answer.since.rawValue)
            writer.member("revision", answer.revision.rawValue)
            writer.key("reload")
            writer.object { writer in
                writer.member("reason", answer.reason.name)
                writer.member("message", answer.description)
            }
        }
    }

    private mutating func value(_ answer: UpdatesAnswer) {
        let scale = answer.context.layoutKey.displayScale
        object { writer in
            writer.members(of: answer.context)
            writer.member("since", answer.since.rawValue)
            writer.key("oldContentSize")
            writer.object { writer in
                writer.member("width", pixels: answer.oldContentSize.width, scale)
                writer.member("height", pixels: answer.oldContentSize.height, scale)
            }
            writer.key("oldBounds")
            writer.value(answer.oldBounds, scale)
            writer.key("newBounds")
            writer.value(answer.newBounds, scale)
            writer.member("contentOffset", pixels: answer.contentOffset, scale)
            writer.member("anchor", ifPresent: answer.anchor?.rawValue)
            for (name, updates) in answer.named {
                writer.key(name)
                writer.array(updates) { $0.value($1, scale) }
            }
        }
    }

    private mutating func value(_ update: PhotoUpdate, _ scale: DisplayScale) {
        let element = update.element
        object { writer in
            writer.member("kind", ifPresent: (element.new ?? element.old)?.elementKind.name)
            writer.member("photo", ifPresent: update.photo?.rawValue)
            writer.member("old", element.old, scale)
            writer.member("new", element.new, scale)
            writer.member("initial", element.initial, scale)
            writer.member("final", element.final, scale)
        }
    }

    private mutating func member(_ name: StaticString, _ attributes: LayoutAttributes?, _ scale: DisplayScale) {
        guard let attributes else { return }
        key(name)
        object { writer in
            writer.member("index", attributes.index)
            writer.member("section", attributes.indexPath.section)
            writer.member("item", attributes.indexPath.item)
            writer.key("frame")
            writer.value(attributes.frame, scale)
            if attributes.elementKind == .item {
                writer.member("captionExtent", pixels: attributes.captionExtent, scale)
            }
            writer.member("zIndex", attributes.zIndex)
            writer.key("alpha")
            writer.value(attributes.alpha)
        }
    }
}

extension UpdatesAnswer {
    fileprivate var named: [(StaticString, [PhotoUpdate])] {
        [("insertions", insertions), ("deletions", deletions), ("moves", moves), ("reloads", reloads)]
    }
}
