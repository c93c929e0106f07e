import PhotoStreamModel

/// A stream by the rules of its order: a plain array, without ranks and without reading anything back from the file.
///
/// Photos are ordered by falling order time; among equal ones that were never moved, the first one added is first; a
/// moved one is next to the photo that it was moved to. If the rules do not determine the order of a moved photo and
/// another one, because only their ranks could, an arbiter decides, and only that.
struct ModelStream {
    /// A photo, or a place of a chain, in the order.
    struct Entry {
        /// The photo; `nil` for the place where a page of a chain has ended.
        var photo: ModelPhoto?
        /// The number of the chain whose place it is.
        var chain: Int?
        var orderTime: Int64
        /// Rows that came later have greater numbers; a place is just after the photo that it was taken from.
        var number: Int
        /// Whether it is at the place that it was moved to, not at that of its number.
        var isMoved = false
        /// Its model of a rank: its number, or a negative number of its own for each move.
        var place: Int
        /// The number of times that its rank may have been spread.
        var spreadCount = 0
    }

    /// Returns the ids of photos in the file's order, and those at places that they were moved to, or spread to.
    typealias Arbiter = () throws -> (order: [String], moved: Set<String>)

    /// The order of the stream.
    let order: StreamOrder
    private(set) var entries: [Entry] = []
    private var lastNumber = 0
    private var lastMove = 0
    private var moveCounts: [Int64: Int] = [:]
    /// The photos that were deleted and that no import brings back.
    private var deleted: Set<String> = []
    /// The number of writes to the fields of each photo, including deleted ones.
    private(set) var writeCounts: [String: Int] = [:]

    init(order: StreamOrder) {
        self.order = order
    }

    /// The number of moves to one order time that halve a gap without a rank being spread: there are 2^20 ranks in it.
    private static let movesWithoutSpreading = 15

    /// The photos in stream order.
    var photos: [ModelPhoto] { entries.compactMap(\.photo) }

    /// The entry of each photo, by id.
    var entriesByID: [String: Entry] {
        Dictionary(uniqueKeysWithValues: entries.compactMap { entry in entry.photo.map { ($0.id, entry) } })
    }

    /// The metrics that a layout reads of them.
    var metrics: [ItemMetrics] {
        entries.compactMap { entry in entry.photo?.metrics(orderTime: entry.orderTime, order) }
    }

    /// The metrics that an earlier layout reads of them: a blank caption counts as one of those that have changed since.
    func metrics(blankOf changed: Set<String>) -> [ItemMetrics] {
        entries.compactMap { entry in
            guard var photo = entry.photo else { return nil }
            if photo.hasBlankCaption, changed.contains(photo.id) { photo.caption = " " }
            return photo.metrics(orderTime: entry.orderTime, order)
        }
    }

    subscript(id: String) -> ModelPhoto? { index(of: id).flatMap { entries[$0].photo } }

    /// Imports records in one run: a field that a person edited stays, the first of two of one id wins, and a moved photo stays
    /// at its place.
    mutating func load(_ records: [ModelRecord], arbiter: Arbiter) throws {
        var seen: Set<String> = []
        var arriving: [Entry] = []
        for record in records where !deleted.contains(record.id) && seen.insert(record.id).inserted {
            if let index = index(of: record.id) {
                // Only ranks show whether a photo whose rank may have been spread was moved itself.
                let entry = entries[index]
                let stays = try entry.isMoved && (entry.spreadCount == 0 || arbiter().moved.contains(record.id))
                if let leaving = change(at: index, keepsPlace: stays, { $0.apply(record, byPerson: false) }) {
                    arriving.append(leaving)
                }
            } else {
                var photo = ModelPhoto(id: record.id)
                photo.apply(record, byPerson: false)
                arriving.append(newEntry(photo))
            }
        }
        // Once all that leave have left: the arbiter knows how it ended.
        for entry in arriving { try insert(entry, arbiter: arbiter) }
    }

