public import PhotoStreamModel

extension JSONWriter {
    /// Writes all streams.
    public mutating func value(_ streams: [StreamSummary]) {
        object { writer in
            writer.key("streams")
            writer.array(streams) { $0.value($1) }
        }
    }

    /// Writes streams of a list; `isTruncated` says whether there are more after them.
    public mutating func value(_ streams: [StreamSummary], isTruncated: Bool) {
        object { writer in
            writer.key("streams")
            writer.array(streams) { $0.value($1) }
            writer.key("truncated")
            writer.value(isTruncated)
        }
    }

    /// Writes a stream with its imports.
    public mutating func value(_ stream: StreamSummary) {
        object { writer in
            writer.member("stream", stream.name.rawValue)
            writer.member("order", stream.order.rawValue)
            writer.member("count", stream.count)
            writer.member("revision", stream.revision.rawValue)
            writer.member("createdAt", Moment.text(stream.createdAtMilliseconds))
            writer.key("imports")
            writer.array(stream.imports) { $0.value($1) }
        }
    }

    /// Writes photos in stream order.
    public mutating func value(_ answer: PhotoListAnswer, of stream: StreamName) {
        object { writer in
            writer.member("stream", stream.rawValue)
            writer.key("photos")
            writer.array(answer.photos) { $0.value($1) }
            writer.key("truncated")
            writer.value(answer.isTruncated)
        }
    }

    /// Writes the counts of an import as members of an object.
    public mutating func members(of totals: ImportTotals) {
        member("read", totals.read)
        member("inserted", totals.inserted)
        member("updated", totals.updated)
        member("unchanged", totals.unchanged)
        member("duplicate", totals.duplicate)
        member("rejected", totals.rejected)
        member("assumed", totals.assumed)
    }

    private mutating func value(_ summary: ImportSummary) {
        object { writer in
            writer.key("sources")
            writer.array(summary.sources.prefix(ImportSummary.shownSourceCount)) { $0.value($1) }
            writer.member("sourceCount", summary.sources.count)
            writer.member("startedAt", Moment.text(summary.startedAtMilliseconds))
            writer.member("finishedAt", orNull: summary.finishedAtMilliseconds.map(Moment.text))
            writer.members(of: summary.counts)
            writer.key("failures")
            writer.array(summary.failures) { writer, failure in
                writer.object { writer in
                    writer.member("source", failure.source)
                    writer.member("line", failure.line)
                    writer.member("column", failure.column)
                    writer.member("id", orNull: failure.id)
                    writer.member("reason", failure.reason)
                }
            }
        }
    }
}
