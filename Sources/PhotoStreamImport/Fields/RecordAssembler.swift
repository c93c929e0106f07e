import PhotoStreamModel

/// Assembles a record from field values: validates the id and the size, and drops other values that cannot be read.
struct RecordAssembler {
    /// A value that was dropped, with its offset in the record.
    struct DroppedValue {
        let field: ImportField
        let reason: String
        let offset: Int
    }

    private let mapping: FieldMapping
    private let captureTimes: CaptureTimeReader
    /// The values dropped from the last record.
    private(set) var dropped: [DroppedValue] = []

    init(_ options: ImportOptions) {
        mapping = options.mapping
        captureTimes = CaptureTimeReader(zone: options.zone)
    }

    /// Returns the record that the values describe.
    ///
    /// - Throws: ``RecordProblem`` if there is no valid id or the size is invalid.
    mutating func assemble(_ fields: RecordFields) throws(RecordProblem) -> PhotoRecord {
        try assemble(fields, of: try id(in: fields))
    }

    /// Returns the record of a known photo.
    ///
    /// The values may repeat its id.
    ///
    /// - Throws: ``RecordProblem`` if they contain another id or the size is invalid.
    mutating func assemble(_ fields: RecordFields, as id: PhotoID) throws(RecordProblem) -> PhotoRecord {
        if fields[.id].kind != .absent {
            let own = try self.id(in: fields)
            guard own == id else {
                throw RecordProblem("the id is \"\(own)\", not that of the address", at: fields[.id].start, of: .id)
            }
        }
        return try assemble(fields, of: id)
    }

    private mutating func assemble(_ fields: RecordFields, of id: PhotoID) throws(RecordProblem) -> PhotoRecord {
        dropped.removeAll(keepingCapacity: true)
        var content = PhotoRecord.Content(id: id)
        do {
            content.size = try SizeReader.size(in: fields)
        } catch {
            var problem = error
            problem.id = id.rawValue
            throw problem
        }
        content.orientation = read(.orientation, in: fields, parse: Self.orientation)
        content.takenAt = takenAt(in: fields)
        content.tags = tags(in: fields)
        content.coordinate = coordinate(in: fields)
        content.color = color(in: fields)
        for text in PhotoText.allCases { content.texts[text] = self.text(text, in: fields) }
        for number in PhotoNumber.allCases {
            content.numbers[number] = read(.number(number), in: fields) { bytes throws(ModelError) in
                try Self.number(bytes, as: number)
            }
        }
        return PhotoRecord(content)
    }

    private func id(in fields: RecordFields) throws(RecordProblem) -> PhotoID {
        let value = fields[.id]
        guard !fields.isEmpty(value) else {
            let path = mapping.isExplicit(.id) ? mapping.path(of: .id) : nil
            let source = path.map { " (it is read from \"\($0)\")" } ?? ""
            throw RecordProblem("the id is missing" + source, at: nil, of: .id)
        }
        switch value.kind {
        case .array, .object, .true, .false:
            throw RecordProblem("the id is \(fields.shown(value)), neither text nor a number", at: value.start, of: .id)
        default: break
        }
        do {
            return try PhotoID(fields.text(of: value))
        } catch {
            throw RecordProblem(error.description, at: value.start, of: .id)
        }
    }

    private mutating func takenAt(in fields: RecordFields) -> FieldChange<CaptureTime> {
        let reader = captureTimes
        return read(.takenAt, in: fields) { bytes throws(ModelError) in
            guard let time = try reader.time(bytes) else {
                throw ModelError("\"\(String(decoding: bytes, as: UTF8.self).shortened)\" is not a date")
            }
            return time
        }
    }

    private mutating func color(in fields: RecordFields) -> FieldChange<RGBColor> {
        read(.color, in: fields) { bytes throws(ModelError) in
            try RGBColor(String(decoding: bytes.trimmedBlanks, as: UTF8.self))
        }
    }

    /// Reads a scalar.
    ///
    /// A value that is not a scalar, or that `parse` rejects, is dropped; `expected` ends the reason for the first.
    private mutating func read<Value>(
        _ field: ImportField,
        in fields: RecordFields,
        expected: String = "",
        parse: (Bytes) throws(ModelError) -> Value
    ) -> FieldChange<Value> {
        let value = fields[field]
        guard value.kind != .absent else { return .keep }
        guard !fields.isEmpty(value) else { return .clear }
        guard value.isScalar else {
            return drop(value, of: field, because: "the value is \(fields.shown(value))\(expected)")
        }
        do throws(ModelError) {
            return .set(try fields.withContent(of: value, parse))
        } catch {
            return drop(value, of: field, because: error.description)
        }
    }

    private mutating func text(_ text: PhotoText, in fields: RecordFields) -> FieldChange<String> {
        let change = read(.text(text), in: fields, expected: ", not text") { bytes throws(ModelError) in
            try Self.trimmedText(bytes, as: text)
        }
        // White space beyond the four ASCII blanks is empty, too.
        if case .set("") = change { return .clear }
        return change
    }

