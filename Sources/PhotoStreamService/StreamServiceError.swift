public import PhotoStreamLayout
public import PhotoStreamModel

/// A reason for which a query or a change fails, in one sentence that names the offending value.
public enum StreamServiceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// No stream has that name.
    case unknownStream(String)
    /// The stream has no photo with that id.
    case unknownPhoto(String, stream: String)
    /// A photo to restore was not deleted in the last 30 days.
    case notDeleted(String, stream: String)
    /// A photo should be restored, but the stream has another one with that id.
    case photoExists(String, stream: String)
    /// An importer would write a photo that a person deleted.
    case photoDeleted(String, stream: String)
    /// A photo would become its own neighbour, or is named twice.
    case repeatedPhoto(String)
    /// A photo that is hidden in a stack would be moved, or another one next to it.
    case hiddenPhoto(String)
    /// A photo is in no stack.
    case notInStack(String)
    /// A move in a stream in manual order cannot be undone, because only moves give photos their places there.
    case manualOrder(String)
    /// An index is outside the stream.
    case indexOutOfRange(index: Int, count: Int)
    /// The first position of the requested photos is neither in the stream nor its end.
    case startOutOfRange(Int, count: Int)
    /// A section is outside the layout.
    case sectionOutOfRange(Int, count: Int)
    /// Elements of a kind that belongs to items are requested without a section.
    case missingSection(String)
    /// A limit is outside its range.
    case invalidLimit(Int, maximum: Int)
    /// A number of ids is outside its range.
    case invalidIDCount(Int, maximum: Int)
    /// A number of bytes for stored layouts is negative.
    case invalidBudget(Int64)
    /// A revision is negative.
    case invalidRevision(Int64)
    /// A text is not the state of an answer.
    case invalidState(String)
    /// A count of scrubber steps is outside its range.
    case invalidSteps(Int, maximum: Int)
    /// A rectangle meets more photos than an answer may hold, before or after the changes. Counting stops at ten times the
    /// maximum.
    case crowdedRect(Rect, count: Int, maximum: Int)
    /// The checkpoints of a layout take more bytes than all layouts may.
    case budgetTooSmall(needed: Int64, budget: Int64)
    /// A text is not a cursor of this file, or belongs to another query.
    case invalidCursor(String)
    /// A cursor was made by another version of the layout engine.
    case outdatedCursor
    /// A custom layout is requested. Its key cannot be converted back to a layout, so nothing of it can be stored.
    case customLayout(String)
    /// The photos of a cluster are requested of a layout, named here, without clusters.
    case noClusters(String)
    /// A condition is on a value, named here, that photos do not have.
    case unansweredCondition(String)
    /// The photo with an id does not meet the condition of a view.
    case notInView(String)
    /// The photos of an import have an order other than the stream's.
    case otherOrder(String, order: StreamOrder)
    /// A kept view cannot do this: only a stream can.
    case keptView(String)
    /// A rule or a description is given to a stream, which has none.
    case notKeptView(String)
    /// The photo that is to stand for a kept view is a hidden member of a stack.
    case hiddenCover(String)
    /// The rule of a kept view would be met by every photo.
    case emptyRule
    /// The rule of a kept view reads the name of the stream, which is the same for all its photos.
    case ruleAboutStream(String)
    /// The description of a kept view is too long.
    case longDescription(byteCount: Int, maximum: Int)
    /// A file has as many kept views as it may have.
    case tooManyViews(maximum: Int)
    /// No photo of a stream is in an album.
    case unknownAlbum(String, stream: String)
    /// An album is to be removed, but the rules of kept views name it.
    case albumInUse(String, views: [String])
    /// A stream is to be deleted, but kept views show photos of it.
    case streamInUse(String, views: [String])
    /// Deleting a stream with photos in it was not confirmed.
    case streamNotEmpty(String, count: Int)

    /// One sentence that names the offending value.
    public var description: String {
        switch self {
        case .unknownStream(let name): "there is no stream \"\(name)\""
        case .unknownPhoto(let id, let stream): "stream \"\(stream)\" has no photo \"\(id)\""
        case .notDeleted(let id, let stream):
            "photo \"\(id)\" of stream \"\(stream)\" was not deleted in the last 30 days"
        case .photoExists(let id, let stream):
            "stream \"\(stream)\" has another photo \"\(id)\" by now, which would be replaced"
        case .photoDeleted(let id, let stream):
            "photo \"\(id)\" of stream \"\(stream)\" was deleted by a person; restore it first"
        case .otherOrder(let name, let order):
            "stream \"\(name)\" is \(order.words), which was chosen when it was created; `photostream streams copy` "
                + "makes another stream of its photos"
        case .repeatedPhoto(let id): "photo \"\(id)\" cannot be moved next to itself, nor be named twice"
        case .hiddenPhoto(let id): "photo \"\(id)\" is hidden in a stack; move the cover of the stack"
        case .notInStack(let id): "photo \"\(id)\" is in no stack"
        case .manualOrder(let name):
            "stream \"\(name)\" is in manual order, where moves alone give photos their places; move the photo instead"
        case .indexOutOfRange(let index, 0): "index \(index) is outside the stream, which is empty"
        case .indexOutOfRange(let index, let count):
            "index \(index) is outside the stream, whose indices are 0 to \(count - 1)"
        case .startOutOfRange(let first, let count):
            "the first position is \(first), but must be 0 to \(count), which is the stream's end"
        case .sectionOutOfRange(let section, let count):
            "section \(section) is outside the layout, which has \(count)"
        case .missingSection(let kind): "elements of kind \(kind) are many to a section, so the section is missing"
        case .invalidLimit(let limit, let maximum): "limit is \(limit), but must be 1 to \(maximum)"
        case .invalidIDCount(let count, let maximum): "\(count) ids are asked for, but must be 1 to \(maximum)"
        case .invalidBudget(let byteCount): "the budget is \(byteCount) bytes, but must be 0 or more"
        case .invalidRevision(let revision): "revision is \(revision), but must not be negative"
        case .invalidState(let text): "\"\(text)\" is not the state of an answer, such as 8095.k3f9, or 0"
        case .invalidSteps(let steps, let maximum): "steps is \(steps), but must be 1 to \(maximum)"
        case .crowdedRect(let rect, let count, let maximum):
            "the rectangle \(rect.text) meets \(count) photos\(count < 10 * maximum ? "" : " or more"), over \(maximum); ask for less, such as what is on the screen"
        case .budgetTooSmall(let needed, let budget):
            "the layout takes \(needed) bytes, but all together may take \(budget); `photostream cache budget` allows more"
        case .invalidCursor(let reason): "the cursor is refused: \(reason)"
        case .outdatedCursor:
            "the cursor is outdated: it was made by another version of the layout engine; start again without it"
        case .customLayout(let name):
            "the layout \"\(name)\" is a custom layout, which only CollectionLayout can lay out"
        case .unansweredCondition(let term): "no photo has the value of \"\(term)\""
        case .notInView(let photo): "photo \"\(photo)\" does not meet the condition"
        case .noClusters(let name):
            "a \(name) layout has no clusters; they need the algorithm map with the option cluster"
        case .keptView(let name):
            "\"\(name)\" is a kept view, which has no photos of its own; do this with the stream that it shows"
        case .notKeptView(let name):
            "\"\(name)\" is a stream; only a kept view has a rule, a description and a cover"
        case .hiddenCover(let id): "photo \"\(id)\" is hidden in a stack or archived; choose one that the view shows"
        case .ruleAboutStream(let term):
            "\(term) is the same for all photos of a kept view, which shows those of one stream"
        case .emptyRule: "the rule is met by every photo; a kept view needs a condition, such as rating:>=4"
        case .longDescription(let byteCount, let maximum):
            "the description has \(byteCount) bytes, but at most \(maximum) are allowed"
        case .tooManyViews(let maximum): "the file has \(maximum) kept views, which is the maximum; delete one first"
        case .streamInUse(let name, let views):
            "stream \"\(name)\" is shown by the kept view \(Self.named(views)); delete "
                + (views.count > 1 ? "these first" : "it first")
        case .albumInUse(let path, let views):
            "the album \"\(path)\" is in the rule of the kept view \(Self.named(views)); change "
                + (views.count > 1 ? "these first" : "it first")
        case .unknownAlbum(let path, let stream): "no photo of stream \"\(stream)\" is in the album \"\(path)\""
        case .streamNotEmpty(let name, let count): "stream \"\(name)\" holds \(count) photos"
        }
    }

    /// The first of some names, and the number of the others.
    private static func named(_ names: [String]) -> String {
        "\"\(names.first ?? "")\"" + (names.count > 1 ? " and \(names.count - 1) more" : "")
    }
}

extension Rect {
    /// The rectangle in the form of the option: `X,Y,WIDTH,HEIGHT`, whole numbers without a point.
    fileprivate var text: String {
        [x, y, width, height].map { Int64(exactly: $0).map(String.init) ?? "\($0)" }.joined(separator: ",")
    }
}
