import PhotoStreamModel
import PhotoStreamPictureMessages

/// The metadata blocks of one file, and their priority for each field.
struct MetadataSources {
    var exif: ExifBlock?
    var xmp: XMPPacket?
    var iptc: IPTCBlock?

    /// The metadata; values that are too long are left out with a warning.
    func metadata(warnings: inout [String]) -> PictureMetadata {
        var metadata = PictureMetadata()
        metadata.takenAt = takenAt
        metadata.title = checked(title, as: .title, warnings: &warnings)
        metadata.caption = checked(caption, as: .caption, warnings: &warnings)
        metadata.keywords = keywords(warnings: &warnings)
        metadata.rating = rating
        metadata.coordinate = coordinate
        metadata.camera = checked(camera, as: .camera, warnings: &warnings)
        return metadata
    }

    private func checked(_ text: String?, as kind: PhotoText, warnings: inout [String]) -> String? {
        guard let text else { return nil }
        do {
            try kind.check(text)
            return text
        } catch {
            warnings.append("A text was left out: \(error.description).")
            return nil
        }
    }

    /// The tags of capture and digitization times, each with its offset and its fraction.
    private static let timeTags: [(time: Int32, offset: Int32, fraction: Int32)] = [
        (0x9003, 0x9011, 0x9291), (0x9004, 0x9012, 0x9292),
    ]

    private var takenAt: CaptureTime? {
        var times: [CaptureTime?] = []
        if let exif {
            for (tag, offset, fraction) in Self.timeTags {
                times.append(
                    exif.text(tag, in: .exif).flatMap {
                        MetadataTime.read(
                            $0, offset: exif.text(offset, in: .exif), fraction: exif.text(fraction, in: .exif))
                    })
            }
        }
        times.append(xmp?.text(.dateCreated).flatMap { MetadataTime.read($0) })
        times.append(xmp?.text(.dateTimeOriginal).flatMap { MetadataTime.read($0) })
        times.append(iptcTime)
        let time = times.compactMap(\.self).first
        guard let satellites = satelliteTime else { return time }
        return time.map { MetadataTime.adding(offsetFrom: satellites, to: $0) } ?? satellites
    }

    private var iptcTime: CaptureTime? {
        guard let date = iptc?.texts(55).first, date.utf8.count == 8, let day = Self.separated(date, after: [4, 6])
        else { return nil }
        let time = iptc?.texts(60).first.flatMap { Self.separated($0, after: [2, 4]) }
        return MetadataTime.read(time.map { "\(day) \($0)" } ?? day)
    }

    /// Inserts colons into the digits at the start of a text; `nil` if there are fewer than six.
    private static func separated(_ text: String, after places: Set<Int>) -> String? {
        guard text.utf8.count >= 6, text.utf8.prefix(6).allSatisfy({ 48...57 ~= $0 }) else { return nil }
        var separated = ""
        for (place, character) in text.enumerated() {
            if places.contains(place) { separated += ":" }
            separated.append(character)
        }
        return separated
    }

