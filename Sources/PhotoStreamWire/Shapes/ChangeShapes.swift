import PhotoStreamLayout
import PhotoStreamModel
package import PhotoStreamService

extension ChangesAnswer: WireObject {
    package static let schemaName: String? = "ChangeList"

    package static func describe(_ members: inout some MemberList<ChangesAnswer>) {
        members.include { Head(answer: $0) }
        members.always("changes", sharedAs: .plain, about: "Each changed photo once, in stream order.") { $0.changes }
    }

    /// The members before the changes.
    fileprivate struct Head: WireObject {
        let answer: ChangesAnswer

        static func describe(_ members: inout some MemberList<Head>) {
            members.always("stream", sharedAs: .plain, about: "The stream's name.") { $0.answer.stream.rawValue }
            members.addCondition { $0.answer.condition }
            members.always("since", sharedAs: .plain, about: "The revision that was asked for.") {
                $0.answer.since.rawValue
            }
            members.always("sinceState", sharedAs: .plain, about: "The state that was asked for.") {
                $0.answer.since.state
            }
            members.always("revision", sharedAs: .plain, about: "The revision that the changes lead to.") {
                $0.answer.revision.rawValue
            }
            members.always("state", sharedAs: .plain, about: "The state to ask for next; opaque.") {
                $0.answer.revision.state
            }
            members.optional(
                "complete", sharedAs: .plain,
                about: "`false` of a page after which there are more changes; left out otherwise."
            ) { $0.answer.isComplete ? nil : false }
        }
    }
}

extension PhotoChange: WireObject {
    package static let schemaName: String? = "Change"

    package static func describe(_ members: inout some MemberList<PhotoChange>) {
        members.always(
            "change", sharedAs: .plain, about: "The kind of change.",
            as: .words(["inserted", "deleted", "updated", "moved"])
        ) { $0.kind.rawValue }
        members.always("id", sharedAs: .photoID, about: "The external id.") { $0.id.rawValue }
        members.optional(
            "updated", sharedAs: .plain, about: "Of a moved photo, whether its fields were written to as well."
        ) {
            $0.kind == .moved ? $0.isUpdated : nil
        }
        members.optional(
            "photo", sharedAs: .plain,
            about: "The photo as it is; left out of a deleted one, and of one that a later page deletes."
        ) {
            $0.photo
        }
    }
}

extension ReloadAnswer: WireObject {
    package static let schemaName: String? = "Reload"

    package static func describe(_ members: inout some MemberList<ReloadAnswer>) {
        members.always("stream", sharedAs: .plain, about: "The stream's name.") { $0.stream.rawValue }
        members.always("since", sharedAs: .plain, about: "The revision that was asked for.") { $0.since.rawValue }
        members.always("sinceState", sharedAs: .plain, about: "The state that was asked for.") { $0.since.state }
        members.always("revision", sharedAs: .plain, about: "The revision of the stream as it is.") {
            $0.revision.rawValue
        }
        members.always("state", sharedAs: .plain, about: stateSummary) { $0.revision.state }
        members.always("reload", sharedAs: .plain, about: "The reason for reading the stream again.") {
            Cause(answer: $0)
        }
    }

    private struct Cause: WireObject {
        let answer: ReloadAnswer

        static func describe(_ members: inout some MemberList<Cause>) {
            members.always(
                "reason", sharedAs: .plain,
                about: "`trimmed`, `ahead`, `other-stream`, `lost-history`, `too-many` or `clusters`."
            ) {
                $0.answer.reason.name
            }
            members.always("message", sharedAs: .plain, about: "One sentence.") { $0.answer.description }
        }
    }
}

extension ChangesOrReload: WireValue where Answer: WireObject {
    package static var schema: Schema { .anyOf([Answer.schema, ReloadAnswer.schema]) }

    package func write(to writer: inout JSONWriter, in context: WireContext) {
        switch self {
        case .changes(let answer): answer.write(to: &writer, in: context)
        case .reload(let reload): reload.write(to: &writer, in: context)
        }
    }
}

extension JSONWriter {
    /// Writes changes or updates, or the reason for reading the stream again.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - fields: The members that the objects of items have.
    package mutating func value<Answer: WireObject>(_ answer: ChangesOrReload<Answer>, fields: ItemFields = .all) {
        answer.write(to: &self, in: WireContext(displayScale: nil, fields: fields))
    }

