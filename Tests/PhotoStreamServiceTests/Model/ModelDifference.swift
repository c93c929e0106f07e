import PhotoStreamModel
import PhotoStreamService

/// The stream at a revision.
struct ModelMoment {
    let stream: ModelStream
    let revision: Revision
}

/// The changes of photos between two states of a stream, by id.
///
/// For a photo that is in both, `changes` names the fields that were written, not those that differ: a statement in the
/// shell that writes the same values is a write, as is one that was undone since. The model counts writes, so this is
/// exact.
struct ModelDifference {
    let inserted: Set<String>
    let deleted: Set<String>
    /// Those that were written to, or were deleted and came again.
    let updated: Set<String>
    /// Those whose place is another for sure.
    let moved: Set<String>
    /// Those whose place may have changed: only ranks could show it, which the model does not have.
    let perhapsMoved: Set<String>

    init(from before: ModelStream, to after: ModelStream) {
        let (old, new) = (before.entriesByID, after.entriesByID)
        inserted = Set(new.keys).subtracting(old.keys)
        deleted = Set(old.keys).subtracting(new.keys)
        let both = Set(new.keys).intersection(old.keys)
        updated = both.filter { before.writeCounts[$0] != after.writeCounts[$0] }
        moved = both.filter { id in
            old[id].flatMap { old in new[id].map { Self.isElsewhere(old, $0) } } == true
        }
        perhapsMoved = both.filter { id in
            old[id].flatMap { old in new[id].map { old.place != $0.place || old.spreadCount != $0.spreadCount } }
                == true
        }
    }

    /// Those that are named in any case.
    var named: Set<String> { inserted.union(deleted).union(updated).union(moved) }

    /// The most that may be named.
    var greatestCount: Int { named.union(perhapsMoved).count }

    /// Whether two places differ regardless of their ranks: no moved photo gets a rank that is a photo's own.
    private static func isElsewhere(_ old: ModelStream.Entry, _ new: ModelStream.Entry) -> Bool {
        if old.orderTime != new.orderTime { return true }
        return old.spreadCount == new.spreadCount && (old.place < 0) != (new.place < 0)
    }

    /// The mistake in an answer about the same two states; `nil` if there is none.
    func mistake(in changes: [PhotoChange]) -> String? {
        let ids = Set(changes.map(\.id.rawValue))
        guard ids.count == changes.count else { return "a photo is named twice" }
        if let id = named.subtracting(ids).min() { return "\(id) is not named, \(text(id))" }
        return changes.lazy.compactMap(mistake(in:)).first
    }

    private func mistake(in change: PhotoChange) -> String? {
        let id = change.id.rawValue
        let isRight =
            switch change.kind {
            case .inserted: inserted.contains(id) && !change.isUpdated
            case .deleted: deleted.contains(id) && !change.isUpdated
            case .updated: updated.contains(id) && !moved.contains(id) && change.isUpdated
            case .moved:
                moved.union(perhapsMoved).contains(id) && change.isUpdated == updated.contains(id)
            }
        return isRight ? nil : "\(id) is \(change.kind), updated \(change.isUpdated), \(text(id))"
    }

    private func text(_ id: String) -> String {
        let names = [
            ("inserted", inserted), ("deleted", deleted), ("updated", updated), ("moved", moved),
            ("perhaps moved", perhapsMoved),
        ].filter { $0.1.contains(id) }.map(\.0)
        return "by the model \(names.isEmpty ? "as it was" : names.joined(separator: ", "))"
    }
}
