import PhotoStreamModel
import PhotoStreamPictureMessages

/// The boxes that describe a video in an ISO base media or QuickTime file.
///
/// The `moov` box lies before or after all frames; a few hundred bytes of it are read.
///
/// Source: ISO/IEC 14496-12, sections 8.2, 8.3, 8.5 and 8.8; Apple's "QuickTime File Format Specification", "Metadata".
struct MovieBoxes {
    /// The maximum number of bytes of one description that are read.
    private static let maximumByteCount = 64 << 10
    /// The seconds from 1904, at whose beginning times begin, to 1970.
    private static let secondsTo1970 = 2_082_844_800
    /// The name of the local time in QuickTime's metadata.
    private static let dateName = Array("com.apple.quicktime.creationdate".utf8)

    /// The width before rotation, as displayed.
    private(set) var width = 0
    /// The height before rotation, as displayed.
    private(set) var height = 0
    /// The orientation.
    private(set) var orientation = Orientation.up
    /// The duration in seconds; `nil` if it is unknown.
    private(set) var duration: Double?
    /// The four characters of the codec.
    private(set) var codec: String?
    /// The time at which the file was made, in milliseconds since 1970.
    private(set) var instant: Int64?
    /// The local time at which it was made, as written.
    private(set) var date: String?

    /// Reads the boxes.
    ///
    /// - Throws: ``PictureFailure`` if they are damaged or do not describe a video.
    init(of file: OpenedPicture) throws(PictureFailure) {
        guard let movie = try FileBox.first("moov", of: file) else { throw Self.damaged }
        let boxes = try movie.children(of: file)
        let tracks = boxes.filter { $0.isKind("trak") }
        guard !tracks.isEmpty else { throw Self.damaged }
        guard try readFirstVideo(tracks, of: file) else {
            throw PictureFailure(.notAPicture, reason: "The file has no video track.")
        }
        try readTimes(boxes, of: file)
        // Cameras write the metadata next to the tracks, other programs one box below.
        var lists = boxes
        for box in boxes where box.isKind("udta") { lists += try box.children(of: file) }
        for list in lists where list.isKind("meta") && date == nil { date = try Self.date(in: list, of: file) }
    }

    private static let damaged = PictureFailure(.damaged, reason: "The video's header is cut off or damaged.")

    /// Returns the first box of a path, such as that of a table in a track.
    private static func box(
        _ path: [StaticString], in box: FileBox, of file: OpenedPicture
    ) throws(PictureFailure) -> FileBox? {
        var found = box
        for kind in path {
            guard let next = try found.children(of: file).first(where: { $0.isKind(kind) }) else { return nil }
            found = next
        }
        return found
    }

    // MARK: - Tracks

    /// Reads the first track of video, which is also the one that ffmpeg takes.
    ///
    /// - Returns: Whether there is one.
    private mutating func readFirstVideo(_ tracks: [FileBox], of file: OpenedPicture) throws(PictureFailure) -> Bool {
        for track in tracks {
            guard let media = try Self.box(["mdia"], in: track, of: file),
                let handler = try Self.box(["hdlr"], in: media, of: file)?.bytes(of: file, atMost: 12),
                handler.has("vide", at: 8)
            else { continue }
            let header = try Self.box(["tkhd"], in: track, of: file)?.bytes(of: file, atMost: 128) ?? []
            let descriptions = try Self.box(["minf", "stbl", "stsd"], in: media, of: file)
            readSize(header, description: try descriptions?.bytes(of: file, atMost: Self.maximumByteCount) ?? [])
            return true
        }
        return false
    }

    /// Reads the size, the orientation and the codec.
    ///
    /// The header has the displayed size. If that is the size of the coded frames, their pixels may still have another
    /// shape than a square.
    private mutating func readSize(_ header: [UInt8], description: [UInt8]) {
        func number(at place: Int) -> Int? { header.number(at: place, count: 4, isBigEndian: true) }
        // After times and durations of 32 or 64 bits.
        let matrix = header.first == 1 ? 52 : 40
        if let wide = number(at: matrix + 36), let high = number(at: matrix + 40) {
            (width, height) = (Self.side(wide), Self.side(high))
        }
        let parts = [0, 4, 12, 16].map { number(at: matrix + $0).map { Int(Int32(truncatingIfNeeded: $0)) } ?? 0 }
        orientation = Self.orientation(a: parts[0], b: parts[1], c: parts[2], d: parts[3])
        codec = Self.text(description, at: 12)
        guard let codedWidth = description.number(at: 40, count: 2, isBigEndian: true),
            let codedHeight = description.number(at: 42, count: 2, isBigEndian: true), codedWidth > 0, codedHeight > 0
        else { return }
        guard width == 0 || height == 0 || (width, height) == (codedWidth, codedHeight) else { return }
        (width, height) = (codedWidth, codedHeight)
        let length = description.number(at: 8, count: 4, isBigEndian: true) ?? 0
        let end = min(description.count, 8 + length)
        guard end > 94 else { return }
        for box in HEIFBox.children(of: description, in: 94..<end) where box.isKind("pasp") {
            guard let horizontal = box.number(at: 0, count: 4, of: description),
                let vertical = box.number(at: 4, count: 4, of: description), horizontal > 0, vertical > 0
            else { return }
            width = (codedWidth * horizontal + vertical / 2) / vertical
        }
    }

