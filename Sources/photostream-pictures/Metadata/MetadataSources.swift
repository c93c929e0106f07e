import PhotoStreamModel
import PhotoStreamPictureMessages

/// The metadata of one file or sidecar, from which each field is taken by ``MetadataOrder``.
struct MetadataSources {
    /// The values outside XMP.
    var tags = MetadataTags()
    /// The XMP packet.
    var xmp: XMPPacket?

    /// The metadata; values that are too long are left out with a warning.
    func metadata(warnings: inout [PictureWarning]) -> PictureMetadata {
        var metadata = PictureMetadata()
        metadata.takenAt = takenAt
        metadata.title = checked(first(of: MetadataOrder.title), as: .title, warnings: &warnings)
        let caption = texts(of: MetadataOrder.caption).first { !MetadataText.isBoilerplate($0) }
        metadata.caption = checked(caption, as: .caption, warnings: &warnings)
        metadata.keywords = keywords(warnings: &warnings)
        metadata.rating = rating
        metadata.coordinate = coordinate
        let camera = Self.camera(make: first(of: MetadataOrder.make), model: first(of: MetadataOrder.model))
        metadata.camera = checked(camera, as: .camera, warnings: &warnings)
        let lens = texts(of: MetadataOrder.lens).first { $0.contains { $0.isLetter } }
        metadata.lens = checked(lens, as: .lens, warnings: &warnings)
        metadata.aperture = number(of: MetadataOrder.aperture)
        metadata.exposureTime = number(of: MetadataOrder.exposureTime)
        metadata.iso = number(of: MetadataOrder.iso)
        metadata.focalLength = number(of: MetadataOrder.focalLength)
        metadata.people = checked(people, as: .people, warnings: &warnings)
        metadata.contentIdentifier = identifier(MetadataOrder.contentIdentifier)
        metadata.burstIdentifier = identifier(MetadataOrder.burstIdentifier)
        return metadata
    }

    /// The values of a place.
    private func texts(at place: MetadataPlace) -> [String] {
        switch place {
        case .xmp(let name): xmp?.texts(name) ?? []
        case .tag(let tag): tags[tag] ?? []
        }
    }

    /// The first value of each place.
    private func texts(of places: [MetadataPlace]) -> some Sequence<String> {
        places.lazy.compactMap { texts(at: $0).first }
    }

    private func first(of places: [MetadataPlace]) -> String? { texts(of: places).first { _ in true } }

    /// The first value of some places; `nil` if it is too long to be an identifier.
    private func identifier(_ places: [MetadataPlace]) -> String? {
        first(of: places).flatMap { $0.utf8.count <= PictureMetadata.maximumIdentifierByteCount ? $0 : nil }
    }

    private func checked(_ text: String?, as kind: PhotoText, warnings: inout [PictureWarning]) -> String? {
        guard let text else { return nil }
        do {
            try kind.check(text)
            return text
        } catch {
            warnings.append(PictureWarning(.leftOut, reason: "A text was left out: \(error.description)."))
            return nil
        }
    }

    // MARK: - Times

    private var takenAt: CaptureTime? {
        guard let time = time(in: MetadataOrder.times) else {
            return satelliteTime ?? self.time(in: MetadataOrder.laterTimes)
        }
        return satelliteTime.map { MetadataTime.adding(offsetFrom: $0, to: time) } ?? time
    }

    private func time(in ranks: [[MetadataOrder.Time]]) -> CaptureTime? {
        for rank in ranks {
            let times = rank.compactMap(time)
            if let first = times.first { return times.dropFirst().reduce(first) { $0.refined(by: $1) } }
        }
        return nil
    }

    private func time(at place: MetadataOrder.Time) -> CaptureTime? {
        guard let date = texts(at: place.date).first else { return nil }
        func text(_ tag: MetadataTag?) -> String? { tag.flatMap { tags[$0]?.first } }
        let clock = text(place.clock).map { " \($0)" } ?? ""
        return MetadataTime.read(date + clock, offset: text(place.offset), fraction: text(place.fraction))
    }

    private var satelliteTime: CaptureTime? {
        guard let date = tags[.satelliteDate]?.first, let time = tags[.satelliteTime]?.first else { return nil }
        return MetadataTime.read("\(date.prefix(10)) \(time)Z")
    }

    // MARK: - Lists

    private func keywords(warnings: inout [PictureWarning]) -> [String] {
        var found: [String] = []
        for place in MetadataOrder.keywords {
            for text in texts(at: place) {
                switch place {
                case .xmp(.hierarchicalSubject): found.append(text.split(separator: "|").joined(separator: "/"))
                case .tag(.windowsKeywords):
                    found += text.split(separator: ";").compactMap { MetadataText.trimmed(String($0)) }
                case .tag(.videoKeywords):
                    found += text.split(separator: ",").compactMap { MetadataText.trimmed(String($0)) }
                default: found.append(text)
                }
            }
        }
        return checked(found, as: .tags, warnings: &warnings)
    }

