import PhotoStreamLayout
package import PhotoStreamModel
package import PhotoStreamService

extension StreamSummary: WireObject {
    package static let shape = Shape<StreamSummary>(
        "Stream",
        members: [
            .always("stream", about: "The name.") { $0.name.rawValue },
            .always("order", about: "The order of its photos.", as: Schema.streamOrder) { $0.order.rawValue },
            .always("count", about: "The number of photos.") { $0.count },
            .always("revision", about: "The state of the stream; grows with every write.") { $0.revision.rawValue },
            .always("createdAt", about: "The time of its creation.") { Moment.text($0.createdAtMilliseconds) },
            .always("pictures", about: "The numbers of its pictures.") { $0.pictures },
            .always("imports", about: "The newest import, or all that the file remembers.") { $0.imports },
        ])
}

extension StreamPictures: WireObject {
    package static let shape = Shape<StreamPictures>(
        nil,
        members: [
            .always("ready", about: "Pictures that were decoded.") { $0.readyCount },
            .always("failed", about: "Pictures that cannot be decoded.") { $0.failedCount },
            .always("pending", about: "Photos that are neither: not tried yet, or without a file here.") {
                $0.pendingCount
            },
        ])
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

    package static let shape = Shape<StreamList>(
        "StreamList",
        members: [
            .always("streams", about: "The streams, by name.") { $0.streams },
            .always("truncated", about: "Whether there are more.") { $0.isTruncated },
        ])
}

extension ImportSummary: WireObject {
    package static let shape = Shape<ImportSummary>(
        "ImportRun",
        members: [
            .always("sources", about: "The first of its sources.") {
                Array($0.sources.prefix(ImportSummary.shownSourceCount))
            },
            .always("sourceCount", about: "The number of its sources.") { $0.sources.count },
            .always("startedAt", about: "The time of its start.") { Moment.text($0.startedAtMilliseconds) },
            .nullable("finishedAt", about: "The time of its end; `null` if it is running or was interrupted.") {
                $0.finishedAtMilliseconds.map(Moment.text)
            },
        ] + ImportTotals.shape.members(of: \ImportSummary.counts) + [
            .always("failures", about: "Its first rejects, in the order of the input.") { $0.failures }
        ])
}

extension ImportTotals: WireObject {
    package static let shape = Shape<ImportTotals>(
        nil,
        members: [
            .always("read", about: "Records read.") { $0.read },
            .always("inserted", about: "Photos that were new.") { $0.inserted },
            .always("updated", about: "Photos that the record changed.") { $0.updated },
            .always("unchanged", about: "Photos that were as the record says.") { $0.unchanged },
            .always("duplicate", about: "Records whose id an earlier record of the run had.") { $0.duplicate },
            .always("rejected", about: "Records that were not kept.") { $0.rejected },
            .always("assumed", about: "Records without a size, kept with an assumed one.") { $0.assumed },
        ])
}

extension ImportFailure: WireObject {
    package static let shape = Shape<ImportFailure>(
        nil,
        members: [
            .always("source", about: "The source's name.") { $0.source },
            .always("line", about: "The line, from 1.") { $0.line },
            .always("column", about: "The character in the line, from 1.") { $0.column },
            .nullable("id", about: "The record's id, where it has one.") { $0.id },
            .always("reason", about: "The reason for the rejection.") { $0.reason },
        ])
}

/// Photos of a stream, in stream order or by their ids.
package struct PhotoList: WireObject {
    let stream: StreamName
    let answer: PhotoListAnswer

    /// Lists photos of a stream.
    package init(_ answer: PhotoListAnswer, of stream: StreamName) {
        self.stream = stream
        self.answer = answer
    }

    package static let shape = Shape<PhotoList>(
        "PhotoList",
        members: [
            .always("stream", about: "The stream's name.") { $0.stream.rawValue },
            .always("photos", about: "The photos, in stream order, or in that of the ids that were asked for.") {
                zip($0.answer.photos, $0.answer.pictures).map(ShownPhoto.init)
            },
            .always("truncated", about: "Whether more photos follow.") { $0.answer.isTruncated },
            .optional("missing", about: "Of the ids that were asked for, those that the stream does not have.") {
                $0.answer.missing?.map(\.rawValue)
            },
        ])
}

extension StatsAnswer: WireObject {
    package static let shape = Shape<StatsAnswer>(
        nil,
        members: [
            .always("streams", about: "The streams, by name.") { $0.streams },
            .always("fileBytes", about: "The bytes of the file.") { $0.fileByteCount },
            .always("filePhotos", about: "The photos of all streams of the file.") { $0.fileCount },
        ])
}

extension StreamStats: WireObject {
    package static let shape = Shape<StreamStats>(
        "Stats",
        members: [
            .always("stream", about: "The name.") { $0.name.rawValue },
            .always("count", about: "The number of photos.") { $0.count },
            .always("dated", about: "Photos with a capture time.") { $0.datedCount },
            .nullable("firstDay", about: "The first date, with the digits that are known.") {
                $0.dates?.first.digits
            },
            .nullable("lastDay", about: "The last date, with the digits that are known.") { $0.dates?.last.digits },
            .always("captioned", about: "Photos with a caption.") { $0.captionedCount },
            .always("positioned", about: "Photos with coordinates.") { $0.positionedCount },
            .always("measured", about: "Photos whose size in pixels is known.") {
                $0.sources[.measured, default: 0]
            },
            .always("ratio", about: "Photos whose ratio alone is known.") { $0.sources[.ratio, default: 0] },
            .always("assumed", about: "Photos without a size.") { $0.sources[.assumed, default: 0] },
            .always("edited", about: "Photos of which a person edited something.") { $0.editedCount },
            .always("moved", about: "Photos that a person moved.") { $0.movedCount },
            .always("landscape", about: "Photos that are wider than high.") { $0.landscapeCount },
            .always("portrait", about: "Photos that are higher than wide.") { $0.portraitCount },
            .always("square", about: "Photos that are as high as wide.") { $0.squareCount },
            .always("panoramas", about: "Photos at least twice as wide as high.") { $0.panoramaCount },
            .always("towers", about: "Photos at least twice as high as wide.") { $0.towerCount },
            .nullable("widest", about: "The size of the photo that is widest for its height.") {
                $0.widest.map(PixelExtent.init)
            },
            .nullable("tallest", about: "The size of the photo that is highest for its width.") {
                $0.tallest.map(PixelExtent.init)
            },
            .always("chunks", about: "The stored chunks.") { $0.chunks },
            .always("logRows", about: "The stream's rows in the change log.") { $0.logRowCount },
            .always("layouts", about: "The number of stored layouts.") { $0.layoutCount },
            .always("layoutBytes", about: "The bytes of their checkpoints and frames.") { $0.layoutByteCount },
        ])
}

extension ChunkStats: WireObject {
    package static let shape = Shape<ChunkStats>(
        nil,
        members: [
            .always("count", about: "The number of chunks.") { $0.count },
            .always("least", about: "The photos of the smallest.") { $0.least },
            .always("mean", about: "The photos of one on average, rounded down.") { $0.mean },
            .always("greatest", about: "The photos of the largest.") { $0.greatest },
        ])
}

extension PixelExtent {
    fileprivate init(_ size: PixelSize) {
        self.init(width: Int64(size.width), height: Int64(size.height))
    }
}