    /// Writes changes as JSON Lines: the answer without them, then a line for each change; or the reason for reading
    /// the stream again.
    package mutating func lines(_ answer: ChangesOrReload<ChangesAnswer>) {
        switch answer {
        case .changes(let answer):
            value(ChangesAnswer.Head(answer: answer))
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
}

extension UpdatesAnswer: LayoutWireObject {
    package static let schemaName: String? = "UpdateList"

    package static func describe(_ members: inout some MemberList<UpdatesAnswer>) {
        members.include { $0.context }
        members.always("since", sharedAs: .plain, about: "The revision that was asked for.") { $0.since.rawValue }
        members.always("sinceState", sharedAs: .plain, about: "The state that was asked for.") { $0.since.state }
        members.always("oldContentSize", sharedAs: .plain, about: "The extent of the whole layout at that revision.") {
            $0.oldContentSize
        }
        members.always(
            "oldBounds", sharedAs: .plain, about: "The rectangle that was asked for, in the content as it was."
        ) {
            $0.oldBounds
        }
        members.always("newBounds", sharedAs: .plain, about: "The rectangle at its new place.") { $0.newBounds }
        members.always(
            "contentOffset", sharedAs: .plain, about: "Along the scroll axis, where the rectangle begins now."
        ) {
            Points(pixels: $0.contentOffset)
        }
        members.optional("anchor", sharedAs: .photoID, about: "The photo that stands still on the screen.") {
            $0.anchor?.rawValue
        }
        members.always("insertions", sharedAs: .plain, about: "Elements that were not there before.") { $0.insertions }
        members.always("deletions", sharedAs: .plain, about: "Elements that are not there any more.") { $0.deletions }
        members.always("moves", sharedAs: .plain, about: "Elements that stand elsewhere in the content.") { $0.moves }
        members.always(
            "reloads", sharedAs: .plain, about: "Elements to draw again: of photos whose fields were written to."
        ) {
            $0.reloads
        }
    }
}

extension PhotoUpdate: WireObject {
    package static let schemaName: String? = "Update"

    package static func describe(_ members: inout some MemberList<PhotoUpdate>) {
        members.optional("kind", sharedAs: .plain, about: "The kind of element.") {
            ($0.element.new ?? $0.element.old)?.elementKind.name
        }
        members.optional("photo", sharedAs: .photoID, about: "The photo that it is, or that a badge is on.") {
            $0.photo?.rawValue
        }
        members.optional("old", sharedAs: .plain, about: "Its old place.") { $0.element.old.map(UpdateAttributes.init) }
        members.optional("new", sharedAs: .plain, about: "Its new place.") { $0.element.new.map(UpdateAttributes.init) }
        members.optional("initial", sharedAs: .plain, about: "The attributes with which its view appears.") {
            $0.element.initial.map(UpdateAttributes.init)
        }
        members.optional("final", sharedAs: .plain, about: "The attributes with which its view disappears.") {
            $0.element.final.map(UpdateAttributes.init)
        }
        members.optional(
            "item", sharedAs: .plain,
            about: "Of an insertion or a reload, the photo with its `fields`, if they were asked for."
        ) { $0.item }
    }
}

/// The attributes of an element before or after a change.
package struct UpdateAttributes: WireObject {
    let attributes: LayoutAttributes

    package static let schemaName: String? = "UpdateAttributes"

    package static func describe(_ members: inout some MemberList<UpdateAttributes>) {
        members.always("index", sharedAs: .plain, about: "The position in stream order.") { $0.attributes.index }
        members.always("section", sharedAs: .plain, about: "The section of the index path.") {
            $0.attributes.indexPath.section
        }
        members.always("item", sharedAs: .plain, about: "The item of the index path.") { $0.attributes.indexPath.item }
        members.always("frame", sharedAs: .plain, about: "The frame.") { $0.attributes.frame }
        members.optional(
            "captionExtent", sharedAs: .plain, about: "Of a photo, the part of the frame that is the caption's."
        ) {
            $0.attributes.elementKind == .item ? Points(pixels: $0.attributes.captionExtent) : nil
        }
        members.always("zIndex", sharedAs: .plain, about: "The order of overlapping elements: a greater one is above.")
        {
            $0.attributes.zIndex
        }
        members.always("alpha", sharedAs: .plain, about: "The opacity, 0 to 1.") { $0.attributes.alpha }
    }
}