    /// Reads a length of 16 bits before and 16 after the point; some programs write whole numbers, which are small.
    private static func side(_ number: Int) -> Int { number & 0xFFF0_0000 == 0 ? number : number >> 16 }

    /// Returns the orientation of a matrix whose rows are (a, b) and (c, d): a pixel at (x, y) is shown at
    /// (ax + cy, bx + dy).
    private static func orientation(a: Int, b: Int, c: Int, d: Int) -> Orientation {
        if abs(a) + abs(d) >= abs(b) + abs(c) {
            return a < 0 ? (d < 0 ? .down : .upMirrored) : (d < 0 ? .downMirrored : .up)
        }
        return b < 0 ? (c < 0 ? .rightMirrored : .left) : (c < 0 ? .right : .leftMirrored)
    }

    /// Returns four printable characters without the spaces at their end.
    private static func text(_ bytes: [UInt8], at place: Int) -> String? {
        guard place + 4 <= bytes.count else { return nil }
        let characters = bytes[place..<place + 4]
        guard characters.allSatisfy({ 0x20...0x7E ~= $0 }) else { return nil }
        return MetadataText.trimmed(String(decoding: characters, as: UTF8.self))
    }

    // MARK: - Times

    /// Reads the duration and the time of the movie; a movie in fragments has its duration in a box of its own.
    private mutating func readTimes(_ boxes: [FileBox], of file: OpenedPicture) throws(PictureFailure) {
        let header = try boxes.first { $0.isKind("mvhd") }?.bytes(of: file, atMost: 32) ?? []
        let isLong = header.first == 1
        func number(_ bytes: [UInt8], at place: Int, isLong: Bool) -> Int? {
            guard isLong else { return bytes.number(at: place, count: 4, isBigEndian: true) }
            guard let high = bytes.number(at: place, count: 4, isBigEndian: true), high < 1 << 31,
                let low = bytes.number(at: place + 4, count: 4, isBigEndian: true)
            else { return nil }
            return high << 32 | low
        }
        instant = number(header, at: 4, isLong: isLong).flatMap(Self.instant)
        guard let scale = header.number(at: isLong ? 20 : 12, count: 4, isBigEndian: true), scale > 0 else { return }
        var units = number(header, at: isLong ? 24 : 16, isLong: isLong) ?? 0
        // All bits mean that it is unknown.
        if units == 0 || !isLong && units == 0xFFFF_FFFF {
            units = 0
            if let extends = boxes.first(where: { $0.isKind("mvex") }),
                let bytes = try Self.box(["mehd"], in: extends, of: file)?.bytes(of: file, atMost: 12)
            {
                units = number(bytes, at: 4, isLong: bytes.first == 1) ?? 0
            }
        }
        if units > 0 { duration = Double(units) / Double(scale) }
    }

    /// Returns the instant of seconds since 1904; `nil` for none.
    ///
    /// Like exiftool, it takes numbers from before 1970 for seconds since 1970.
    private static func instant(seconds: Int) -> Int64? {
        guard seconds > 0, seconds < 1 << 40 else { return nil }
        return Int64(seconds >= secondsTo1970 ? seconds - secondsTo1970 : seconds) * 1_000
    }

    /// Returns the local time in a box of metadata, whose list has the values under the numbers of their names.
    private static func date(in box: FileBox, of file: OpenedPicture) throws(PictureFailure) -> String? {
        // In ISO files, a version precedes the boxes.
        let isVersioned = !(try box.bytes(of: file, atMost: 8)).has("hdlr", at: 4)
        let parts = try box.children(of: file, after: isVersioned ? 4 : 0)
        guard let names = try parts.first(where: { $0.isKind("keys") })?.bytes(of: file, atMost: maximumByteCount),
            let list = parts.first(where: { $0.isKind("ilst") })
        else { return nil }
        let places = HEIFBox.children(of: names, in: min(8, names.count)..<names.count)
        guard let place = places.firstIndex(where: { names[$0.content].elementsEqual(dateName) }) else { return nil }
        for value in try list.children(of: file)
        where value.kind.number(at: 0, count: 4, isBigEndian: true) == place + 1 {
            guard let data = try Self.box(["data"], in: value, of: file) else { continue }
            // After the type and the language.
            return MetadataText.decoded(try data.bytes(of: file, atMost: 256).dropFirst(8))
        }
        return nil
    }
}
