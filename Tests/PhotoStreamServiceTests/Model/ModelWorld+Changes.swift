import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport

// The changes since a revision, and their visible part.
extension ModelWorld {
    /// The number of moments that are remembered in addition to the last.
    private static let momentCount = 10

    /// Remembers the state of the stream.
    func remember() throws {
        if moments.count > Self.momentCount {
            // Some stay for long.
            moments.remove(at: random.int(in: 0...moments.count - 1))
        }
        moments.append(
            ModelMoment(stream: stream, revision: try anyone().read { try $0.stream(Gallery.stream) }.revision))
    }

    /// Checks the changes since the last step, and since an earlier one, or since the beginning.
    func checkChanges() throws {
        guard let last = moments.last else { return }
        let now = try anyone().read { try $0.stream(Gallery.stream) }
        try expect(now.count == stream.photos.count, "\(now.count) photos, not \(stream.photos.count)")
        try expect(now.revision >= last.revision, "the revision fell from \(last.revision) to \(now.revision)")
        if try self.changes(since: last) != nil { count("changes") }
        let other =
            random.oneIn(8)
            ? ModelMoment(stream: ModelStream(order: stream.order), revision: Revision(0)) : random.element(of: moments)
        if try self.changes(since: other) != nil { count("changes from long ago") }
    }

    /// The changes since a moment, compared with those of the model; `nil` if they are rightly unavailable.
    private func changes(since moment: ModelMoment) throws -> [PhotoChange]? {
        let service = anyone()
        let difference = ModelDifference(from: moment.stream, to: stream)
        do {
            let answer = try service.read { try $0.changes(of: Gallery.stream, since: moment.revision) }
            guard let answer: ChangesAnswer = try told(answer, difference) else { return nil }
            let now = try anyone().read { try $0.stream(Gallery.stream) }.revision
            try expect(
                answer.since == moment.revision && answer.revision == now,
                "\(answer.since) to \(answer.revision), not \(moment.revision) to \(now)")
            if let wrong = difference.mistake(in: answer.changes) { throw Mismatch(description: wrong) }
            try checkPhotos(of: answer.changes)
            try checkOrder(of: answer.changes, since: moment.stream)
            return answer.changes
        } catch let mismatch as Mismatch {
            let holder = holders.firstIndex { $0.service === service } ?? -1
            throw Mismatch(description: "changes since \(moment.revision), holder \(holder): \(mismatch)")
        }
    }

    /// The changes in an answer; `nil` if there are too many, or the log is too short.
    private func told<Answer>(_ answer: ChangesOrReload<Answer>, _ difference: ModelDifference) throws -> Answer? {
        switch answer {
        case .changes(let told):
            try expect(
                difference.named.count <= PhotoStreamService.maximumChangeCount, "\(difference.named.count) are named")
            return told
        case .reload(let reload):
            switch reload.reason {
            case .tooMany(let maximum):
                try expect(
                    difference.greatestCount > maximum,
                    "more than \(maximum) changes are too many, \(difference.greatestCount) by the model")
            case .trimmed:
                let last = Int64(try gallery.shellOutput("SELECT max(revision) FROM change").dropLast()) ?? 0
                try expect(
                    last - reload.since.rawValue >= gallery.log.keptRowCount, "the log is trimmed at \(last)")
                count("too old")
            case .ahead, .otherStream, .lost, .clusters, .condition: throw Mismatch(description: "\(reload)")
            }
            count("reloads")
            return nil
        }
    }

    private func checkPhotos(of changes: [PhotoChange]) throws {
        let entries = stream.entriesByID
        for change in changes {
            guard let photo = change.photo else {
                try expect(change.kind == .deleted, "\(change.id) is \(change.kind) without a photo")
                continue
            }
            guard let model = entries[change.id.rawValue]?.photo, model.id == photo.id.rawValue else {
                throw Mismatch(description: "\(change.id) comes with photo \(photo.id)")
            }
            if let wrong = model.difference(from: photo) { throw Mismatch(description: wrong) }
        }
    }