    /// Applies a record to a photo; another capture time moves it to its new place.
    mutating func apply(_ record: ModelRecord, byPerson: Bool, arbiter: Arbiter) throws {
        try change([record.id], arbiter: arbiter) { $0.apply(record, byPerson: byPerson) }
    }

    /// Changes photos in one statement; those whose capture time changes move to their new places.
    ///
    /// - Parameters:
    ///   - ids: Those that the stream has are changed.
    ///   - isInShell: Whether a row is written even if the photo stays the same.
    ///   - arbiter: Decides an order that the rules do not determine.
    ///   - body: Changes one.
    /// - Throws: The arbiter's errors.
    mutating func change(
        _ ids: [String], isInShell: Bool = false, arbiter: Arbiter, _ body: (inout ModelPhoto) -> Void
    ) throws {
        let leaving = ids.compactMap { id in index(of: id).flatMap { change(at: $0, isInShell: isInShell, body) } }
        for entry in leaving { try insert(entry, arbiter: arbiter) }
    }

    /// Changes a photo; removes it if its capture time changes and it does not keep its place, so that it can be inserted at its
    /// new one.
    private mutating func change(
        at index: Int, isInShell: Bool = false, keepsPlace: Bool = false, _ body: (inout ModelPhoto) -> Void
    ) -> Entry? {
        guard let before = entries[index].photo else { return nil }
        var photo = before
        body(&photo)
        guard isInShell || photo != before else { return nil }
        // The service writes no caption instead of a blank one.
        if !isInShell { photo.hasBlankCaption = false }
        entries[index].photo = photo
        writeCounts[photo.id, default: 0] += 1
        guard photo.time != before.time, order != .manual, !keepsPlace else { return nil }
        var entry = entries.remove(at: index)
        (entry.isMoved, entry.orderTime, entry.place) = (false, photo.ownOrderTime(order), entry.number)
        // It has its own rank now, regardless of earlier spreading.
        if entry.spreadCount > 0 { entry.spreadCount += 1 }
        return entry
    }

    /// A new row.
    mutating func add(_ photo: ModelPhoto, arbiter: Arbiter) throws {
        try insert(newEntry(photo), arbiter: arbiter)
    }

    private mutating func newEntry(_ photo: ModelPhoto) -> Entry {
        lastNumber += 2
        writeCounts[photo.id, default: 0] += 1
        return Entry(
            photo: photo, chain: nil, orderTime: photo.ownOrderTime(order), number: lastNumber, place: lastNumber)
    }

    /// Records that photos were deleted and restored, unchanged and at their former places.
    mutating func noteReturn(of ids: Set<String>) {
        for id in ids { writeCounts[id, default: 0] += 1 }
    }

    /// Deletes photos.
    ///
    /// - Parameters:
    ///   - ids: The photos.
    ///   - staysDeleted: Whether no import brings them back.
    mutating func remove(_ ids: Set<String>, staysDeleted: Bool = false) {
        if staysDeleted { deleted.formUnion(ids) }
        entries.removeAll { entry in entry.photo.map { ids.contains($0.id) } ?? false }
        // SQLite reuses the ids of the last rows: a new photo may be on either side of one of their places.
        let greatest = entries.lazy.filter { $0.photo != nil }.map(\.number).max() ?? 0
        entries.removeAll { $0.photo == nil && $0.number > greatest + 1 }
    }

    /// Undoes moves: the photos go to the places of their own times and numbers.
    ///
    /// If the ranks of photos may have been spread, only the ranks could show whether they were moved.
    ///
    /// - Returns: The number of those that were moved.
    mutating func resetMoves(_ ids: [String], arbiter: Arbiter) throws -> Int {
        let leaving = ids.compactMap { id in
            index(of: id).flatMap { entries[$0].isMoved ? entries.remove(at: $0) : nil }
        }
        // Once all that leave have left: the arbiter knows how it ended.
        for var entry in leaving {
            (entry.isMoved, entry.place) = (false, entry.number)
            entry.orderTime = entry.photo?.ownOrderTime(order) ?? entry.orderTime
            // The log cannot distinguish it from another date.
            if let id = entry.photo?.id { writeCounts[id, default: 0] += 1 }
            try insert(entry, arbiter: arbiter)
        }
        return leaving.count
    }

