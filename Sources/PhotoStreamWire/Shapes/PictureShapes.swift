import PhotoStreamModel
package import PhotoStreamService

extension PictureStatus: WireObject {
    package static func describe(_ members: inout some MemberList<PictureStatus>) {
        members.always("streams", about: "The streams, by name.") { $0.streams }
        members.always("store", about: "The path of the file with the thumbnails.") { $0.storePath }
        members.always("stored", about: "The pictures with stored thumbnails.") { $0.storedCount }
        members.always("bytes", about: "The bytes that they take.") { $0.storedBytes }
        members.always("budget", about: "The bytes that they may take without a setting.") { $0.standardBudget }
    }
}

extension PictureStatus.Stream: WireObject {
    package static func describe(_ members: inout some MemberList<PictureStatus.Stream>) {
        members.always("stream", about: "The stream's name.") { $0.name.rawValue }
        members.include { $0.pictures }
        members.always("knownByContent", about: "The files that are recognised by their content.") {
            $0.identities.byContent
        }
        members.always("knownByName", about: "The files that are known by size, time and name only.") {
            $0.identities.byName
        }
        members.always("reasons", about: "The reasons of failures, the most frequent first.") { $0.reasons }
        members.always("warnings", about: "The kinds of metadata that were left out or could not be read.") {
            $0.warningCounts
        }
    }
}

extension PictureStatus.Stream {
    fileprivate var warningCounts: [FileWarningCount] {
        FileWarning.allCases.compactMap { kind in warnings[kind].map { FileWarningCount(kind: kind, count: $0) } }
    }
}

/// The number of files with a kind of metadata that was left out or could not be read.
struct FileWarningCount: WireObject {
    let kind: FileWarning
    let count: Int

    static func describe(_ members: inout some MemberList<FileWarningCount>) {
        members.always("kind", about: "The kind.") { $0.kind.name }
        members.always("count", about: "The number of files.") { $0.count }
    }
}

extension PictureStatus.Reason: WireObject {
    package static func describe(_ members: inout some MemberList<PictureStatus.Reason>) {
        members.always("reason", about: "One sentence.") { $0.text }
        members.always("count", about: "The number of pictures.") { $0.count }
    }
}

extension PictureProgress: WireObject {
    package static func describe(_ members: inout some MemberList<PictureProgress>) {
        members.always("made", about: "Pictures that were decoded.") { $0.madeCount }
        members.always("failed", about: "Pictures that cannot be decoded.") { $0.failedCount }
        members.always("skipped", about: "Photos that needed no decode, or have no file here.") { $0.skippedCount }
        members.always("remaining", about: "Photos that were not looked at.") { $0.remainingCount }
    }
}
