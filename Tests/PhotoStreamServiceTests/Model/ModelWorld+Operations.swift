import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport

// The possible operations on a file. Each changes file and model and describes itself in words.
extension ModelWorld {
    /// Does something.
    func operate() throws {
        let count = stream.photos.count
        if count < 12 { return try importNew(random.int(in: 10...greatestCount / 2)) }
        if count > greatestCount { return try deleteMany() }
        switch random.int(in: 0...(hasShortLog ? 27 : 29)) {
        case 0, 1, 2: try importNew(random.oneIn(12) ? greatestCount / 2 : random.int(in: 1...12))
        case 3, 4: try importMixed(byCommand: false)
        case 5: try importMixed(byCommand: random.oneIn(2))
        case 6, 7: try delete()
        case 8, 9, 10: try move()
        case 11: try dragIntoOneGap()
        case 12, 13, 14, 15: try edit()
        case 16: try editWords()
        case 17: try restart()
        case 18: try clear()
        case 19: try shellSizes()
        case 20: try shellDelete()
        case 21: try shellReplace()
        case 22: try shellDates()
        case 23: try budget()
        case 24: try byCommand()
        case 25: try noise()
        case 26: try storeAll()
        case 28: try resetEdits()
        case 29: try resetMoves()
        default: try damage()
        }
    }

    /// Whether a run is tuned to outlive its log often, which more kinds of operations would make rarer.
    private var hasShortLog: Bool { gallery.log.keptRowCount < ChangeLog.standard.keptRowCount }

    // MARK: - Values

    private func size() -> ModelSize {
        let size = SampleMetrics.mixed(1, using: &random)[0].pixelSize
        return ModelSize(width: Int(size.width), height: Int(size.height))
    }

    /// Few times, so that many photos share one; head and end are times beyond all others.
    private func time(_ place: Int = 1) -> ModelTime {
        let day = [3_000 + fresh() / 40, random.int(in: 0...9) * random.int(in: 1...20), -fresh()][place]
        if random.oneIn(4) { return coarseTime(day: day) }
        let local = Int64(day) * 86_400_000 + Int64(random.int(in: 0...3)) * 1_000
        let offset = random.element(of: [nil, nil, 0, 60, -330])
        return ModelTime(milliseconds: local - Int64(offset ?? 0) * 60_000, offset: offset)
    }

    /// A date with only its day, its month or its year known.
    private func coarseTime(day: Int) -> ModelTime {
        let precision = random.element(of: [CaptureTime.Precision.year, .month, .day])
        let date = NaiveSections.date(ofDay: day)
        var first = day
        if precision < .day { first -= date.day - 1 }
        if precision < .month {
            while NaiveSections.date(ofDay: first - 1).year == date.year { first -= 1 }
        }
        return ModelTime(milliseconds: Int64(first) * 86_400_000, precision: precision)
    }

    private func change<Value>(_ value: @autoclosure () -> Value) -> ModelChange<Value> {
        random.oneIn(6) ? .clear : random.oneIn(2) ? .keep : .set(value())
    }

    private func newRecord(_ place: Int) -> ModelRecord {
        var record = ModelRecord(id: "photo-\(fresh())")
        record.size = .set(size())
        if random.oneIn(5) { record.isTurned = .set(true) }
        if !random.oneIn(15) { record.time = .set(time(place)) }
        if random.oneIn(3) { record.caption = .set("caption \(fresh())") }
        if !random.oneIn(3) { record.place = .set(somewhere()) }
        return record
    }

    private func anyRecord(_ id: String) -> ModelRecord {
        var record = ModelRecord(id: id)
        record.size = change(size())
        record.isTurned = change(true)
        record.time = change(time(random.int(in: 0...2)))
        record.caption = change(random.oneIn(5) ? "  " : "words \(fresh())")
        record.alt = change("alt \(fresh())")
        record.place = change(somewhere())
        return record
    }

    /// Mostly one of a few places, where photos lie upon each other.
    private func somewhere() -> ModelPlace {
        random.oneIn(2)
            ? ModelPlace(north: random.int(in: 1...3), east: random.int(in: 1...3))
            : ModelPlace(north: random.int(in: -360...360), east: random.int(in: -720...720))
    }

    // MARK: - Imports