    private var satelliteTime: CaptureTime? {
        guard let exif, let date = exif.text(0x1D, in: .gps) else { return nil }
        let parts = exif.fractions(7, in: .gps)
        guard parts.count == 3, parts[0] < 24, parts[1] < 60, parts[2] < 61 else { return nil }
        func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let milliseconds = Int((parts[2] * 1_000).rounded())
        let (second, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let fraction = rest == 0 ? "" : ".\(rest + 1_000)".replacing(".1", with: ".", maxReplacements: 1)
        return MetadataTime.read(
            "\(date.prefix(10)) \(padded(Int(parts[0]))):\(padded(Int(parts[1]))):\(padded(second))\(fraction)Z")
    }

    private var caption: String? {
        let candidates = [
            xmp?.text(.description), iptc?.texts(120).first, exif?.text(0x010E, in: .picture), exif?.wideText(0x9C9C),
            userComment,
        ]
        return candidates.compactMap(\.self).first { !MetadataText.isBoilerplate($0) }
    }

    private var title: String? {
        let candidates = [xmp?.text(.title), iptc?.texts(5).first, exif?.wideText(0x9C9B)]
        return candidates.compactMap(\.self).first { !MetadataText.isBoilerplate($0) }
    }

    private var userComment: String? {
        guard let exif, let bytes = exif.bytes(0x9286, in: .exif), bytes.count > 8 else { return nil }
        let content = bytes[8...]
        if bytes.has("UNICODE", at: 0) {
            let units = stride(from: 8, to: bytes.count - 1, by: 2).compactMap {
                bytes.number(at: $0, count: 2, isBigEndian: exif.isBigEndian).map { UInt16($0) }
            }
            return MetadataText.trimmed(String(decoding: units.prefix { $0 != 0 }, as: UTF16.self))
        }
        guard bytes.has("ASCII", at: 0) || bytes.prefix(8).allSatisfy({ $0 == 0 }) else { return nil }
        return MetadataText.decoded(content)
    }

    private func keywords(warnings: inout [String]) -> [String] {
        var found = (xmp?.texts(.hierarchicalSubject) ?? []).map { $0.split(separator: "|").joined(separator: "/") }
        for name in [XMPName.tagsList, .lastKeyword, .lastKeywordOld, .subject] { found += xmp?.texts(name) ?? [] }
        found += iptc?.texts(25) ?? []
        found += (exif?.wideText(0x9C9E) ?? "").split(separator: ";").compactMap { MetadataText.trimmed(String($0)) }
        var (seen, kept, byteCount, dropped) = (Set<String>(), [String](), 0, 0)
        for word in found where seen.insert(word).inserted {
            let isTooLong = word.utf8.count > PhotoTag.maximumByteCount || word.utf8.contains(0)
            if isTooLong || byteCount + word.utf8.count > PhotoTag.maximumTotalByteCount {
                dropped += 1
            } else {
                kept.append(word)
                byteCount += word.utf8.count
            }
        }
        if dropped > 0 { warnings.append("\(dropped) keywords were left out: they are too long.") }
        return kept
    }

    private var rating: Int? {
        let written = xmp?.text(.rating).flatMap { Double($0) }
        let value = written.flatMap { Int(exactly: $0.rounded()) } ?? exif?.number(0x4746, in: .picture)
        return value.flatMap { -1...5 ~= $0 ? $0 : nil }
    }

    private var coordinate: Coordinate? {
        if let exif, let latitude = Self.degrees(exif, value: 2, reference: 1, negative: "S"),
            let longitude = Self.degrees(exif, value: 4, reference: 3, negative: "W")
        {
            return try? Coordinate(latitude: latitude, longitude: longitude)
        }
        guard let latitude = xmp?.text(.latitude).flatMap(Self.degrees),
            let longitude = xmp?.text(.longitude).flatMap(Self.degrees)
        else { return nil }
        return try? Coordinate(latitude: latitude, longitude: longitude)
    }

    private static func degrees(_ exif: ExifBlock, value: Int32, reference: Int32, negative: String) -> Double? {
        let parts = exif.fractions(value, in: .gps)
        guard let whole = parts.first, let letter = exif.text(reference, in: .gps) else { return nil }
        let degrees = whole + (parts.count > 1 ? parts[1] / 60 : 0) + (parts.count > 2 ? parts[2] / 3_600 : 0)
        return letter.uppercased() == negative ? -degrees : degrees
    }

    /// Reads XMP's notation: `41,54.123N` or `41,54,7N`.
    private static func degrees(_ text: String) -> Double? {
        guard let letter = text.last, "NSEW".contains(letter) else { return nil }
        let parts = text.dropLast().split(separator: ",").map { Double($0) }
        guard 1...3 ~= parts.count, let whole = parts[0] else { return nil }
        var degrees = whole
        for (place, part) in parts.enumerated().dropFirst() {
            guard let part else { return nil }
            degrees += part / (place == 1 ? 60 : 3_600)
        }
        return "SW".contains(letter) ? -degrees : degrees
    }

    private var camera: String? {
        let make = exif?.text(0x010F, in: .picture) ?? xmp?.text(.make)
        let model = exif?.text(0x0110, in: .picture) ?? xmp?.text(.model)
        return Self.camera(make: make, model: model)
    }

    /// Joins maker and model without repeating the maker.
    static func camera(make: String?, model: String?) -> String? {
        guard let make, let model else { return model ?? make }
        let maker = make.split(separator: " ").first.map { $0.lowercased() } ?? ""
        return model.lowercased().hasPrefix(maker) ? model : "\(make) \(model)"
    }
}