    /// Puts a photo next to another one.
    ///
    /// - Returns: Whether it was elsewhere.
    mutating func move(_ id: String, besides neighbour: String, isBefore: Bool) -> Bool {
        guard let from = index(of: id), let target = index(of: neighbour) else { return false }
        let time = entries[target].orderTime
        // A photo that is next to it already stays; entries between them that are only places do not count.
        let step = isBefore ? -1 : 1
        var next = target + step
        while entries.indices.contains(next), entries[next].photo == nil { next += step }
        if next == from, entries[from].orderTime == time { return false }
        var entry = entries.remove(at: from)
        lastMove -= 1
        (entry.orderTime, entry.isMoved, entry.place) = (time, true, lastMove)
        moveCounts[time, default: 0] += 1
        // Only its rank determines its position in the gap; a place in the gap may be on either side.
        dropPlaces(around: index(of: neighbour) ?? 0, isBefore: isBefore)
        let anchor = index(of: neighbour) ?? 0
        entries.insert(entry, at: isBefore ? anchor : anchor + 1)
        if moveCounts[time, default: 0] > Self.movesWithoutSpreading { forgetRanks(at: time) }
        return true
    }

    /// Remembers the place after a photo for a chain, instead of the one that it had.
    mutating func setPlace(behind id: String?, ofChain chain: Int) {
        entries.removeAll { $0.chain == chain }
        guard let id, let index = index(of: id) else { return }
        var place = entries[index]
        (place.photo, place.chain, place.number) = (nil, chain, place.number + 1)
        entries.insert(place, at: index + 1)
    }

    /// The photos after a chain's place, and the position of the first; `nil` if the place is no longer known.
    func rest(ofChain chain: Int) -> (first: Int, photos: [Entry])? {
        guard let place = entries.firstIndex(where: { $0.chain == chain }) else { return nil }
        return (entries[..<place].count { $0.photo != nil }, entries[place...].filter { $0.photo != nil })
    }

    private func index(of id: String) -> Int? { entries.firstIndex { $0.photo?.id == id } }

    /// Puts an entry that was not moved in its place: after all of its time with a smaller number.
    private mutating func insert(_ entry: Entry, arbiter: Arbiter) throws {
        let first = entries.firstIndex { $0.orderTime <= entry.orderTime } ?? entries.count
        let end = entries.firstIndex { $0.orderTime < entry.orderTime } ?? entries.count
        let low = entries[first..<end].lastIndex { !$0.isMoved && $0.number < entry.number }.map { $0 + 1 } ?? first
        let high = entries[low..<end].firstIndex { !$0.isMoved && $0.number > entry.number } ?? end
        guard low < high, let id = entry.photo?.id else { return entries.insert(entry, at: low) }
        // Only moved ones are left, and places after them.
        let window = entries[low..<high].compactMap { $0.photo?.id }
        entries.replaceSubrange(low..<high, with: entries[low..<high].filter { $0.photo != nil })
        let order = try arbiter().order
        let position = order.firstIndex(of: id) ?? 0
        let above = window.count { other in order.firstIndex(of: other).map { $0 < position } ?? false }
        entries.insert(entry, at: low + above)
    }

    private mutating func dropPlaces(around target: Int, isBefore: Bool) {
        var index = isBefore ? target - 1 : target + 1
        while entries.indices.contains(index), entries[index].photo == nil {
            entries.remove(at: index)
            if isBefore { index -= 1 }
        }
    }

    /// Ranks of that time may have been spread: of any two photos of it only their order is known.
    private mutating func forgetRanks(at time: Int64) {
        entries.removeAll { $0.orderTime == time && $0.photo == nil }
        for index in entries.indices where entries[index].orderTime == time {
            entries[index].isMoved = true
            entries[index].spreadCount += 1
        }
    }
}
