package import PhotoStreamModel

/// One record that is JSON in memory: read as an import reads it, but what an import would drop is an error.
package enum JSONRecord {
    /// Why a record is refused.
    package struct Refusal: Error, Equatable {
        /// One clause that names the offending value.
        package let reason: String
        /// The field that is to blame, if one is.
        package let field: String?
        /// Whether the bytes are no JSON object at all.
        package let isSyntax: Bool
    }

    /// Reads a record.
    ///
    /// - Parameters:
    ///   - bytes: A JSON object, without an id or with that of the photo.
    ///   - id: The photo.
    /// - Returns: What it says about the photo.
    /// - Throws: ``Refusal`` for bytes that are no such object, a wrong id, and a value that cannot be read.
    package static func read(_ bytes: [UInt8], for id: PhotoID) throws -> PhotoRecord {
        let assembler = RecordAssembler(try ImportOptions(format: .json))
        return try named(bytes, id).withUnsafeBytes { try record(in: $0, for: id, assembler) }
    }

    private static func record(
        in bytes: UnsafeRawBufferPointer, for id: PhotoID, _ assembler: RecordAssembler
    ) throws -> PhotoRecord {
        if let fault = bytes.firstUTF8Fault {
            throw Refusal(reason: "invalid UTF-8 at byte \(fault.offset)", field: nil, isSyntax: true)
        }
        var (fields, parser, assembler) = (RecordFields(), JSONRecordParser(.native), assembler)
        do throws(JSONProblem) {
            try parser.parse(bytes, into: &fields)
        } catch {
            throw Refusal(reason: error.reason(in: bytes), field: nil, isSyntax: true)
        }
        let record: PhotoRecord
        do throws(RecordProblem) {
            record = try assembler.assemble(fields).record
        } catch {
            throw Refusal(reason: error.reason, field: nil, isSyntax: false)
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
