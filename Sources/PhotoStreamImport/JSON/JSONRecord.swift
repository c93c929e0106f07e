package import PhotoStreamModel

/// One record that is JSON in memory: read as an import reads it, but what an import would drop is an error.
///
/// Of a size or a place it may have one value; the other is then what is stored.
package struct JSONRecord: Sendable {
    /// The photo.
    package let id: PhotoID
    private let bytes: [UInt8]
    private let values: [FieldValue]
    private let assembler: RecordAssembler
    /// What it says apart from values that lack their other.
    private let rest: PhotoRecord
    /// The values that it lacks beside others that it has.
    private let missing: [ImportField]

    /// Reads a record.
    ///
    /// - Parameters:
    ///   - object: The members, without an id or with that of the photo; others than an import knows are passed over.
    ///   - id: The photo.
    /// - Throws: ``JSONRefusal`` for a wrong id, and a value that cannot be read.
    package init(_ object: JSONObject, for id: PhotoID) throws {
        var values = [FieldValue](repeating: .absent, count: ImportField.count)
        for member in object.members {
            guard let field = ImportField(rawValue: member.name) else { continue }
            values[field.index] = member.place
        }
        (self.id, self.bytes, self.values) = (id, object.bytes, values)
        assembler = RecordAssembler(try ImportOptions(format: .json))
        var (whole, missing) = (values, [ImportField]())
        for (given, other) in try Self.halves(of: values, in: self.bytes) {
            whole[given.index] = .absent
            missing.append(other)
        }
        self.missing = missing
        rest = try Self.record(self.bytes, whole, for: id, assembler)
    }

    /// What it says about the photo.
    ///
    /// - Parameter stored: The photo as it is, which has what the record lacks of a size or a place; `nil` where nothing
    ///   stays that the record does not name.
    /// - Returns: The record.
    /// - Throws: ``JSONRefusal`` where a value has its other neither here nor there, or does not go with it.
    package func changes(to stored: Photo?) throws -> PhotoRecord {
        guard !missing.isEmpty else { return rest }
        var (bytes, values) = (bytes, values)
        for field in missing {
            guard let text = stored?.text(of: field) else { throw JSONRefusal(missing: field) }
            values[field.index] = FieldValue(.number, bytes.count, bytes.count + text.utf8.count)
            bytes += text.utf8
        }
        return try Self.record(bytes, values, for: id, assembler, missing)
    }

    /// The values whose other is not named, and that other.
    ///
    /// - Throws: ``JSONRefusal`` where the other is named and has no value.
    private static func halves(
        of values: [FieldValue], in bytes: [UInt8]
    ) throws -> [(given: ImportField, other: ImportField)] {
        try bytes.withUnsafeBytes { bytes in
            let fields = RecordFields(bytes, values)
            return try ImportField.pairs.filter { given, other in
                guard !fields.isEmpty(fields[given]), fields.isEmpty(fields[other]) else { return false }
                guard fields[other].kind == .absent else { throw JSONRefusal(missing: other) }
                return true
            }
        }
    }

    private static func record(
        _ bytes: [UInt8], _ values: [FieldValue], for id: PhotoID, _ assembler: RecordAssembler,
        _ missing: [ImportField] = []
    ) throws -> PhotoRecord {
        var assembler = assembler
        let record: PhotoRecord
        do {
            record = try bytes.withUnsafeBytes { try assembler.assemble(RecordFields($0, values), as: id).record }
        } catch let error as RecordProblem {
            // What is stored is not to blame.
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
    /// A value is given, and what belongs to it is missing.
    fileprivate init(missing field: ImportField) {
        let given = field.other ?? field
        self.init(reason: "\(given) is given, but \(field) is missing", field: field.rawValue, isSyntax: false)
    }
}

extension ImportField {
    /// The fields that make a value only together with another, and that other.
    fileprivate static let pairs: [(given: ImportField, other: ImportField)] = [
        (.width, .height), (.height, .width), (.latitude, .longitude), (.longitude, .latitude),
    ]

    /// The field that it makes a value together with.
    fileprivate var other: ImportField? { Self.pairs.first { $0.given == self }?.other }
}

extension Photo {
    /// A stored value that belongs to another, as JSON shows it.
    fileprivate func text(of field: ImportField) -> String? {
        switch field {
        case .width: text(ofSide: ownSize.width)
        case .height: text(ofSide: ownSize.height)
        case .latitude: coordinate.map { "\($0.latitude)" }
        case .longitude: coordinate.map { "\($0.longitude)" }
        default: nil
        }
    }

    private func text(ofSide side: Int32) -> String? {
        switch metricsSource {
        case .measured: "\(side)"
        // In tenths, as a ratio is told.
        case .ratio: "\(Double(side) / 10)"
        case .assumed: nil
        }
    }
}
