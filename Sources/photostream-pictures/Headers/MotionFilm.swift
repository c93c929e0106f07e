import Glibc
import PhotoStreamModel
import PhotoStreamPictureMessages

/// The film in the file of a motion photo, which cameras write after the picture.
///
/// Its length is in XMP, in a trailer, in a box or nowhere, depending on the camera and on the programs that have written
/// the file since. So it is found by its own boxes.
enum MotionFilm {
    /// The number of bytes of a file among which a film may begin.
    private static let maximumByteCount: Int64 = 256 << 20
    /// The number of bytes that are searched at once.
    private static let blockByteCount = 1 << 20
    /// The maximum number of places at which a film may seem to begin: each costs reads.
    private static let maximumPlaceCount = 16
    /// The kinds of the boxes of a film.
    private static let kinds: Set<[UInt8]> = Set(
        [
            "ftyp", "moov", "mdat", "free", "skip", "wide", "uuid", "meta", "udta", "styp", "sidx", "moof", "mfra",
        ].map { Array($0.utf8) })

    /// Returns the range of the film; `nil` if the picture has none.
    ///
    /// - Throws: ``PictureFailure`` if the system cannot read the file.
    /// - Complexity: O(1) for a JPEG file that ends with its picture, and O(bytes) for others; O(boxes) for HEIF.
    static func range(in file: OpenedPicture, format: PictureFormat) throws(PictureFailure) -> Range<Int64>? {
        switch format {
        case .jpeg: try range(inJPEG: file)
        case .heic, .avif: try range(inHEIF: file)
        default: nil
        }
    }

    private static func range(inJPEG file: OpenedPicture) throws(PictureFailure) -> Range<Int64>? {
        // A second picture, such as a gain map, ends like the first.
        guard try file.read(at: file.byteCount - 2, count: 2) != [0xFF, 0xD9] else { return nil }
        let name = Array("ftyp".utf8)
        var (place, placeCount) = (Int64(0), 0)
        while place < min(file.byteCount, maximumByteCount) {
            // A name across two blocks is in the first.
            let block = try file.read(at: place, count: blockByteCount + name.count - 1)
            var start = 0
            while let found = find(name, in: block, from: start) {
                let box = place + Int64(found) - 4
                if let film = try film(at: box, in: file) { return film }
                placeCount += 1
                guard placeCount < maximumPlaceCount else { return nil }
                start = found + 1
            }
            place += Int64(blockByteCount)
        }
        return nil
    }

    private static func range(inHEIF file: OpenedPicture) throws(PictureFailure) -> Range<Int64>? {
        let boxes = try FileBox.boxes(of: .file(file), in: 0..<file.byteCount)
        if let box = boxes.first(where: { $0.isKind("mpvd") }) {
            return try film(at: box.content.lowerBound, in: file)
        }
        guard let next = boxes.dropFirst().first(where: { $0.isKind("ftyp") }) else { return nil }
        return try film(at: next.range.lowerBound, in: file)
    }

    /// Returns the range of a film that begins at a place.
    private static func film(at place: Int64, in file: OpenedPicture) throws(PictureFailure) -> Range<Int64>? {
        guard place > 0 else { return nil }
        let boxes = try FileBox.boxes(of: .file(file), in: place..<file.byteCount).prefix { kinds.contains($0.kind) }
        guard let first = boxes.first, first.isKind("ftyp"), boxes.contains(where: { $0.isKind("moov") }),
            boxes.contains(where: { $0.isKind("mdat") }), let last = boxes.last
        else { return nil }
        return place..<last.range.upperBound
    }

    /// Returns the first place of some bytes.
    private static func find(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        unsafe bytes.withUnsafeBytes { bytes in
            var place = start
            while place <= bytes.count - wanted.count, let base = bytes.baseAddress,
                let found = unsafe memchr(base + place, Int32(wanted[0]), bytes.count - place)
            {
                place = unsafe UnsafeRawPointer(found) - base
                if unsafe bytes[place...].starts(with: wanted) { return place }
                place += 1
            }
            return nil
        }
    }
}
