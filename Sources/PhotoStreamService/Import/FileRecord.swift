import Foundation
import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamPictures
import PhotoStreamStorage

/// The record of a photo from a picture's file: each field from its strongest source.
struct FileRecord {
    /// The record.
    private(set) var record: PhotoRecord
    /// The source of each field that it sets by metadata, name or time.
    private(set) var sources: [PhotoField: FileFieldSource] = [:]
    /// The parts that were left out or could not be read, each with a clause that names the field.
    private(set) var warnings: [PictureWarning]
    /// The kind of the file, for the rules of stacks.
    let kind: StackCandidate.FileKind
    /// The identifier that a live photo and its film share.
    let contentIdentifier: String?
    /// The identifier that the pictures of a burst share.
    let burst: String?
    /// The bytes that are the film of a motion photo.
    let film: Range<Int64>?

    /// The version of the reader of headers.
    ///
    /// It grows with changes after which files must be read again.
    static let readerVersion = 2

    /// Creates the record of a file.
    ///
    /// - Parameters:
    ///   - id: The id of the photo.
    ///   - path: The path from the root.
    ///   - header: The contents of the file's header and of its sidecars.
    ///   - modifiedNanoseconds: The modification time, in nanoseconds since 1970.
    ///   - now: The present time, which no modification time exceeds.
    ///   - zone: The time zone of the modification time, of a time in UTC in the name, and of a video's instant.
    init(
        id: PhotoID, path: String, header: PictureHeader, modifiedNanoseconds: Int64, now: Date = Date(), zone: TimeZone
    ) {
        record = PhotoRecord(id: id)
        warnings = header.warnings
        kind =
            switch header.format {
            case .video: .video
            case .raw: .raw
            default: .still
            }
        film = header.film
        (contentIdentifier, burst) = (header.embedded.contentIdentifier, header.embedded.burstIdentifier)
        record.size = .set(PhotoRecord.EncodedSize(header.size))
        record.orientation = .set(header.orientation)
        record.location = .set(Self.location(path))
        sources = [.size: .embedded, .orientation: .embedded, .text(.location): .fileName]
        let (embedded, sidecar) = (header.embedded, header.sidecar)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if let (time, source) = Self.refined([
            (.sidecar, sidecar?.takenAt), (.embedded, embedded.takenAt ?? Self.time(of: embedded.instant, in: zone)),
            (.fileName, FileNameDate.time(in: name, zone: zone)),
            (.fileTime, Self.time(ofNanoseconds: modifiedNanoseconds, now: now, zone: zone)),
        ]) {
            (record.takenAt, record.takenAtSource) = (.set(time), source)
            sources[.takenAt] = source
        }
        set(.title, sidecar: sidecar?.title, embedded: embedded.title)
        set(.caption, sidecar: sidecar?.caption, embedded: embedded.caption)
        set(.camera, sidecar: sidecar?.camera, embedded: embedded.camera)
        set(.lens, sidecar: sidecar?.lens, embedded: embedded.lens)
        set(.rating, sidecar: sidecar?.rating.map(Double.init), embedded: embedded.rating.map(Double.init))
        set(.aperture, sidecar: sidecar?.aperture, embedded: embedded.aperture)
        set(.exposureTime, sidecar: sidecar?.exposureTime, embedded: embedded.exposureTime)
        set(.iso, sidecar: sidecar?.iso, embedded: embedded.iso)
        set(.focalLength, sidecar: sidecar?.focalLength, embedded: embedded.focalLength)
        if header.format == .video {
            // A photo with a duration is a video, even if its length is unknown.
            set(.duration, sidecar: nil, embedded: embedded.duration ?? 0)
            set(.codec, sidecar: nil, embedded: embedded.codec)
        }
        if let (place, source) = strongest([(.sidecar, sidecar?.coordinate), (.embedded, embedded.coordinate)]) {
            record.coordinate = .set(place)
            sources[.coordinate] = source
        }
        set(.tags, sidecar: sidecar?.keywords, embedded: embedded.keywords)
        set(.people, sidecar: sidecar?.people, embedded: embedded.people)
    }

