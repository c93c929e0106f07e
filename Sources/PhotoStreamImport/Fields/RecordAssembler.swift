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
        content.coordinate = coordinate(in: fields)
        content.color = color(in: fields)
        content.stack = stack(in: fields)
        for text in PhotoText.allCases { content.texts[text] = self.text(text, in: fields) }
        for number in PhotoNumber.allCases {
            content.numbers[number] = read(.number(number), in: fields) { bytes throws(ModelError) in
                try NumberReader.number(bytes, as: number)
            }
        }
        for list in PhotoList.allCases { content.lists[list] = self.list(list, in: fields) }
        for flag in PhotoFlag.allCases { content.flags[flag] = self.flag(.flag(flag), in: fields) }
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

    private mutating func list(_ list: PhotoList, in fields: RecordFields) -> FieldChange<[String]> {
        let value = fields[.list(list)]
        guard value.kind != .absent else { return .keep }
        guard !fields.isEmpty(value) else { return .clear }
        guard value.kind != .object else {
            return drop(value, of: .list(list), because: "the value is an object, not \(list.name)")
        }
        do {
            let texts = try ListReader.texts(of: value, in: fields, as: list)
            return texts.isEmpty ? .clear : .set(texts)
        } catch {
            return drop(value, of: .list(list), because: error.description)
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
            let isLongitude = (-90.0...90.0).contains(north) && !(-180.0...180.0).contains(east)
            return drop(
                isLongitude ? longitude : latitude, of: isLongitude ? .longitude : .latitude,
                because: error.description)
        }
    }

    /// Reads the place in a stack: without a rank, the photo is the cover, and without a kind, a person made the stack.
    private mutating func stack(in fields: RecordFields) -> FieldChange<StackPlace> {
        let (rank, kind) = (fields[.stackRank], fields[.stackKind])
        switch read(.stack, in: fields, parse: { String(decoding: $0.trimmedBlanks, as: UTF8.self) }) {
        case .keep:
            for (value, field) in [(rank, ImportField.stackRank), (kind, .stackKind)] where !fields.isEmpty(value) {
                return drop(value, of: field, because: "\(field.name) is given without stack")
            }
            return .keep
        case .clear: return .clear
        case .set(let name):
            do throws(ModelError) {
                let place = try StackPlace(
                    stack: name, rank: fields.isEmpty(rank) ? 0 : Self.rank(rank, in: fields),
                    kind: fields.isEmpty(kind) ? .manual : StackKind(name: fields.text(of: kind).trimmed))
                return .set(place)
            } catch {
                return drop(fields[.stack], of: .stack, because: error.description)
            }
        }
    }

    private static func rank(_ value: FieldValue, in fields: RecordFields) throws(ModelError) -> Int {
        guard value.isScalar, let rank = Int(fields.text(of: value).trimmed) else {
            throw ModelError("\(fields.shown(value)) is not a rank in a stack from 0 to \(StackPlace.maximumCount)")
        }
        return rank
    }

    /// Reads a Boolean; `false` clears the field, since a photo without it is the same.
    private mutating func flag(_ field: ImportField, in fields: RecordFields) -> FieldChange<Bool> {
        let change = read(field, in: fields, expected: ", neither true nor false", parse: Self.flag)
        return change == .set(false) ? .clear : change
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

    /// Parses a Boolean: true, false, yes, no, 1 or 0, the numbers also as decimals.
    static func flag(_ bytes: Bytes) throws(ModelError) -> Bool {
        let text = String(decoding: bytes.trimmedBlanks, as: UTF8.self)
        switch text.lowercased() {
        case "true", "yes": return true
        case "false", "no": return false
        default: break
        }
        guard let number = try? DecimalNumber(bytes), number.isWhole, !number.isNegative,
            let value = number.scaled(byPowerOfTen: 0), value <= 1
        else { throw ModelError("\"\(text.shortened)\" is neither true nor false") }
        return value == 1
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
