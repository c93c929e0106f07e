import GRDB
import PhotoStreamModel

/// Stacks the photos of files that an import of a folder has stored.
///
/// A stack that a person or a record has set stays.
struct FolderStacks {
    /// The numbers of photos that were hidden, by kind.
    private(set) var hiddenCounts: [StackKind: Int] = [:]
    private let writer: PhotoWriter
    private let streamID: Int64
    private let rules: StackRules

    /// A photo that a rule may stack.
    private struct FiledPhoto {
        let stored: StoredPhoto
        let candidate: StackCandidate

        /// The name of the stack that it is in.
        var name: String? { stored.photo.stack?.stack }

        /// Whether a person or a record has decided about the stack.
        var isDecided: Bool {
            stored.photo.editedFields.contains(.stack)
                || stored.photo.stack != nil && !stored.photo.fileFields.contains(.stack)
        }
    }

    init(writer: PhotoWriter, streamID: Int64, rules: StackRules) {
        (self.writer, self.streamID, self.rules) = (writer, streamID, rules)
    }

    /// Stacks the photos of files, together with those that are there.
    ///
    /// - Complexity: O(files of the same names and identifiers · log n).
    mutating func stack(_ rows: some Sequence<PictureFileRow>) throws {
        guard !rules.kinds.isEmpty else { return }
        var photos = try related(to: rows)
        // Taken apart by a person, or named as a stack of its own.
        photos.removeAll { $0.isDecided && $0.stored.photo.stack == nil }
        guard photos.count > 1 || photos.contains(where: { $0.stored.photo.stack != nil }) else { return }
        let byID = Dictionary(photos.map { ($0.stored.photo.id, $0) }, uniquingKeysWith: { first, _ in first })
        var photoRows = try PhotoRowWriter(writer, streamID: streamID)
        var stacked: Set<PhotoID> = []
        for members in rules.stacks(of: photos.map(\.candidate)) {
            let found = members.compactMap { member in byID[member.id].map { ($0, member.kind) } }
            stacked.formUnion(members.map(\.id))
            try form(found, by: &photoRows)
        }
        for photo in photos where !photo.isDecided && !stacked.contains(photo.stored.photo.id) {
            guard let place = photo.stored.photo.stack, rules.kinds.contains(place.kind) else { continue }
            try write(nil, to: photo.stored.rowID, by: &photoRows)
        }
    }

    /// Forms a stack of photos, the cover first; a cover that a person or a record has chosen stays.
    private mutating func form(
        _ members: [(photo: FiledPhoto, kind: StackKind)], by photoRows: inout PhotoRowWriter
    ) throws {
        var members = members
        let named = members.map(\.photo).filter { $0.stored.photo.stack != nil }
        // A person's stack gives its name, otherwise the first by name, in whatever order the files come.
        let name = named.first(where: \.isDecided)?.name ?? named.compactMap(\.name).min() ?? Self.newName()
        if let chosen = members.firstIndex(where: { $0.photo.isDecided && $0.photo.stored.photo.stack?.rank == 0 }) {
            members.insert(members.remove(at: chosen), at: 0)
        }
        let present = members.filter { $0.photo.name == name }
        // Hidden by the cover that is there, so that only the last step changes what layouts show.
        let isNew = !present.contains { $0.photo.stored.photo.stack?.isHidden == false }
        for (position, (photo, kind)) in members.enumerated() where photo.name != name {
            let place = StackPlace(stored: name, rank: isNew && position == 0 ? 0 : position + 1, kind: kind)
            if place.isHidden { hiddenCounts[kind, default: 0] += 1 }
            try write(place, to: photo.stored.rowID, by: &photoRows)
        }
        if !isNew { try writer.arrange(members.map(\.photo.stored.rowID)) }
    }

