import PhotoStreamModel
package import PhotoStreamService

extension CacheStatus: WireObject {
    package static func describe(_ members: inout some MemberList<CacheStatus>) {
        members.always("layouts", about: "The layouts that the file has.") { $0.layouts }
        members.include { CacheSize($0) }
    }
}

/// The current and the maximum size of stored layouts.
package struct CacheSize: WireObject {
    let status: CacheStatus

    /// The size of a cache.
    package init(_ status: CacheStatus) {
        self.status = status
    }

    package static func describe(_ members: inout some MemberList<CacheSize>) {
        members.always("bytes", about: "The bytes that stored layouts take.") { $0.status.byteCount }
        members.always("budget", about: "The bytes that they may take.") { $0.status.budget }
    }
}

extension StoredLayoutSummary: WireObject {
    package static func describe(_ members: inout some MemberList<StoredLayoutSummary>) {
        members.always("stream", about: "The stream's name.") { $0.stream.rawValue }
        members.always("layoutKey", about: "The layout, as text.") { $0.layoutKey }
        members.always("checkpoints", about: "The chunks whose checkpoint is stored.") { $0.chunkCount }
        members.always("frames", about: "The chunks whose frames are stored.") { $0.framesCount }
        members.always("bytes", about: "The bytes that it takes.") { $0.byteCount }
        members.always("lastUsed", about: "The day of its last use.") { Moment.text($0.lastUsedMilliseconds) }
    }
}

extension VerificationAnswer: WireObject {
    package static func describe(_ members: inout some MemberList<VerificationAnswer>) {
        members.always("chunks", about: "Chunks of metrics that were compared.") { $0.chunkCount }
        members.always("checkpoints", about: "Checkpoints that were compared.") { $0.placementCount }
        members.always("frames", about: "Chunks of frames that were compared.") { $0.framesCount }
        members.always("outdated", about: "Stored placements of an earlier state, which do not count.") {
            $0.outdatedCount
        }
        members.always(
            "leftover", about: "Chunks of a rebuild that goes on or was broken off; they are not a difference."
        ) {
            $0.leftoverCount
        }
        members.always("differences", about: "A sentence for each difference, and for each damage of the file.") {
            $0.differences
        }
    }
}

extension Finding: WireObject {
    package static func describe(_ members: inout some MemberList<Finding>) {
        members.always(
            "subject", about: "What was examined.", as: .words(Finding.Subject.allCases.map(\.rawValue))
        ) { $0.subject.rawValue }
        members.always("state", about: "How serious it is.", as: .words(["good", "warning", "problem"])) {
            $0.state.rawValue
        }
        members.always("text", about: "What was found, in one sentence.") { $0.text }
        members.nullable("advice", about: "What to do about it; `null` if nothing.") { $0.advice }
    }
}

extension RootSummary: WireObject {
    package static func describe(_ members: inout some MemberList<RootSummary>) {
        members.always("path", about: "The folder as it was named.") { $0.path }
        members.always("resolvedPath", about: "The folder without symbolic links.") { $0.resolvedPath }
        members.nullable("stream", about: "The only stream that it serves; `null` for all.") { $0.stream?.rawValue }
        members.always("addedAt", about: "The time at which it was added.") { Moment.text($0.addedAtMilliseconds) }
        members.optional("everyServer", about: "True if every server serves it, and not those of one machine alone.") {
            $0.reach == .everyServer ? true : nil
        }
        members.always("open", about: "Whether pictures are served from it.") { $0.state == .open }
        members.optional("reason", about: "The reason if it is not open.") { root -> String? in
            switch root.state {
            case .open: nil
            case .unreachable(let reason): reason
            case .otherMachine: "added on another machine"
            }
        }
    }
}