    private mutating func tags(in fields: RecordFields) -> FieldChange<[String]> {
        let value = fields[.tags]
        guard value.kind != .absent else { return .keep }
        guard !fields.isEmpty(value) else { return .clear }
        guard value.kind != .object else { return drop(value, of: .tags, because: "the value is an object, not tags") }
        do {
            let tags = try TagReader.tags(of: value, in: fields)
            return tags.isEmpty ? .clear : .set(tags)
        } catch {
            return drop(value, of: .tags, because: error.description)
        }
    }

    private mutating func coordinate(in fields: RecordFields) -> FieldChange<Coordinate> {
        let (latitude, longitude) = (fields[.latitude], fields[.longitude])
        guard latitude.kind != .absent || longitude.kind != .absent else { return .keep }
        switch (fields.isEmpty(latitude), fields.isEmpty(longitude)) {
        case (true, true): return .clear
        case (true, false): return drop(longitude, of: .longitude, because: "longitude is given without latitude")
        case (false, true): return drop(latitude, of: .latitude, because: "latitude is given without longitude")
        case (false, false): break
        }
        guard let north = Self.degrees(latitude, in: fields) else {
            return drop(latitude, of: .latitude, because: "latitude \(fields.shown(latitude)) is not a number")
        }
        guard let east = Self.degrees(longitude, in: fields) else {
            return drop(longitude, of: .longitude, because: "longitude \(fields.shown(longitude)) is not a number")
        }
        do {
            return .set(try Coordinate(latitude: north, longitude: east))
        } catch {
            let isLatitude = !(-90.0...90.0).contains(north)
            return drop(
                isLatitude ? latitude : longitude, of: isLatitude ? .latitude : .longitude, because: error.description)
        }
    }

    private mutating func drop<Value>(
        _ value: FieldValue, of field: ImportField, because reason: String
    ) -> FieldChange<Value> {
        dropped.append(DroppedValue(field: field, reason: reason, offset: value.start))
        return .keep
    }
}

extension RecordAssembler {
    /// Returns a text without leading and trailing white space.
    ///
    /// - Throws: ``ModelError`` for a text that is too long or contains U+0000.
    static func trimmedText(_ bytes: Bytes, as kind: PhotoText) throws(ModelError) -> String {
        let trimmed = bytes.trimmedBlanks
        let hasNUL = trimmed.firstOffset(of: 0) != nil
        if let problem = kind.problem(byteCount: trimmed.count, hasNUL: hasNUL) { throw ModelError(problem) }
        let text = String(decoding: trimmed, as: UTF8.self)
        // Only white space beyond the four ASCII blanks needs the slow path: U+00A0 and the like, vertical tab, form
        // feed.
        guard let first = trimmed.first, let last = trimmed.last, isUnusual(first) || isUnusual(last) else {
            return text
        }
        return text.trimmed
    }

    private static func isUnusual(_ byte: UInt8) -> Bool { byte < 0x20 || byte >= 0x80 }

    /// Parses a whole number in the range of a photo's number.
    static func number(_ bytes: Bytes, as kind: PhotoNumber) throws(ModelError) -> Int {
        let trimmed = bytes.trimmedBlanks
        guard let number = try? DecimalNumber(trimmed), number.isWhole, let size = number.scaled(byPowerOfTen: 0),
            kind.range.contains(number.isNegative ? -size : size)
        else { throw kind.problem(of: String(decoding: trimmed, as: UTF8.self).shortened) }
        return number.isNegative ? -size : size
    }

    /// Parses an orientation: a number, or the words that EXIF tools print.
    static func orientation(_ bytes: Bytes) throws(ModelError) -> Orientation {
        let trimmed = bytes.trimmedBlanks
        if trimmed.count == 1, let orientation = Orientation(rawValue: trimmed[0] &- UInt8(ascii: "0")) {
            return orientation
        }
        let text = String(decoding: trimmed, as: UTF8.self)
        if let index = orientationWords.firstIndex(of: text.lowercased()) { return Orientation.allCases[index] }
        if let number = try? DecimalNumber(trimmed), number.isWhole, !number.isNegative,
            let value = number.scaled(byPowerOfTen: 0), value <= 8,
            let orientation = Orientation(rawValue: UInt8(value))
        {
            return orientation
        }
        throw ModelError("\"\(text.shortened)\" is not an orientation from 1 to 8")
    }

    /// The words that exiftool prints for 1 to 8, in lower case.
    private static let orientationWords = [
        "horizontal (normal)", "mirror horizontal", "rotate 180", "mirror vertical",
        "mirror horizontal and rotate 270 cw", "rotate 90 cw", "mirror horizontal and rotate 90 cw", "rotate 270 cw",
    ]

    /// Parses degrees in plain decimal notation, without `nan` or hexadecimal numbers.
    static func degrees(_ value: FieldValue, in fields: RecordFields) -> Double? {
        guard value.isScalar else { return nil }
        return fields.withContent(of: value) { bytes in
            guard (try? DecimalNumber(bytes)) != nil else { return nil }
            return Double(String(decoding: bytes.trimmedBlanks, as: UTF8.self))
        }
    }
}
