import PhotoStreamModel
import PhotoStreamStorage

/// The photos of a stream that a question is about: all, or those that meet a condition.
///
/// Archived photos are left out of every view whose condition does not mention them, by ``Condition/unarchived``. So are
/// those that were archived at an earlier revision: to layouts and changes, archiving is a deletion.
struct ViewCondition {
    /// The condition, with fixed days; `nil` for all photos.
    let condition: Condition?
    /// The condition without the one that leaves archived photos out, which comes and goes with them: marks of cursors are made
    /// from it, so that pages go on.
    let given: Condition?
    /// The condition that photos of earlier revisions met; it has the same photos now as ``condition``.
    private let earlier: Condition?
    /// The part of the condition that the question has asked, which answers show: not the rule of a kept view.
    let asked: Condition?
    /// Whether the values of a photo alone decide, and not the current day or the name of the stream.
    private let dependsOnPhotosOnly: Bool
    /// The revision at which the kept view got its rule; `nil` for a stream.
    private let ruleRevision: Int64?

    /// Checks a condition and fixes its days.
    ///
    /// - Parameters:
    ///   - asked: The condition of a question.
    ///   - photos: The photos that the question is about; `nil` for those of a stream.
    ///   - isInventory: Whether archived photos are among those of a stream if the question has no condition: exports and
    ///     counts are about all.
    /// - Throws: ``StreamServiceError/unansweredCondition(_:)`` for a condition on values that photos do not have.
    init(_ asked: Condition?, among photos: NamedPhotos? = nil, isInventory: Bool = false) throws {
        let known: Set<ConditionInputs.Context> = [.stream, .edits]
        for term in asked?.root.terms ?? [] where term.qualifier == .place || !term.inputs.context.isSubset(of: known) {
            throw StreamServiceError.unansweredCondition(term.canonicalText)
        }
        self.asked = asked?.root == .all ? nil : asked?.resolvedNow()
        let both = [photos?.rule, self.asked].compactMap(\.self)
        given = both.dropFirst().reduce(both.first) { $0?.and($1) }
        let includesArchived = given?.includesArchived ?? isInventory
        let unarchived = includesArchived ? given : given?.and(.unarchived) ?? .unarchived
        condition = photos?.hasArchived == true ? unarchived : given
        earlier = photos?.hadArchived == true ? unarchived : condition
        ruleRevision = photos?.row.kept?.ruleRevision
        dependsOnPhotosOnly =
            condition.map { !$0.isOfOneDay && !$0.inputs.context.contains(.stream) } ?? true
    }

    /// Whether it is known which photos met the condition at a revision: not if it had another rule then.
    func tellsChanges(since revision: Revision) -> Bool {
        dependsOnPhotosOnly && revision.rawValue > ruleRevision ?? -1
    }

    /// Whether all photos belong to it, at every revision that the log knows.
    var isWhole: Bool { condition == nil && earlier == nil }

    /// Whether a photo belongs to it: a present one, or one of an earlier revision.
    func contains(_ photo: Photo, of stream: StreamName) -> Bool {
        // The days of the condition are fixed, so any current day leads to the same answer.
        let today = CivilDate(daysSince1970: 0)
        return earlier?.matches(ConditionSubject(photo, in: stream, today: today)) ?? true
    }
}

extension Session {
    /// Returns the changes of photos as they look among those of a view.
    ///
    /// - Parameters:
    ///   - changes: The net changes of the stream between the revisions.
    ///   - view: The view, which depends on photos only.
    ///   - row: The stream.
    ///   - revision: The earlier revision.
    ///   - end: The later revision; `nil` for the current one.
    /// - Returns: The changes: insertions of photos that meet the condition only at the later revision, and deletions of those that
    ///   met it only at the earlier one.
    /// - Throws: The errors of reading.
    /// - Complexity: O(rows of the log after the earlier revision, of all streams), and two look-ups for each change.
    func changes(
        _ changes: [NetChange], among view: ViewCondition, of row: StreamRow, since revision: Revision,
        through end: Int64? = nil
    ) throws -> [NetChange] {
        guard !view.isWhole else { return changes }
        func meeting(_ ids: some Sequence<PhotoID>, at revision: Int64) throws -> Set<PhotoID> {
            var found: Set<PhotoID> = []
            try reader.forEachPhoto(Set(ids), streamID: row.id, at: revision) { id, photo in
                if view.contains(photo, of: row.name) { found.insert(id) }
            }
            return found
        }
        let past = try meeting(changes.lazy.filter { $0.past != nil }.map(\.id), at: revision.rawValue)
        let present = try meeting(changes.lazy.filter { $0.present != nil }.map(\.id), at: end ?? .max)
        return changes.compactMap { $0.among(met: past.contains($0.id), now: present.contains($0.id)) }
    }
}
