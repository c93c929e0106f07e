import PhotoStreamModel
import PhotoStreamService

extension FileNotice {
    /// The notice as a line of text.
    var line: String {
        switch kind {
        case .rejected, .ignored, .held: "\(path): \(reason)"
        case .warning: "\(path): warning: \(reason)"
        case .vanished: "\(path): vanished"
        case .pruned: "\(path): vanished, and its photo was taken out of the stream"
        case .moved: "\(path): moved, \(reason)"
        }
    }
}

extension ImportTotals {
    /// The outcomes of records, without those that are 0.
    var outcomes: String {
        let outcomes = [
            (inserted, "inserted"), (updated, "updated"), (unchanged, "unchanged"), (duplicate, "duplicate"),
            (rejected, "rejected"),
        ]
        return outcomes.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
    }

    /// The numbers that are not 0, and the number of records.
    var fields: FieldList {
        [
            "read": read.grouped, "inserted": inserted.groupedUnlessZero, "updated": updated.groupedUnlessZero,
            "unchanged": unchanged.groupedUnlessZero, "duplicate": duplicate.groupedUnlessZero,
            "rejected": rejected.groupedUnlessZero, "assumed": assumed.groupedUnlessZero,
        ]
    }
}

extension Int {
    fileprivate var groupedUnlessZero: String? { self == 0 ? nil : grouped }
}

extension FolderTotals {
    /// The number of files that were left out because they are not pictures.
    var leftOutCount: Int { videos + ignored }

    /// The files and folders that were left out: those that are not pictures, and those that a rule names.
    var leftOutLines: [String] {
        [notPictures, leftOutByRules].compactMap(\.self)
    }

    /// The files that are not pictures, by kind, in a sentence; `nil` if there are none.
    private var notPictures: String? {
        let kinds = [
            videos > 0 ? videos.counting("video") : nil,
            ignored > 0 ? ignored.counting(videos > 0 ? "other file" : "file") : nil,
        ].compactMap(\.self)
        guard !kinds.isEmpty else { return nil }
        let (verb, formats) = leftOutCount == 1 ? ("was", "its format is") : ("were", "their formats are")
        return "\(kinds.joined(separator: " and ")) \(verb) left out: \(formats) not imported"
    }

    /// The numbers of files and folders by rule; `nil` if there are none.
    private var leftOutByRules: String? {
        let parts = LeftOutReason.allCases.flatMap { reason in
            [
                leftOut.folders[reason].flatMap { reason.line(of: $0, named: "folder") },
                leftOut.files[reason].flatMap { reason.line(of: $0, named: "file") },
            ].compactMap(\.self)
        }
        return parts.isEmpty ? nil : "left out by rules: \(parts.joined(separator: ", "))"
    }

    /// The photos that were stacked, in a sentence; `nil` if there are none.
    var stackedLine: String? {
        let parts = StackKind.allCases.compactMap { kind in stacked[kind].map { "\($0.grouped) \(kind.name)" } }
        return parts.isEmpty ? nil : "hidden in stacks: \(parts.joined(separator: ", "))"
    }

    /// The numbers that are not 0.
    var fields: FieldList {
        [
            "videos": videos.groupedUnlessZero, "ignored": ignored.groupedUnlessZero, "moved": moved.groupedUnlessZero,
            "vanished": vanished.groupedUnlessZero, "pruned": pruned.groupedUnlessZero, "held": held.groupedUnlessZero,
        ]
    }
}

extension LeftOutReason {
    /// The number of files or folders that a rule has left out; `nil` for files that are not pictures.
    fileprivate func line(of count: Int, named noun: String) -> String? {
        switch self {
        case .system: count.counting("system \(noun)")
        case .hidden: count.counting("hidden \(noun)")
        case .nomedia: count.counting(noun) + " with .nomedia"
        case .ignoreFile: count.counting(noun) + " by .photostreamignore"
        case .pattern: count.counting(noun) + " by patterns"
        case .unfinished, .video, .notAPicture: nil
        }
    }
}

extension [FileWarning: Int] {
    /// A line for each kind of metadata that was left out or could not be read.
    var lines: [String] {
        FileWarning.allCases.compactMap { kind in self[kind].map { "\($0.counting("file")): \(kind.summary)" } }
    }
}
