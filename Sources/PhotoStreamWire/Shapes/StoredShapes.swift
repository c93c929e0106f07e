import PhotoStreamModel
package import PhotoStreamService

extension CacheStatus: WireObject {
    package static let shape = Shape<CacheStatus>(
        nil,
        members: [.always("layouts", about: "The layouts that the file has.") { $0.layouts }]
            + CacheSize.shape.members { CacheSize($0) })
}

/// The bytes that stored layouts take, and may take.
package struct CacheSize: WireObject {
    let status: CacheStatus

    /// The size of a cache.
    package init(_ status: CacheStatus) {
        self.status = status
    }

    package static let shape = Shape<CacheSize>(
        nil,
        members: [
            .always("bytes", about: "The bytes that stored layouts take.") { $0.status.byteCount },
            .always("budget", about: "The bytes that they may take.") { $0.status.budget },
        ])
}

extension StoredLayoutSummary: WireObject {
    package static let shape = Shape<StoredLayoutSummary>(
        nil,
        members: [
            .always("stream", about: "The stream's name.") { $0.stream.rawValue },
            .always("layoutKey", about: "The layout, as text.") { $0.layoutKey },
            .always("kept", about: "Whether anything of the layout is stored.") { $0.isKept },
            .always("checkpoints", about: "The chunks whose checkpoint is stored.") { $0.chunkCount },
            .always("frames", about: "The chunks whose frames are stored.") { $0.framesCount },
            .always("bytes", about: "The bytes that it takes.") { $0.byteCount },
            .always("hits", about: "Questions that were answered from what was stored or in memory.") {
                $0.hitCount
            },
            .always("foldedChunks", about: "Chunks that had to be computed.") { $0.foldedChunkCount },
            .always("lastUsed", about: "The time of its last use.") { Moment.text($0.lastUsedMilliseconds) },
        ])
}

extension VerificationAnswer: WireObject {
    package static let shape = Shape<VerificationAnswer>(
        nil,
        members: [
            .always("chunks", about: "Chunks of metrics that were compared.") { $0.chunkCount },
            .always("checkpoints", about: "Checkpoints that were compared.") { $0.placementCount },
            .always("frames", about: "Chunks of frames that were compared.") { $0.framesCount },
            .always("outdated", about: "Stored placements of an earlier state, which do not count.") {
                $0.outdatedCount
            },
            .always("leftover", about: "Chunks of a rebuild that goes on or was broken off; they are not a difference.")
            {
                $0.leftoverCount
            },
            .always("differences", about: "A sentence for each difference, and for each damage of the file.") {
                $0.differences
            },
        ])
}

extension RootSummary: WireObject {
    package static let shape = Shape<RootSummary>(
        nil,
        members: [
            .always("path", about: "The folder as it was named.") { $0.path },
            .always("resolvedPath", about: "The folder without symbolic links.") { $0.resolvedPath },
            .nullable("stream", about: "The only stream that it serves; `null` for all.") { $0.stream?.rawValue },
            .always("addedAt", about: "The time at which it was added.") { Moment.text($0.addedAtMilliseconds) },
            .always("open", about: "Whether pictures are served from it.") { $0.state == .open },
            .optional("reason", about: "The reason if it is not open.") { root -> String? in
                switch root.state {
                case .open: nil
                case .unreachable(let reason): reason
                case .otherMachine: "added on another machine"
                }
            },
        ])
}