    private func write(_ place: StackPlace?, to rowID: Int64, by photoRows: inout PhotoRowWriter) throws {
        guard let stored = try writer.reader.photos(rowIDs: [rowID]).first else { return }
        var photo = stored.photo
        photo.stack = place
        if place == nil { photo.fileFields.remove(.stack) } else { photo.fileFields.insert(.stack) }
        _ = try photoRows.replace(stored, with: photo, by: .file)
    }

    private static func newName() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

    // MARK: - Related photos

    /// Returns the photos of files, and all that the rules may put together with them.
    private func related(to rows: some Sequence<PictureFileRow>) throws -> [FiledPhoto] {
        var (photos, seen): ([FiledPhoto], Set<Int64>) = ([], [])
        var asked: Set<Key> = []
        var waiting = rows.flatMap { Key.keys(of: $0, rules: rules) }
        while let key = waiting.popLast() {
            guard asked.insert(key).inserted else { continue }
            let new = try files(of: key).filter { seen.insert($0.rowID).inserted }
            for ((_, row), stored) in zip(new, try writer.reader.photos(rowIDs: new.map(\.rowID))) {
                photos.append(FiledPhoto(stored: stored, candidate: StackCandidate(row, of: stored.photo)))
                waiting += Key.keys(of: row, rules: rules)
            }
        }
        return photos
    }

    /// A property that files of one stack share.
    private enum Key: Hashable {
        case stem(rootID: Int64, String)
        case contentIdentifier(String)
        case burst(String)

        static func keys(of row: PictureFileRow, rules: StackRules) -> [Key] {
            guard row.photo != nil, row.state == .read else { return [] }
            return [
                row.stem.map { .stem(rootID: row.rootID, $0) }, row.contentIdentifier.map { .contentIdentifier($0) },
                rules.kinds.contains(.burst) ? row.burst.map { .burst($0) } : nil,
            ].compactMap(\.self)
        }
    }

    /// Returns the files with a photo that have something in common, with the row ids of the photos.
    private func files(of key: Key) throws -> [(rowID: Int64, row: PictureFileRow)] {
        let select = """
            SELECT \(PictureFileRow.columns), pictureFile.photoId FROM \(PictureFileRow.tables)
            WHERE pictureFile.streamId = ?1 AND pictureFile.state = 0 AND photo.id IS NOT NULL
            """
        let limit = "ORDER BY pictureFile.id LIMIT \(2 * StackPlace.maximumCount)"
        func read(_ row: RawStatement) -> (rowID: Int64, row: PictureFileRow) {
            (row.integer(PictureFileRow.columnCount), PictureFileRow(row))
        }
        let database = writer.database
        switch key {
        case .stem(let rootID, let stem):
            return try database.rows(
                "\(select) AND pictureFile.rootId = ?2 AND pictureFile.stem = ?3 \(limit)", with: streamID, rootID,
                stem,
                read: read)
        case .contentIdentifier(let text):
            return try database.rows(
                "\(select) AND pictureFile.contentIdentifier = ?2 \(limit)", with: streamID, text, read: read)
        case .burst(let text):
            return try database.rows("\(select) AND pictureFile.burst = ?2 \(limit)", with: streamID, text, read: read)
        }
    }
}

extension StackCandidate {
    /// Describes a file and its photo.
    fileprivate init(_ row: PictureFileRow, of photo: Photo) {
        let path = row.path
        let slash = path.lastIndex(of: "/")
        let folder = "\(row.rootID)/" + (slash.map { path[..<$0] } ?? "")
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        self.init(id: photo.id, folder: folder, name: name, kind: row.kind)
        takenAt = photo.takenAtSource?.isGuess == true ? nil : photo.takenAt
        (camera, duration) = (photo.camera, photo.duration)
        (contentIdentifier, burst) = (row.contentIdentifier, row.burst)
    }
}

extension PictureFileRow {
    /// The folder and the base of the name, which files of one stack may share.
    var stem: String? {
        let slash = path.lastIndex(of: "/")
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        return (slash.map { path[...$0] } ?? "") + StackName(name).base
    }
}
