package import PhotoStreamModel

/// One record that is JSON in memory: read as an import reads it, but what an import would drop is an error.
///
/// Of a size or a place it may have one value; the other is then what is stored.
package struct JSONRecord: Sendable {
    /// Why a record is refused.
    package struct Refusal: Error, Equatable {
        /// One clause that names the offending value.
        package let reason: String
        /// The field that is to blame, if one is.
        package let field: String?
        /// Whether the bytes are no JSON object at all.
        package let isSyntax: Bool
    }

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
    ///   - bytes: A JSON object, without an id or with that of the photo.
    ///   - id: The photo.
    /// - Throws: ``Refusal`` for bytes that are no such object, a wrong id, and a value that cannot be read.
    package init(_ bytes: [UInt8], for id: PhotoID) throws {
        (self.id, self.bytes) = (id, Self.named(bytes, id))
        assembler = RecordAssembler(try ImportOptions(format: .json))
        values = try Self.values(in: self.bytes)
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
    /// - Throws: ``Refusal`` where a value has its other neither here nor there, or does not go with it.
    package func changes(to stored: Photo?) throws -> PhotoRecord {
        guard !missing.isEmpty else { return rest }
        var (bytes, values) = (bytes, values)
        for field in missing {
            guard let text = stored?.text(of: field) else { throw Refusal(missing: field) }
            values[field.index] = FieldValue(.number, bytes.count, bytes.count + text.utf8.count)
            bytes += text.utf8
        }
        return try Self.record(bytes, values, for: id, assembler, missing)
    }

    private static func values(in bytes: [UInt8]) throws -> [FieldValue] {
        try bytes.withUnsafeBytes { bytes in
            if let fault = bytes.firstUTF8Fault {
                throw Refusal(reason: "invalid UTF-8 at byte \(fault.offset)", field: nil, isSyntax: true)
            }
            var (fields, parser) = (RecordFields(), JSONRecordParser(.native))
            do throws(JSONProblem) {
                try parser.parse(bytes, into: &fields)
            } catch {
                throw Refusal(reason: error.reason(in: bytes), field: nil, isSyntax: true)
            }
            return ImportField.allCases.map { fields[$0] }
        }
    }

    /// The values whose other is not named, and that other.
    ///
    /// - Throws: ``Refusal`` where the other is named and has no value.
    private static func halves(
        of values: [FieldValue], in bytes: [UInt8]
    ) throws -> [(given: ImportField, other: ImportField)] {
        try bytes.withUnsafeBytes { bytes in
            let fields = RecordFields(bytes, values)
            return try ImportField.pairs.filter { given, other in
                guard !fields.isEmpty(fields[given]), fields.isEmpty(fields[other]) else { return false }
                guard fields[other].kind == .absent else { throw Refusal(missing: other) }
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
            record = try bytes.withUnsafeBytes { try assembler.assemble(RecordFields($0, values)).record }
        } catch let error as RecordProblem {
            // What is stored is not to blame.
            let field = error.field.map { missing.contains($0) ? $0.other ?? $0 : $0 }
            throw Refusal(reason: error.reason, field: field?.rawValue, isSyntax: false)
        }
        guard record.id == id else {
            throw Refusal(reason: "the id is \"\(record.id)\", not that of the address", field: "id", isSyntax: false)
        }
        if let dropped = assembler.dropped.first {
            throw Refusal(reason: dropped.reason, field: dropped.field.rawValue, isSyntax: false)
        }
        return record
    }

    /// The object with the photo's id as its first member; one of its own comes later and counts.
    private static func named(_ bytes: [UInt8], _ id: PhotoID) -> [UInt8] {
        func firstNonBlank(from start: Int) -> Int? {
            bytes[start...].firstIndex { !$0.isBlank && $0 != 10 && $0 != 13 }
        }
        guard let open = firstNonBlank(from: 0), bytes[open] == UInt8(ascii: "{"),
            let next = firstNonBlank(from: open + 1)
        else { return bytes }
        var member = Array("\"id\":\"".utf8)
        for byte in id.rawValue.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { member.append(UInt8(ascii: "\\")) }
            member.append(byte)
        }
        member += Array((bytes[next] == UInt8(ascii: "}") ? "\"" : "\",").utf8)
        return bytes[...open] + member + bytes[(open + 1)...]
    }
}

extension JSONRecord.Refusal {
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
