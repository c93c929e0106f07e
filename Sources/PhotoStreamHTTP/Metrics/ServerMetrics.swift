import Foundation
import HTTPTypes
import PhotoStreamPrimary
import PhotoStreamService

/// The content of `/metrics`: requests and their times, the load of each lane, folds, event clients, files, thumbnails.
struct ServerMetrics: Sendable {
    let service: PhotoStreamService
    let pools: WorkerPools
    let events: EventHub
    let watches: ClientWatches
    /// `nil` if the server makes no thumbnails.
    let pictures: PictureMaker?
    /// `nil` if the file is not a replica.
    let follower: Follower?
    let meter: RequestMeter
    /// The time at which the server started.
    let start = Date()

    /// Returns all metrics; those of a file that cannot be read are omitted, since the others show the reason.
    ///
    /// - Throws: ``Problem`` if the condition of the file is not known.
    func text() throws(Problem) -> String {
        let condition = try events.condition
        var text = MetricsText()
        addRequests(to: &text)
        addLoad(to: &text)
        addFolds(to: &text)
        addFile(condition, to: &text)
        addReplica(condition, to: &text)
        addPrimary(condition, to: &text)
        addPictures(condition, to: &text)
        addProcess(to: &text)
        return text.text
    }

    private func addRequests(to text: inout MetricsText) {
        let series = meter.series.sorted { ($0.name, $0.method, $0.status) < ($1.name, $1.method, $1.status) }
        text.add(
            "photostream_requests_total", as: .counter, about: "Answers by route, method and status.",
            samples: series.map {
                MetricsText.Sample($0.count, labels: $0.labels + [("status", String($0.status))])
            })
        var samples: [MetricsText.Sample] = []
        let routes = Dictionary(grouping: series) { [$0.method, $0.name] }
        for (_, ofRoute) in routes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let labels = ofRoute[0].labels
            var count = 0
            for (number, bound) in RequestMeter.bounds.enumerated() {
                count += ofRoute.reduce(0) { $0 + $1.counts[number] }
                samples.append(
                    MetricsText.Sample(
                        count, suffix: "_bucket", labels: labels + [("le", MetricsText.text(of: bound))]))
            }
            let all = ofRoute.reduce(0) { $0 + $1.count }
            samples += [
                MetricsText.Sample(all, suffix: "_bucket", labels: labels + [("le", "+Inf")]),
                MetricsText.Sample(
                    ofRoute.reduce(.zero) { $0 + $1.time } / .seconds(1), suffix: "_sum", labels: labels),
                MetricsText.Sample(all, suffix: "_count", labels: labels),
            ]
        }
        text.add(
            "photostream_request_duration_seconds", as: .histogram, about: "Times to the head of an answer, by route.",
            samples: samples)
    }

    private func addLoad(to text: inout MetricsText) {
        text.add("photostream_connections", as: .gauge, about: "Open connections.", value: watches.count)
        text.add(
            "photostream_lane_requests", as: .gauge, about: "Requests that run or wait, by lane.",
            samples: pools.lanes.map { MetricsText.Sample($0.requestCount, labels: [("lane", $0.name)]) })
        text.add(
            "photostream_lane_limit", as: .gauge,
            about: "Requests that may run or wait, by lane.",
            samples: pools.lanes.map { MetricsText.Sample($0.limit, labels: [("lane", $0.name)]) })
        text.add(
            "photostream_event_clients", as: .gauge, about: "Clients that follow streams.", value: events.clientCount)
        text.add(
            "photostream_event_lag_seconds", as: .gauge,
            about: "The longest time for which a client has not been sent a change.", value: events.lag / .seconds(1))
    }

    private func addFolds(to text: inout MetricsText) {
        let work = service.work
        text.add(
            "photostream_layout_hits_total", as: .counter, about: "Questions about a layout that needed no fold.",
            value: work.hitCount)
        text.add(
            "photostream_layouts_resolved_total", as: .counter,
            about: "Layouts that were computed or brought up to date.", value: work.resolvedLayoutCount)
        text.add(
            "photostream_layout_waits_total", as: .counter, about: "Questions that waited for the fold of another one.",
            value: work.awaitedFoldCount)
        text.add(
            "photostream_chunks_total", as: .counter, about: "Chunks of layouts, by what was done with them.",
            samples: [
                MetricsText.Sample(work.foldedChunkCount, labels: [("work", "folded")]),
                MetricsText.Sample(work.reusedChunkCount, labels: [("work", "reused")]),
                MetricsText.Sample(work.placedAgainCount, labels: [("work", "placed again")]),
                MetricsText.Sample(work.writtenPlacementCount, labels: [("work", "stored")]),
            ])
    }

    private func addFile(_ condition: FileCondition, to text: inout MetricsText) {
        guard let sizes = try? condition.sizes.get() else { return }
        text.add(
            "photostream_database_bytes", as: .gauge, about: "The size of the database.", value: Int(sizes.byteCount))
        text.add(
            "photostream_database_log_bytes", as: .gauge, about: "The size of its write-ahead log.",
            value: Int(sizes.logByteCount))
        text.add(
            "photostream_database_last_write_timestamp_seconds", as: .gauge,
            about: "The time of the last write by any process.", value: Double(sizes.lastWriteMilliseconds) / 1_000)
    }

    private func addReplica(_ condition: FileCondition, to text: inout MetricsText) {
        guard let follower else { return }
        text.add(
            "photostream_replica_age_seconds", as: .gauge,
            about: "The time since the file was last known to be as new as the primary.",
            value: follower.age / .seconds(1))
        text.add(
            "photostream_replica_rebuilds_total", as: .counter,
            about: "How often the file was built again, after another history of the primary or a long absence.",
            value: follower.rebuildCount)
        text.add(
            "photostream_replica_stopped", as: .gauge,
            about: "1 if the file does not follow its primary until an operator does something.",
            value: follower.condition.isStopped ? 1 : 0)
        text.add(
            "photostream_replica_skipped_rows", as: .gauge,
            about: "Rows of the primary that do not fit into the file, which leaves them out.",
            value: follower.skippedRows.count)
        text.add(
            "photostream_replica_lost_photos_total", as: .counter,
            about:
                "Photos that the primary did not have when the file was built again from it; the former file is kept.",
            value: follower.lostPhotoCount)
        guard let revision = condition.revision else { return }
        text.add(
            "photostream_replica_revision", as: .gauge, about: "The last revision of the file.", value: Int(revision))
    }

    /// Adds the server's knowledge of its primary: the replica's lag, and the waits of its writes.
    private func addPrimary(_ condition: FileCondition, to text: inout MetricsText) {
        guard let follower, let lag = condition.lag else { return }
        if let revision = lag.primaryRevision {
            text.add(
                "photostream_primary_revision", as: .gauge,
                about: "The last revision of the primary, when the server last looked.", value: Int(revision))
        }
        text.add(
            "photostream_replica_lag_changes", as: .gauge,
            about: "The changes of the primary that the file lacks, when the server last looked.",
            value: Int(lag.changes))
        text.add(
            "photostream_replica_lag_seconds", as: .gauge,
            about: "The time since the commit of the oldest change that the file lacks; 0 if it lacks none.",
            value: lag.time / .seconds(1))
        text.add(
            "photostream_primary_writes_refused_total", as: .counter,
            about: "Writes that were answered with 503, by what kept the primary from taking them.",
            samples: follower.refusedWrites.map {
                MetricsText.Sample($0.count, labels: [("reason", $0.reason)])
            })
        text.add(
            "photostream_primary_write_retries_total", as: .counter,
            about: "How often a write was decided again, since another program was changing the same rows.",
            value: follower.repeatedWriteCount)

        let primary = follower.primary
        let waits = primary.lockWaits
        let buckets = zip(WaitHistogram.bounds, waits.counts).map { bound, count in
            MetricsText.Sample(count, suffix: "_bucket", labels: [("le", MetricsText.text(of: bound))])
        }
        text.add(
            "photostream_primary_lock_wait_seconds", as: .histogram,
            about: "Times in which writes got their turn at the primary, or gave it up to try again.",
            samples: buckets + [
                MetricsText.Sample(waits.count, suffix: "_bucket", labels: [("le", "+Inf")]),
                MetricsText.Sample(waits.sum, suffix: "_sum"), MetricsText.Sample(waits.count, suffix: "_count"),
            ])
        text.add(
            "photostream_primary_lock_holder_seconds", as: .gauge,
            about: "The time for which a transaction of another program has held up this server, by transaction.",
            samples: primary.holders.map { holder, time in
                MetricsText.Sample(time / .seconds(1), labels: holder.labels)
            })
        text.add(
            "photostream_primary_sessions_ended_total", as: .counter,
            about: "Sessions of other programs that were ended because they held up all writers.",
            value: primary.endedSessionCount)
    }

    private func addPictures(_ condition: FileCondition, to text: inout MetricsText) {
        guard let pictures else { return }
        let counts = pictures.counts
        text.add(
            "photostream_picture_workers", as: .gauge, about: "Workers that decode at once.",
            value: pictures.workerCount)
        text.add(
            "photostream_decodes_total", as: .counter, about: "Pictures that were decoded, by result.",
            samples: [
                MetricsText.Sample(counts.madeCount, labels: [("result", "made")]),
                MetricsText.Sample(counts.failedCount, labels: [("result", "failed")]),
            ])
        text.add(
            "photostream_decodes_active", as: .gauge, about: "Decodes that run or wait for a worker.",
            value: counts.activeCount)
        text.add(
            "photostream_decodes_awaited", as: .gauge, about: "Decodes that clients wait for.",
            value: counts.awaitedCount)
        guard let byteCount = condition.thumbnailByteCount else { return }
        text.add(
            "photostream_thumbnails_bytes", as: .gauge, about: "The size of the stored thumbnails.",
            value: Int(byteCount))
    }

    private func addProcess(to text: inout MetricsText) {
        text.add(
            "photostream_info", as: .gauge, about: "The version of the program.",
            samples: [MetricsText.Sample(1, labels: [("version", PhotoStreamService.version)])])
        text.add(
            "process_start_time_seconds", as: .gauge, about: "The time at which the server was started.",
            value: start.timeIntervalSince1970)

        let manager = FileManager.default
        if let files = try? manager.contentsOfDirectory(atPath: "/proc/self/fd") {
            text.add("process_open_fds", as: .gauge, about: "Open files and connections.", value: files.count)
        }
        if let words = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " "),
            words.count > 1, let pages = Int(words[1])
        {
            text.add(
                "process_resident_memory_bytes", as: .gauge, about: "Memory, with what is mapped of files.",
                value: pages * Int(sysconf(Int32(_SC_PAGESIZE))))
        }
    }
}

extension LockHolder {
    fileprivate var labels: [(name: String, value: String)] {
        [
            ("holder", name), ("role", role), ("application", application),
            ("holds_up", holdsUpAll ? "all writers" : "some rows"),
        ]
    }
}

extension RequestMeter.Series {
    fileprivate var name: String { route?.path.template ?? "none" }
    fileprivate var method: String { route?.method.rawValue ?? "none" }
    fileprivate var labels: [(name: String, value: String)] { [("route", name), ("method", method)] }
}