    private func importNew(_ count: Int) throws {
        let place = random.int(in: 0...2)
        history.append("imports \(count) new photos, \(["at the head", "anywhere", "at the end"][place])")
        try load((0..<count).map { _ in newRecord(place) }, byCommand: false)
    }

    private func importMixed(byCommand: Bool) throws {
        history.append("imports old, new, doubled and returning records\(byCommand ? " by the command" : "")")
        var records = (0..<random.int(in: 1...10)).map { _ in anyRecord(randomID()) }
        for _ in 0..<random.int(in: 0...8) { records.append(newRecord(random.int(in: 0...2))) }
        for _ in 0..<3 {
            if let record = returningRecord() { records.append(record) }
        }
        for _ in 0..<random.int(in: 0...3) { records.append(anyRecord(random.element(of: records).id)) }
        records.shuffle(using: &random)
        try load(records, byCommand: byCommand)
    }

    /// A photo that was deleted, unchanged or nearly so.
    private func returningRecord() -> ModelRecord? {
        let old = moments.isEmpty ? [] : random.element(of: moments).stream.photos
        guard !old.isEmpty else { return nil }
        let photo = random.element(of: old)
        guard stream[photo.id] == nil else { return nil }
        var record = ModelRecord(id: photo.id)
        record.size = .set(photo.isTurned ? photo.size.turned : photo.size)
        if photo.isTurned { record.isTurned = .set(true) }
        if let time = photo.time { record.time = .set(time) }
        if photo.caption != nil { record.caption = .set("again \(fresh())") }
        if let place = photo.place { record.place = .set(place) }
        return record
    }

    private func load(_ records: [ModelRecord], byCommand: Bool) throws {
        func write() throws {
            guard byCommand else { return try gallery.load(records.map { try $0.photoRecord() }) }
            let path = gallery.temporary.folder + "/records.jsonl"
            try records.map { try $0.json() }.joined(separator: "\n")
                .write(toFile: path, atomically: false, encoding: .utf8)
            try command("import", "--stream", Gallery.stream.rawValue, path)
        }
        try write()
        try stream.load(records, arbiter: arbiter)
        guard random.oneIn(4), Set(records.map(\.id)).count == records.count else { return }
        let revision = try anyone().read { try $0.stream(Gallery.stream) }.revision
        try write()
        try expect(
            try anyone().read { try $0.stream(Gallery.stream) }.revision == revision,
            "an import of the same records again has changed the stream")
        count("imported again")
    }

    // MARK: - Edits

    private func edit() throws {
        let record = anyRecord(randomID())
        history.append("edits \(record.id): \(try record.json())")
        try writer().edit(try record.photoRecord(), in: Gallery.stream)
        try stream.apply(record, byPerson: true, arbiter: arbiter)
    }

    /// Texts do not affect the geometry: if the chunks are stored, nothing is folded.
    private func editWords() throws {
        guard let photo = stream.photos.filter({ $0.caption != nil }).randomElement(using: &random)
        else { return }
        history.append("edits the words of \(photo.id)")
        let (service, key) = (writer(), random.element(of: layouts).key)
        func edit() throws {
            var record = ModelRecord(id: photo.id)
            record.caption = .set("other words \(fresh())")
            record.alt = .set("alt \(fresh())")
            try writer().edit(try record.photoRecord(), in: Gallery.stream)
            try stream.apply(record, byPerson: true, arbiter: arbiter)
        }
        // The first edit lets it cut chunks to its own size that another holder has made too large for it.
        try edit()
        do {
            _ = try service.warm(Gallery.stream, layout: key)
        } catch StreamServiceError.budgetTooSmall(let needed, let budget) {
            try expect(needed > budget, "\(needed) bytes are too many for \(budget)")
        }
        let before = service.work
        try edit()
        _ = try service.read { try $0.layout(key, of: Gallery.stream).summary() }
        try expect(
            service.work.foldedChunkCount == before.foldedChunkCount,
            "an edit of words folded \(service.work.foldedChunkCount - before.foldedChunkCount) chunks of \(key)")
        count("folds of words")
    }

