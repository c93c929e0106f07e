import PhotoStreamModel

extension JSONWriter {
    /// Writes what there is in streams and in the file.
    public mutating func value(_ answer: StatsAnswer) {
        object { writer in
            writer.key("streams")
            writer.array(answer.streams) { $0.value($1) }
            writer.member("fileBytes", answer.fileByteCount)
            writer.member("filePhotos", answer.fileCount)
        }
    }

    /// Writes what there is in a stream.
    public mutating func value(_ stats: StreamStats) {
        object { writer in
            writer.member("stream", stats.name.rawValue)
            writer.member("count", stats.count)
            writer.member("dated", stats.datedCount)
            writer.key("firstDay")
            writer.value(stats.dates?.first)
            writer.key("lastDay")
            writer.value(stats.dates?.last)
            writer.member("captioned", stats.captionedCount)
            writer.member("positioned", stats.positionedCount)
            writer.member("measured", stats.sources[.measured, default: 0])
            writer.member("ratio", stats.sources[.ratio, default: 0])
            writer.member("assumed", stats.sources[.assumed, default: 0])
            writer.member("edited", stats.editedCount)
            writer.member("moved", stats.movedCount)
            writer.member("landscape", stats.landscapeCount)
            writer.member("portrait", stats.portraitCount)
            writer.member("square", stats.squareCount)
            writer.member("panoramas", stats.panoramaCount)
            writer.member("towers", stats.towerCount)
            writer.key("widest")
            writer.value(stats.widest)
            writer.key("tallest")
            writer.value(stats.tallest)
            writer.key("chunks")
            writer.object { writer in
                writer.member("count", stats.chunks.count)
                writer.member("least", stats.chunks.least)
                writer.member("mean", stats.chunks.mean)
                writer.member("greatest", stats.chunks.greatest)
            }
            writer.member("logRows", stats.logRowCount)
            writer.member("layouts", stats.layoutCount)
            writer.member("layoutBytes", stats.layoutByteCount)
        }
    }

    private mutating func value(_ size: PixelSize?) {
        guard let size else { return null() }
        object { writer in
            writer.member("width", size.width)
            writer.member("height", size.height)
        }
    }

    private mutating func value(_ date: OrderDate?) {
        if let digits = date?.digits { value(digits) } else { null() }
    }
}
