package import PhotoStreamModel

/// A JSON record in memory.
///
/// It is read like a record of an import, except that a value which an import would drop is an error.
///
/// It may give only one value of a size or a coordinate; the stored photo supplies the other.
package struct JSONRecord: Sendable {
    /// The photo's id.
    package let id: PhotoID
    private let bytes: [UInt8]
    private let values: [FieldValue]
    private let assembler: RecordAssembler
    /// The record without incomplete pairs of values.
    private let rest: PhotoRecord
    /// The fields that are missing from incomplete pairs.
    private let missing: [ImportField]

    /// Parses a record.
    ///
    /// - Parameters:
    ///   - object: The members. The id is optional, and must be that of the photo; unknown members are ignored.
    ///   - id: The photo's id.
    /// - Throws: ``JSONRefusal`` for a wrong id and for an invalid value.
    package init(_ object: JSONObject, for id: PhotoID) throws {
        var values = [FieldValue](repeating: .absent, count: ImportField.count)
        for member in object.members {
            guard let field = ImportField(rawValue: member.name) else { continue }
            values[field.index] = member.place
        }
        (self.id, self.bytes, self.values) = (id, object.bytes, values)
        assembler = RecordAssembler(try ImportOptions(format: .json))
        var (whole, missing) = (values, [ImportField]())
        for (given, other) in try Self.incompletePairs(of: values, in: self.bytes) {
            whole[given.index] = .absent
            missing.append(other)
        }
        self.missing = missing
        rest = try Self.record(self.bytes, values: whole, for: id, assembler: assembler)
    }

    /// Returns the record to apply.
    ///
    /// - Parameter stored: The stored photo, which supplies the missing value of a size or a coordinate; `nil` if the
    ///   record replaces the photo.
    /// - Returns: The complete record.
    /// - Throws: ``JSONRefusal`` if the missing value is not stored either, or if the two values are invalid together.
    package func changes(to stored: Photo?) throws -> PhotoRecord {
        guard !missing.isEmpty else { return rest }
        var (bytes, values) = (bytes, values)
        for field in missing {
            guard let text = stored?.text(of: field) else { throw JSONRefusal(missing: field) }
            values[field.index] = FieldValue(.number, from: bytes.count, to: bytes.count + text.utf8.count)
            bytes += text.utf8
        }
        return try Self.record(bytes, values: values, for: id, assembler: assembler, missing: missing)
    }

    /// Returns the fields whose counterpart is absent, with that counterpart.
    ///
    /// - Throws: ``JSONRefusal`` if the counterpart is present but empty.
    private static func incompletePairs(
        of values: [FieldValue], in bytes: [UInt8]
    ) throws -> [(given: ImportField, other: ImportField)] {
        try bytes.withBytes { bytes in
            let fields = RecordFields(bytes, values: values)
            return try ImportField.pairs.filter { given, other in
                guard !fields.isEmpty(fields[given]), fields.isEmpty(fields[other]) else { return false }
                guard fields[other].kind == .absent else { throw JSONRefusal(missing: other) }
                return true
            }
        }
    }

    private static func record(
        _ bytes: [UInt8], values: [FieldValue], for id: PhotoID, assembler: RecordAssembler,
        missing: [ImportField] = []
    ) throws -> PhotoRecord {
        var assembler = assembler
        let record: PhotoRecord
        do {
            record = try bytes.withBytes { try assembler.assemble(RecordFields($0, values: values), as: id) }
        } catch let error as RecordProblem {
            // Blame the given value, not the stored one.
            let field = error.field.map { missing.contains($0) ? $0.other ?? $0 : $0 }
            throw JSONRefusal(reason: error.reason, field: field?.rawValue, isSyntax: false)
        }
        if let dropped = assembler.dropped.first {
            throw JSONRefusal(reason: dropped.reason, field: dropped.field.rawValue, isSyntax: false)
        }
        return record
    }
}

extension JSONRefusal {
    /// Creates an error for a value without its counterpart.
    fileprivate init(missing field: ImportField) {
        let given = field.other ?? field
        self.init(reason: "\(given) is given, but \(field) is missing", field: field.rawValue, isSyntax: false)
    }
}

extension ImportField {
    /// The fields that are only valid in pairs, each with its counterpart.
    fileprivate static let pairs: [(given: ImportField, other: ImportField)] = [
        (.width, .height), (.height, .width), (.latitude, .longitude), (.longitude, .latitude),
    ]

    /// The field that completes it.
    fileprivate var other: ImportField? { Self.pairs.first { $0.given == self }?.other }
}

extension Photo {
    /// Returns the stored value of a paired field as JSON.
    fileprivate func text(of field: ImportField) -> String? {
        switch field {
        case .width: text(ofSide: encodedSize.width)
        case .height: text(ofSide: encodedSize.height)
        case .latitude: coordinate.map { "\($0.latitude)" }
        case .longitude: coordinate.map { "\($0.longitude)" }
        default: nil
        }
    }

    private func text(ofSide side: Int32) -> String? {
        switch metricsSource {
        case .measured: "\(side)"
        // In tenths, the form in which ratios are exported.
        case .ratio: "\(Double(side) / 10)"
        case .assumed: nil
        }
    }
}