    private var people: [String] { (xmp?.texts(.personInImage) ?? []) + (xmp?.peopleOfRegions ?? []) }

    private func checked(
        _ words: [String], as list: PhotoList, warnings: inout [PictureWarning]
    ) -> [String] {
        var (seen, kept, byteCount, dropped) = (Set<String>(), [String](), 0, 0)
        for word in words where seen.insert(word).inserted {
            let isTooLong = word.utf8.count > list.maximumByteCount || word.utf8.contains(0)
            if isTooLong || byteCount + word.utf8.count > list.maximumTotalByteCount {
                dropped += 1
            } else {
                kept.append(word)
                byteCount += word.utf8.count
            }
        }
        if dropped > 0 {
            warnings.append(
                PictureWarning(.leftOut, reason: "\(dropped) \(list.name) were left out: they are too long."))
        }
        return kept
    }

    // MARK: - Numbers

    private var rating: Int? {
        let written = first(of: MetadataOrder.rating).flatMap { Double($0) }
        return written.flatMap { Int(exactly: $0.rounded()) }.flatMap { -1...5 ~= $0 ? $0 : nil }
    }

    /// The first positive number of some places; XMP writes fractions.
    private func number(of places: [MetadataPlace]) -> Double? {
        for text in texts(of: places) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
            let value = parts.count == 2 ? Self.quotient(parts[0], dividedBy: parts[1]) : Double(text)
            if let value, value.isFinite, value > 0 { return value }
        }
        return nil
    }

    private static func quotient(_ numerator: Double?, dividedBy denominator: Double?) -> Double? {
        guard let numerator, let denominator, denominator != 0 else { return nil }
        return numerator / denominator
    }

    // MARK: - Positions

    private var coordinate: Coordinate? {
        let latitude = degrees(.latitude, reference: .latitudeReference, negative: "S")
        let longitude = degrees(.longitude, reference: .longitudeReference, negative: "W")
        return position(latitude: latitude, longitude: longitude)
            ?? position(
                latitude: xmp?.text(.latitude).flatMap(Self.degrees),
                longitude: xmp?.text(.longitude).flatMap(Self.degrees))
            ?? tags[.videoLocation]?.first.flatMap(position(ofVideo:))
    }

    /// Reads `48.25 11.5 500`, or a text that contains `Lat=48.25 Lon=11.5`.
    private func position(ofVideo text: String) -> Coordinate? {
        let words = text.split(separator: " ")
        func named(_ name: String) -> Double? {
            words.last { $0.hasPrefix(name) }.flatMap { Double($0.dropFirst(name.count)) }
        }
        guard words.count >= 2 else { return nil }
        return position(
            latitude: named("Lat=") ?? Double(words[0]), longitude: named("Lon=") ?? Double(words[1]))
    }

    /// The signed degrees of a tag; without a hemisphere, a number is not a position.
    private func degrees(_ value: MetadataTag, reference: MetadataTag, negative: String) -> Double? {
        guard let degrees = tags[value]?.first.flatMap({ Double($0) }), let letter = tags[reference]?.first?.prefix(1)
        else { return nil }
        return letter.uppercased() == negative ? -degrees : degrees
    }

    private func position(latitude: Double?, longitude: Double?) -> Coordinate? {
        guard let latitude, let longitude else { return nil }
        return try? Coordinate(latitude: latitude, longitude: longitude)
    }

    /// Reads XMP's notation, `41,54.123N` or `41,54,7N`, or a decimal number.
    private static func degrees(_ text: String) -> Double? {
        guard let letter = text.last, "NSEW".contains(letter) else { return Double(text) }
        let parts = text.dropLast().split(separator: ",").map { Double($0) }
        guard 1...3 ~= parts.count, let whole = parts[0] else { return nil }
        var degrees = whole
        for (place, part) in parts.enumerated().dropFirst() {
            guard let part else { return nil }
            degrees += part / (place == 1 ? 60 : 3_600)
        }
        return "SW".contains(letter) ? -degrees : degrees
    }

    // MARK: - Cameras

    /// Joins maker and model without repeating the maker.
    static func camera(make: String?, model: String?) -> String? {
        guard let make, let model else { return model ?? make }
        let maker = make.split(separator: " ").first.map { $0.lowercased() } ?? ""
        return model.lowercased().hasPrefix(maker) ? model : "\(make) \(model)"
    }
}