    private func strongest<Value>(_ values: [(FileFieldSource, Value?)]) -> (Value, FileFieldSource)? {
        values.lazy.compactMap { source, value in value.map { ($0, source) } }.first
    }

    private mutating func set(_ text: PhotoText, sidecar: String?, embedded: String?) {
        guard
            let (value, source) = strongest([
                (.sidecar, sidecar?.isBlank == true ? nil : sidecar),
                (.embedded, embedded?.isBlank == true ? nil : embedded),
            ])
        else { return }
        do {
            try text.check(value)
            record[text] = .set(value)
            sources[.text(text)] = source
        } catch {
            warnings.append(PictureWarning(.leftOut, reason: "\(text.name) is ignored: \(error.description)"))
        }
    }

    /// Sets a number, rounded to the decimal places that are stored; one out of range does not count.
    private mutating func set(_ number: PhotoNumber, sidecar: Double?, embedded: Double?) {
        guard let (value, source) = strongest([(.sidecar, sidecar), (.embedded, embedded)]),
            let stored = Int(exactly: (value * pow(10, Double(number.decimalPlaces))).rounded()),
            number.range.contains(stored)
        else { return }
        record[number] = .set(stored)
        sources[.number(number)] = source
    }

    private mutating func set(_ list: PhotoList, sidecar: [String]?, embedded: [String]) {
        let lists = [(FileFieldSource.sidecar, sidecar ?? []), (.embedded, embedded)]
        guard let (source, texts) = lists.first(where: { !$0.1.isEmpty }) else { return }
        do {
            try list.check(texts)
            record[list] = .set(texts)
            sources[.list(list)] = source
        } catch {
            warnings.append(PictureWarning(.leftOut, reason: "\(list.name) is ignored: \(error.description)"))
        }
    }

    /// Returns the location of a file, which is its path unless that could be mistaken for an address.
    static func location(_ path: String) -> String {
        path.lowercased().hasPrefix("file:/") ? "./" + path : path
    }

    /// Returns the strongest time, refined by weaker ones that agree with it and are more precise.
    private static func refined(
        _ times: [(FileFieldSource, CaptureTime?)]
    ) -> (CaptureTime, FileFieldSource)? {
        let known = times.compactMap { source, time in time.map { ($0, source) } }
        guard let first = known.first else { return nil }
        return known.dropFirst().reduce(first) { best, other in
            let time = best.0.refined(by: other.0)
            // The time of a file is that of a copy more often than that of a picture.
            guard time != best.0, other.1 != .fileTime else { return best }
            // Only a time of day is another fact than the day.
            return (time, best.0.precision < .minute ? other.1 : best.1)
        }
    }

    /// Returns the instant of a video as a local clock showed it; `nil` on the first day of 1970, which clocks that were
    /// never set write.
    private static func time(of instant: Int64?, in zone: TimeZone) -> CaptureTime? {
        guard let instant, !(0..<86_400_000).contains(instant) else { return nil }
        return CaptureTime(instant: instant, in: zone, precision: .second)
    }

    /// Returns a file time as a local clock showed it; `nil` for the first day of 1970 and for the future, which
    /// programs and clocks that were never set write.
    private static func time(ofNanoseconds nanoseconds: Int64, now: Date, zone: TimeZone) -> CaptureTime? {
        let day: Int64 = 86_400_000_000_000
        guard !(0..<day).contains(nanoseconds),
            Double(nanoseconds) / 1e9 <= now.timeIntervalSince1970 + Double(day) / 1e9
        else { return nil }
        let milliseconds = nanoseconds >= 0 ? nanoseconds / 1_000_000 : (nanoseconds - 999_999) / 1_000_000
        return CaptureTime(instant: milliseconds, in: zone, precision: .millisecond)
    }
}

extension PictureFileRow {
    /// Notes the sources and the warnings of a record, its film, what the rules of stacks read, and the version of the
    /// reader.
    mutating func take(_ made: FileRecord) {
        fieldSources = made.sources
        warnings = Set(made.warnings.map(\.kind))
        (kind, contentIdentifier, burst) = (made.kind, made.contentIdentifier, made.burst)
        (film, reader) = (made.film, FileRecord.readerVersion)
    }
}
