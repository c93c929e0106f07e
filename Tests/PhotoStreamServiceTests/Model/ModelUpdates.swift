import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport

/// The expected updates of a layout between two states of a stream, by the naive layouts of both.
struct ModelUpdates {
    /// The fate of a photo on the screen.
    private enum Kind {
        case appears, disappears, moves, isDrawnAgain
    }

    private struct Update: Equatable, CustomStringConvertible {
        let kind: Kind
        let old: PixelRect?
        let new: PixelRect?

        var description: String { "\(kind) \([old, new].map { $0.map { "\($0)" } ?? "nowhere" })" }
    }

    let old: NaiveLayout
    let new: NaiveLayout
    let oldIDs: [String]
    private let newIDs: [String]
    private let oldIndices: [String: Int]
    private let newIndices: [String: Int]
    private let written: Set<String>
    private let configuration: LayoutConfiguration

    /// Lays out both states.
    ///
    /// - Parameters:
    ///   - configuration: The layout.
    ///   - changes: The correct answer of `changes` about the two states.
    ///   - before: The former stream.
    ///   - after: The current stream.
    init(
        _ configuration: LayoutConfiguration, _ changes: [PhotoChange], from before: ModelStream,
        to after: ModelStream
    ) {
        self.configuration = configuration
        old = NaiveLayout(configuration, items: before.metrics(blankOf: Set(changes.map(\.id.rawValue))))
        new = NaiveLayout(configuration, items: after.metrics)
        (oldIDs, newIDs) = (before.photos.map(\.id), after.photos.map(\.id))
        oldIndices = Dictionary(uniqueKeysWithValues: oldIDs.enumerated().map { ($0.element, $0.offset) })
        newIndices = Dictionary(uniqueKeysWithValues: newIDs.enumerated().map { ($0.element, $0.offset) })
        written = Set(changes.lazy.filter(\.isUpdated).map(\.id.rawValue))
    }

    func oldFrame(of id: String) -> PixelRect? { oldIndices[id].flatMap { old.frames[$0] } }

    func newFrame(of id: String) -> PixelRect? { newIndices[id].flatMap { new.frames[$0] } }

    /// The mistake in an answer; `nil` if there is none.
    func mistake(in answer: UpdatesAnswer, _ rect: Rect) -> String? {
        let size = answer.context.contentSize
        guard answer.oldContentSize == old.contentSize, size == new.contentSize else {
            return "content \(answer.oldContentSize) then, \(size) now, not \(old.contentSize), \(new.contentSize)"
        }
        return boundsMistake(in: answer, rect) ?? itemMistake(in: answer) ?? elementMistake(in: answer)
    }

    /// The mistake in the bounds: the old ones equal the rectangle; the new ones are as large, elsewhere on the scroll axis.
    private func boundsMistake(in answer: UpdatesAnswer, _ rect: Rect) -> String? {
        let scale = configuration.displayScale
        let (x, y) = ((rect.x * scale).rounded(.down), (rect.y * scale).rounded(.down))
        let bounds = PixelRect(
            x: Int64(x), y: Int64(y), width: Int64(((rect.x + rect.width) * scale).rounded(.up) - x),
            height: Int64(((rect.y + rect.height) * scale).rounded(.up) - y))
        var moved = bounds
        if configuration.scrollDirection == .horizontal {
            moved.x = answer.contentOffset
        } else {
            moved.y = answer.contentOffset
        }
        guard answer.oldBounds == bounds, answer.newBounds == moved else {
            return "bounds \(answer.oldBounds), \(answer.newBounds), not \(bounds), \(moved)"
        }
        return nil
    }

    private func itemMistake(in answer: UpdatesAnswer) -> String? {
        let lists: [(Kind, [PhotoUpdate])] = [
            (.appears, answer.insertions), (.disappears, answer.deletions), (.moves, answer.moves),
            (.isDrawnAgain, answer.reloads),
        ]
        var found: [String: Update] = [:]
        for (kind, updates) in lists {
            for update in updates where (update.element.new ?? update.element.old)?.elementKind == .item {
                guard let id = update.photo?.rawValue, found[id] == nil else {
                    return "an update of \(update.photo?.rawValue ?? "no photo"), or a second one"
                }
                if let index = update.element.old?.index, oldIDs[index] != id { return "\(id) was not at \(index)" }
                if let index = update.element.new?.index, newIDs[index] != id { return "\(id) is not at \(index)" }
                found[id] = Update(kind: kind, old: update.element.old?.frame, new: update.element.new?.frame)
            }
        }
        let expected = expected(answer.oldBounds, answer.newBounds)
        guard found != expected else { return nil }
        let wrong = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }.min() ?? ""
        let texts = [found, expected].map { $0[wrong]?.description ?? "not named" }
        return "\(wrong): \(texts[0]), by the model \(texts[1])"
    }

    /// The expected updates of the photos that are visible before or after.
    private func expected(_ bounds: PixelRect, _ newBounds: PixelRect) -> [String: Update] {
        let seen = old.indices(meeting: bounds).map { oldIDs[$0] } + new.indices(meeting: newBounds).map { newIDs[$0] }
        var updates: [String: Update] = [:]
        for id in Set(seen) {
            let (before, after) = (oldFrame(of: id), newFrame(of: id))
            let kind: Kind? =
                if before == nil {
                    .appears
                } else if after == nil {
                    .disappears
                } else if written.contains(id) {
                    .isDrawnAgain
                } else {
                    look(oldIndices[id], old) == look(newIndices[id], new) ? nil : .moves
                }
            if let kind { updates[id] = Update(kind: kind, old: before, new: after) }
        }
        return updates
    }

    /// Frame and caption; that photos of a map lie above each other in stream order is not a property of one photo.
    private func look(_ index: Int?, _ layout: NaiveLayout) -> [Int64] {
        guard let index, let frame = layout.frames[index] else { return [] }
        return [frame.x, frame.y, frame.width, frame.height, layout.captionExtents[index]]
    }

    /// Headers, footers and backgrounds are at their former positions and at those of the naive layouts.
    private func elementMistake(in answer: UpdatesAnswer) -> String? {
        // The naive map has photos alone.
        if case .map = configuration.algorithm { return nil }
        let updates = [answer.insertions, answer.deletions, answer.moves, answer.reloads].joined().map(\.element)
        for (element, layout) in updates.map({ ($0.old, old) }) + updates.map({ ($0.new, new) }) {
            guard let element, element.elementKind != .item else { continue }
            let section = layout.sections[element.indexPath.section]
            let frame =
                switch element.elementKind {
                case .sectionHeader: section.header
                case .sectionFooter: section.footer
                case .sectionBackground: section.background
                default: PixelRect?.none
                }
            guard frame == element.frame else {
                return "\(element) is not at \(String(describing: frame))"
            }
        }
        return nil
    }
}

extension NaiveLayout {
    /// The items that meet a rectangle in pixels: every frame is looked at.
    func indices(meeting bounds: PixelRect) -> [Int] {
        frames.indices.filter { index in
            guard let frame = frames[index] else { return false }
            return frame.x < bounds.x + bounds.width && bounds.x < frame.x + frame.width
                && frame.y < bounds.y + bounds.height && bounds.y < frame.y + frame.height
        }
    }
}
