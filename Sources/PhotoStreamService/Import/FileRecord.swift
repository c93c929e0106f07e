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
    /// Values that were dropped, each as a clause that names the field.
    private(set) var warnings: [String]

    /// Creates the record of a file.
    ///
    /// - Parameters:
    ///   - id: The id of the photo.
    ///   - path: The path from the root.
    ///   - header: The contents of the file's header and of its sidecars.
    ///   - modifiedNanoseconds: The modification time, in nanoseconds since 1970.
    ///   - zone: The time zone of the modification time, as a local time.
    init(id: PhotoID, path: String, header: PictureHeader, modifiedNanoseconds: Int64, zone: TimeZone) {
        record = PhotoRecord(id: id)
        warnings = header.warnings
        record.size = .set(PhotoRecord.EncodedSize(header.size))
        record.orientation = .set(header.orientation)
        record.location = .set(Self.location(path))
        sources = [.size: .embedded, .orientation: .embedded, .text(.location): .fileName]
        let (embedded, sidecar) = (header.embedded, header.sidecar)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if let (time, source) = strongest([
            (.sidecar, sidecar?.takenAt), (.embedded, embedded.takenAt), (.fileName, FileNameDate.time(in: name)),
            (.fileTime, Self.time(ofNanoseconds: modifiedNanoseconds, zone: zone)),
        ]) {
            record.takenAt = .set(time)
            sources[.takenAt] = source
        }
        set(.title, sidecar: sidecar?.title, embedded: embedded.title)
        set(.caption, sidecar: sidecar?.caption, embedded: embedded.caption)
        set(.camera, sidecar: sidecar?.camera, embedded: embedded.camera)
        set(.rating, sidecar: sidecar?.rating, embedded: embedded.rating)
        if let (place, source) = strongest([(.sidecar, sidecar?.coordinate), (.embedded, embedded.coordinate)]) {
            record.coordinate = .set(place)
            sources[.coordinate] = source
        }
        let keywords = [(FileFieldSource.sidecar, sidecar?.keywords ?? []), (.embedded, embedded.keywords)]
        if let (source, tags) = keywords.first(where: { !$0.1.isEmpty }) {
            do {
                try PhotoTag.check(tags)
                record.tags = .set(tags)
                sources[.tags] = source
            } catch {
                warnings.append("tags is ignored: \(error.description)")
            }
        }
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
            warnings.append("\(text.name) is ignored: \(error.description)")
        }
    }

    private mutating func set(_ number: PhotoNumber, sidecar: Int?, embedded: Int?) {
        guard let (value, source) = strongest([(.sidecar, sidecar), (.embedded, embedded)]),
            number.range.contains(value)
        else { return }
        record[number] = .set(value)
        sources[.number(number)] = source
    }

    /// Returns the location of a file, which is its path unless that could be mistaken for an address.
    static func location(_ path: String) -> String {
        path.lowercased().hasPrefix("file:/") ? "./" + path : path
    }

    /// Returns a file time as a local clock showed it.
    private static func time(ofNanoseconds nanoseconds: Int64, zone: TimeZone) -> CaptureTime? {
        let milliseconds = nanoseconds >= 0 ? nanoseconds / 1_000_000 : (nanoseconds - 999_999) / 1_000_000
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1_000)) / 60
        return try? CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: offset, precision: .millisecond)
    }
}
