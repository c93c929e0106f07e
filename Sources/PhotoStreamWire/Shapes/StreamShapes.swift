import PhotoStreamLayout
package import PhotoStreamModel
package import PhotoStreamService

extension StreamSummary: WireObject {
    package static let schemaName: String? = "Stream"

    package static func describe(_ members: inout some MemberList<StreamSummary>) {
        members.always("stream", sharedAs: .plain, about: "The name.") { $0.name.rawValue }
        members.optional("source", about: "The stream that a kept view shows; not to callers who see only the view.") {
            $0.source?.rawValue
        }
        members.optional("where", about: "The rule of a kept view: the condition that its photos meet.") { $0.rule }
        members.optional("description", about: "A text about a kept view.") { $0.description }
        members.optional("cover", about: "The photo that stands for a kept view, by default its first.") {
            $0.cover?.rawValue
        }
        members.always("order", sharedAs: .plain, about: "The order of its photos.", as: Schema.streamOrder) {
            $0.order.rawValue
        }
        members.always("count", sharedAs: .plain, about: "The number of photos.") { $0.count }
        members.always("revision", sharedAs: .plain, about: "The state of the stream; grows with every write.") {
            $0.revision.rawValue
        }
        members.always("state", sharedAs: .plain, about: stateSummary) { $0.revision.state }
        members.optional("createdAt", about: "The time of its creation; not beneath the link of a share.") {
            Moment.text($0.createdAtMilliseconds)
        }
        members.always(
            "canEdit", sharedAs: .plain, about: "Whether its photos can be written; not where the file is read-only."
        ) {
            $0.canEdit
        }
        members.always(
            "canUpload", sharedAs: .plain, about: "Whether pictures can be uploaded into it; see `serve --uploads`."
        ) { $0.canUpload }
        members.optional("pictures", about: "The numbers of its pictures; not beneath the link of a share.") {
            $0.rule == nil ? $0.pictures : nil
        }
        members.optional(
            "imports", about: "The newest import, or all that the file remembers; not beneath the link of a share."
        ) { $0.rule == nil ? $0.imports : nil }
    }
}

extension StreamPictures: WireObject {
    package static func describe(_ members: inout some MemberList<StreamPictures>) {
        members.always("ready", about: "Pictures that were decoded.") { $0.readyCount }
        members.always("failed", about: "Pictures that cannot be decoded.") { $0.failedCount }
        members.always("pending", about: "Photos that are neither: not tried yet, or without a file here.") {
            $0.pendingCount
        }
    }
}

/// A list of streams.
package struct StreamList: WireObject {
    let streams: [StreamSummary]
    let isTruncated: Bool

    /// Lists streams.
    ///
    /// - Parameters:
    ///   - streams: The streams.
    ///   - isTruncated: Whether there are more.
    package init(_ streams: [StreamSummary], isTruncated: Bool = false) {
        self.streams = streams
        self.isTruncated = isTruncated
    }

    package static let schemaName: String? = "StreamList"

    package static func describe(_ members: inout some MemberList<StreamList>) {
        members.always("streams", sharedAs: .plain, about: "The streams, by name.") { $0.streams }
        members.always("truncated", sharedAs: .plain, about: "Whether there are more.") { $0.isTruncated }
    }
}

extension ImportSummary: WireObject {
    package static let schemaName: String? = "ImportRun"

    package static func describe(_ members: inout some MemberList<ImportSummary>) {
        members.always("sources", about: "The first of its sources.") {
            Array($0.sources.prefix(ImportSummary.shownSourceCount))
        }
        members.always("sourceCount", about: "The number of its sources.") { $0.sources.count }
        members.always("startedAt", about: "The time of its start.") { Moment.text($0.startedAtMilliseconds) }
        members.nullable("finishedAt", about: "The time of its end; `null` if it is running or was interrupted.") {
            $0.finishedAtMilliseconds.map(Moment.text)
        }
        members.include { $0.counts }
        members.always("failures", about: "Its first rejects, in the order of the input.") { $0.failures }
    }
}

extension ImportTotals: WireObject {
    package static func describe(_ members: inout some MemberList<ImportTotals>) {
        members.always("read", about: "Records read.") { $0.read }
        members.always("inserted", about: "Photos that were new.") { $0.inserted }
        members.always("updated", about: "Photos that the record changed.") { $0.updated }
        members.always("unchanged", about: "Photos that were as the record says.") { $0.unchanged }
        members.always("duplicate", about: "Records whose id an earlier record of the run had.") { $0.duplicate }
        members.always("rejected", about: "Records that were not kept.") { $0.rejected }
        members.always("assumed", about: "Records without a size, kept with an assumed one.") { $0.assumed }
    }
}

extension ImportFailure: WireObject {
    package static func describe(_ members: inout some MemberList<ImportFailure>) {
        members.always("source", about: "The source's name.") { $0.source }
        members.always("line", about: "The line, from 1.") { $0.line }
        members.always("column", about: "The character in the line, from 1.") { $0.column }
        members.nullable("id", about: "The record's id, where it has one.") { $0.id }
        members.always("reason", about: "The reason for the rejection.") { $0.reason }
    }
}