    /// Checks that the changes, in stream order, turn the old list into the current one.
    private func checkOrder(of changes: [PhotoChange], since before: ModelStream) throws {
        let kinds = Dictionary(uniqueKeysWithValues: changes.map { ($0.id.rawValue, $0.kind) })
        func isKept(_ id: String) -> Bool { kinds[id] == nil || kinds[id] == .updated }
        let (old, new) = (before.photos.map(\.id), stream.photos.map(\.id))
        if let wrong = difference(old.filter(isKept), new.filter(isKept)) {
            throw Mismatch(description: "what is said to stay: \(wrong)")
        }
        for (list, isDeleted) in [(old, true), (new, false)] {
            let found = changes.filter { ($0.kind == .deleted) == isDeleted }.map(\.id.rawValue)
            let expected = list.filter { id in kinds[id].map { ($0 == .deleted) == isDeleted } ?? false }
            if let wrong = difference(found, expected) {
                throw Mismatch(description: "the order of what is \(isDeleted ? "gone" : "there"): \(wrong)")
            }
        }
        let entries = [before.entriesByID, stream.entriesByID]
        let order = changes.map { entries[$0.kind == .deleted ? 0 : 1][$0.id.rawValue]?.orderTime ?? 0 }
        try expect(order == order.sorted(by: >), "what is gone is not where it stood")
    }

    /// Checks the updates of one layout from an earlier step to now.
    func checkUpdates() throws {
        let (moment, layout) = (random.element(of: moments), random.element(of: layouts))
        guard let changes = try self.changes(since: moment) else { return }
        let service = anyone()
        let expected = ModelUpdates(layout.configuration, changes, from: moment.stream, to: stream)
        let rect = rect(in: expected.old.contentSize, scale: layout.configuration.displayScale)
        do {
            let answer = try service.read {
                try $0.layout(layout.key, of: Gallery.stream).updates(since: moment.revision, in: rect)
            }
            guard
                let answer = try told(answer, ModelDifference(from: moment.stream, to: stream))
            else { return }
            if let wrong = expected.mistake(in: answer, rect) { throw Mismatch(description: wrong) }
            try checkAnchor(answer, expected, changes, layout)
            let updates = [answer.insertions, answer.deletions, answer.moves, answer.reloads].joined()
            if !updates.isEmpty { count("updates") }
            count("update answers")
        } catch StreamServiceError.crowdedRect(let crowded, let count, let maximum) {
            try expect(
                crowded == rect && count > maximum && max(stream.photos.count, expected.old.frames.count) >= count,
                "\(rect) is said to be crowded")
        } catch let mismatch as Mismatch {
            let holder = holders.firstIndex { $0.service === service } ?? -1
            throw Mismatch(
                description:
                    "updates of \(layout.key) since \(moment.revision) in \(rect), holder \(holder): \(mismatch)")
        }
    }

    /// Checks the photo that does not move: the first that was visible and was not moved, otherwise the first that
    /// still exists; it does not move as far as the content allows.
    private func checkAnchor(
        _ answer: UpdatesAnswer, _ expected: ModelUpdates, _ changes: [PhotoChange], _ layout: Layout
    ) throws {
        let kinds = Dictionary(uniqueKeysWithValues: changes.map { ($0.id.rawValue, $0.kind) })
        let visible = expected.old.indices(meeting: answer.oldBounds).map { expected.oldIDs[$0] }
        let there = visible.filter { kinds[$0] != .deleted }
        let anchor = there.first { kinds[$0] != .moved } ?? there.first
        try expect(
            answer.anchor?.rawValue == anchor,
            "\(String(describing: answer.anchor)) stands still, not \(anchor ?? "nothing")")
        guard let anchor, let before = expected.oldFrame(of: anchor), let after = expected.newFrame(of: anchor),
            before.width == after.width, before.height == after.height
        else { return }
        let isHorizontal = layout.configuration.scrollDirection == .horizontal
        let size = expected.new.contentSize
        let (extent, viewport) =
            isHorizontal ? (size.width, answer.oldBounds.width) : (size.height, answer.oldBounds.height)
        let wanted =
            isHorizontal ? after.x - before.x + answer.oldBounds.x : after.y - before.y + answer.oldBounds.y
        guard (0...max(0, extent - viewport)).contains(wanted) else { return }
        try expect(answer.contentOffset == wanted, "the content is at \(answer.contentOffset), not at \(wanted)")
        count("anchors")
    }
}