    /// Fields that a person edited count as imported again: the values stay, and the imports that follow show it.
    private func resetEdits() throws {
        let ids = Array(Set((0..<random.int(in: 1...4)).map { _ in randomID() })).sorted()
        let named: [(PhotoField, ModelField)] = [
            (.size, .size), (.orientation, .turn), (.takenAt, .time), (.text(.caption), .caption),
            (.text(.alt), .alt), (.coordinate, .place),
        ]
        let chosen = random.oneIn(3) ? named : named.filter { _ in random.oneIn(2) }
        history.append("resets \(chosen.map(\.1)) of \(ids)")
        let fields = chosen.count == named.count ? .all : PhotoFields(chosen.map(\.0))
        let expected = ids.count { id in stream[id].map { !$0.edited.isDisjoint(with: chosen.map(\.1)) } ?? false }
        let count = try writer().resetEdits(of: ids.map { try PhotoID($0) }, fields: fields, in: Gallery.stream)
        try expect(count == expected, "\(count) photos were reset, not \(expected)")
        try stream.change(ids, arbiter: arbiter) { $0.edited.subtract(chosen.map(\.1)) }
    }

    private func delete() throws {
        let ids = Set((0..<random.int(in: 1...4)).map { _ in randomID() })
        let isForever = hasShortLog || random.oneIn(3)
        history.append("deletes \(ids.sorted())\(isForever ? " forever" : "")")
        let named = try ids.map { try PhotoID($0) }
        try writer().deletePhotos(named, from: Gallery.stream, forever: isForever)
        guard !isForever, random.oneIn(3) else { return stream.remove(ids, staysDeleted: !isForever) }
        history.append("restores them")
        try writer().restorePhotos(named.shuffled(using: &random), in: Gallery.stream)
        stream.noteReturn(of: ids)
        count("restored")
    }

    private func deleteMany() throws {
        let ids = stream.photos.map(\.id)
        let first = random.int(in: 0...ids.count / 2)
        let doomed = Set(ids[first..<min(ids.count, first + random.int(in: ids.count / 3...ids.count))])
        history.append("deletes \(doomed.count) photos from \(first) on")
        try writer().deletePhotos(doomed.map { try PhotoID($0) }, from: Gallery.stream)
        stream.remove(doomed, staysDeleted: true)
    }

    // MARK: - Moves

    private func move() throws {
        let (id, other) = (randomID(), randomID())
        guard id != other else { return }
        try move(id, besides: other, isBefore: random.oneIn(2), byCommand: random.oneIn(20))
    }

    private func move(_ id: String, besides other: String, isBefore: Bool, byCommand: Bool = false) throws {
        history.append("moves \(id) \(isBefore ? "before" : "behind") \(other)\(byCommand ? " by the command" : "")")
        let isElsewhere = stream.move(id, besides: other, isBefore: isBefore)
        if byCommand {
            return try command(
                "photos", "move", id, isBefore ? "--before" : "--after", other, "--stream", Gallery.stream.rawValue)
        }
        let neighbour = try PhotoID(other)
        let hasMoved = try writer().movePhoto(
            try PhotoID(id), to: isBefore ? .before(neighbour) : .after(neighbour), in: Gallery.stream)
        try expect(hasMoved == isElsewhere, "a move was \(hasMoved ? "made" : "not made")")
    }

    /// Moved photos go back to the places of their own times; in manual order that is refused, and changes nothing.
    private func resetMoves() throws {
        let entries = stream.entriesByID
        let ids = Set((0..<random.int(in: 1...12)).map { _ in randomID() }).filter { entries[$0]?.spreadCount == 0 }
            .sorted()
        history.append("takes back the moves of \(ids)")
        do {
            let count = try writer().resetMoves(of: ids.map { try PhotoID($0) }, in: Gallery.stream)
            try expect(stream.order != .manual, "a move was taken back in manual order")
            let expected = try stream.resetMoves(ids, arbiter: arbiter)
            try expect(expected == count, "\(count) moves were taken back, not \(expected)")
        } catch StreamServiceError.manualOrder {
            try expect(stream.order == .manual, "taking back a move was refused")
        }
    }

    /// Enough moves into one gap that ranks have to be spread.
    private func dragIntoOneGap() throws {
        let (other, isBefore) = (randomID(), random.oneIn(2))
        for _ in 0..<random.element(of: [3, 25, 40]) {
            let id = randomID()
            if id != other { try move(id, besides: other, isBefore: isBefore) }
        }
    }
}