/// Photos of a stream, in stream order or by their ids.
package struct StreamPhotosList: WireObject {
    let stream: StreamName
    let answer: PhotoListAnswer

    /// Lists photos of a stream.
    package init(_ answer: PhotoListAnswer, of stream: StreamName) {
        self.stream = stream
        self.answer = answer
    }

    package static let schemaName: String? = "PhotoList"

    package static func describe(_ members: inout some MemberList<StreamPhotosList>) {
        members.always("stream", sharedAs: .plain, about: "The stream's name.") { $0.stream.rawValue }
        members.always(
            "photos", sharedAs: .plain,
            about: "The photos, in stream order, in that of the requested ids, or the cover of the stack first."
        ) {
            let answer = $0.answer
            return answer.photos.indices.map { index in
                ShownPhoto(
                    answer.photos[index], with: answer.pictures[index], file: answer.fileStates[index],
                    stack: answer.stacks[index])
            }
        }
        members.always("truncated", sharedAs: .plain, about: "Whether more photos follow.") { $0.answer.isTruncated }
        members.optional("missing", about: "Of the ids that were asked for, those that the stream does not have.") {
            $0.answer.missing?.map(\.rawValue)
        }
    }
}

/// Photos that a person deleted.
package struct DeletedPhotosList: WireObject {
    let stream: StreamName
    let answer: DeletedPhotosAnswer

    /// Lists deleted photos of a stream.
    package init(_ answer: DeletedPhotosAnswer, of stream: StreamName) {
        self.stream = stream
        self.answer = answer
    }

    package static let schemaName: String? = "DeletedPhotos"

    package static func describe(_ members: inout some MemberList<DeletedPhotosList>) {
        members.always("stream", about: "The stream's name.") { $0.stream.rawValue }
        members.always("photos", about: "The photos as they were, those deleted last first.") { $0.answer.photos }
        members.always("truncated", about: "Whether more photos follow.") { $0.answer.isTruncated }
    }
}

extension DeletedPhotosAnswer.Entry: WireObject {
    package static let schemaName: String? = "DeletedPhoto"

    package static func describe(_ members: inout some MemberList<DeletedPhotosAnswer.Entry>) {
        members.always("deletedAt", about: "The time of the deletion.") { Moment.text($0.deletedAtMilliseconds) }
        members.always("photo", about: "The photo as it was.") { $0.photo }
        members.optional(
            "placeholder", about: "The ThumbHash of its picture, in base64; left out if it was not decoded."
        ) { $0.placeholder }
        members.optional("color", about: "The dominant colour of its picture, such as `#b98a90`.") {
            $0.color?.description
        }
    }
}

extension StatsAnswer: WireObject {
    package static func describe(_ members: inout some MemberList<StatsAnswer>) {
        members.always("streams", about: "The streams, by name.") { $0.streams }
        members.always("fileBytes", about: "The bytes of the file.") { $0.fileByteCount }
        members.always("filePhotos", about: "The photos of all streams of the file.") { $0.fileCount }
    }
}

extension StreamStats: WireObject {
    package static let schemaName: String? = "Stats"

    package static func describe(_ members: inout some MemberList<StreamStats>) {
        members.always("stream", about: "The name.") { $0.name.rawValue }
        members.always("count", about: "The number of photos.") { $0.count }
        members.always("dated", about: "Photos with a capture time.") { $0.datedCount }
        members.nullable("firstDay", about: "The first date, with the digits that are known.") {
            $0.dates?.first.digits
        }
        members.nullable("lastDay", about: "The last date, with the digits that are known.") { $0.dates?.last.digits }
        members.always("captioned", about: "Photos with a caption.") { $0.captionedCount }
        members.always("positioned", about: "Photos with coordinates.") { $0.positionedCount }
        members.always("measured", about: "Photos whose size in pixels is known.") {
            $0.sources[.measured, default: 0]
        }
        members.always("ratio", about: "Photos whose ratio alone is known.") { $0.sources[.ratio, default: 0] }
        members.always("assumed", about: "Photos without a size.") { $0.sources[.assumed, default: 0] }
        members.always("edited", about: "Photos of which a person edited something.") { $0.editedCount }
        members.always("moved", about: "Photos that a person moved.") { $0.movedCount }
        members.always("landscape", about: "Photos that are wider than high.") { $0.landscapeCount }
        members.always("portrait", about: "Photos that are higher than wide.") { $0.portraitCount }
        members.always("square", about: "Photos that are as high as wide.") { $0.squareCount }
        members.always("panoramas", about: "Photos at least twice as wide as high.") { $0.panoramaCount }
        members.always("towers", about: "Photos at least twice as high as wide.") { $0.towerCount }
        members.nullable("widest", about: "The size of the photo that is widest for its height.") {
            $0.widest.map(PixelExtent.init)
        }
        members.nullable("tallest", about: "The size of the photo that is highest for its width.") {
            $0.tallest.map(PixelExtent.init)
        }
        members.always("chunks", about: "The stored chunks.") { $0.chunks }
        members.always("logRows", about: "The stream's rows in the change log.") { $0.logRowCount }
        members.always("layouts", about: "The number of stored layouts.") { $0.layoutCount }
        members.always("layoutBytes", about: "The bytes of their checkpoints and frames.") { $0.layoutByteCount }
    }
}

extension ChunkStats: WireObject {
    package static func describe(_ members: inout some MemberList<ChunkStats>) {
        members.always("count", about: "The number of chunks.") { $0.count }
        members.always("least", about: "The photos of the smallest.") { $0.least }
        members.always("mean", about: "The photos of one on average, rounded down.") { $0.mean }
        members.always("greatest", about: "The photos of the largest.") { $0.greatest }
    }
}

extension PixelExtent {
    fileprivate init(_ size: PixelSize) {
        self.init(width: Int64(size.width), height: Int64(size.height))
    }
}
