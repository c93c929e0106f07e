import PhotoStreamModel

/// The first record of an export: `{"photostreamExport":1,"order":"newest"}`.
///
/// Only after such a record do the members `edited`, `fileFields`, `clearedFields`, `takenAtSource` and
/// `movedTo` of a record count.
struct ExportHeader: Equatable, Sendable {
    /// The maximum length of the record; a longer one is a photo.
    static let maximumByteCount = 4_096

    /// The order of the exported stream.
    let order: StreamOrder

    /// Whether a record is the header of an export, readable or not: an object with the member `photostreamExport`.
    ///
    /// A record that is not a JSON object counts if that member is its first.
    static func isHeader(_ record: Bytes) -> Bool {
        guard record.count <= maximumByteCount, record.containsName(formatName) else { return false }
        guard let members = try? JSONObject(Array(record)).members else {
            return record.firstNonBlank == UInt8(ascii: "{")
                && record.firstOffset(of: .quote).map { quote in
                    record.slice(quote + 1..<record.count).starts(with: formatName)
                } == true
        }
        return members.contains { $0.name == ExportFormat.name.description }
    }

    /// Reads a header.
    ///
    /// - Parameters:
    ///   - record: The bytes of a header.
    ///   - name: The name of the source, for errors.
    /// - Throws: ``ImportError`` for a header that this version cannot read.
    init(_ record: Bytes, name: String) throws(ImportError) {
        let members: [JSONObject.Member]
        do {
            members = try JSONObject(Array(record)).members
        } catch {
            throw ImportError("The first line of \(name) begins like that of an export, but is not a JSON object.")
        }
        let version = members.first { $0.name == ExportFormat.name.description }
        guard version?.value == .number(Double(ExportFormat.version)) else {
            throw ImportError(
                "The first line of \(name) is that of an export in another format than \(ExportFormat.version); a newer version of "
                    + "PhotoStream may read it.")
        }
        guard case .text(let text) = members.first(where: { $0.name == "order" })?.value,
            let order = StreamOrder(rawValue: text)
        else {
            let words = StreamOrder.allCases.map(\.rawValue).joined(separator: ", ")
            throw ImportError("The first line of \(name) names no order; it must be one of \(words).")
        }
        self.order = order
    }

    /// Reads the members of an exported record that are not fields.
    ///
    /// - Parameter bytes: A record that was parsed before.
    /// - Returns: The state; `nil` if it equals that of a record without the members.
    /// - Throws: ``RecordProblem`` for a value that cannot be read.
    func state(in bytes: Bytes) throws(RecordProblem) -> ExportedState? {
        guard Self.names.contains(where: bytes.containsName) else { return nil }
        let members: [JSONObject.Member]
        do {
            members = try JSONObject(Array(bytes)).members
        } catch {
            throw RecordProblem((error as? JSONRefusal)?.reason ?? "the record cannot be read", at: nil)
        }
        var state = ExportedState(editedFields: [], move: nil)
        for member in members {
            switch member.name {
            case "edited": state.editedFields = try Self.fields(member)
            case "fileFields": state.fileFields = try Self.fields(member)
            case "clearedFields": state.clearedFields = try Self.fields(member)
            case "takenAtSource": state.takenAtSource = try Self.timeSource(member)
            case "movedTo": state.move = ExportedState.Move(order: order, date: try Self.date(member))
            default: break
            }
        }
        // That of the photos of a stream without files and edits, which are imported as fast as any others.
        return state == ExportedState(editedFields: [], move: nil, takenAtSource: .record) ? nil : state
    }

    private static let formatName = Array("\(ExportFormat.name)\"".utf8)
    private static let names = ["edited", "fileFields", "clearedFields", "takenAtSource", "movedTo"]
        .map { Array("\($0)\"".utf8) }

    private static func fields(_ member: JSONObject.Member) throws(RecordProblem) -> PhotoFields {
        guard case .array(let elements) = member.value else {
            throw RecordProblem("\(member.name) is not a list of fields", at: member.place.start)
        }
        var names: [String] = []
        for element in elements {
            guard case .text(let name) = element else {
                throw RecordProblem("\(member.name) is not a list of fields", at: member.place.start)
            }
            names.append(name)
        }
        do {
            return try PhotoFields(names: names)
        } catch {
            throw RecordProblem("\(member.name): \(error.description)", at: member.place.start)
        }
    }

    private static func timeSource(_ member: JSONObject.Member) throws(RecordProblem) -> CaptureTimeSource {
        guard case .text(let text) = member.value, let source = CaptureTimeSource(name: text) else {
            let words = CaptureTimeSource.allCases.map(\.name).joined(separator: ", ")
            throw RecordProblem("takenAtSource is none of \(words)", at: member.place.start)
        }
        return source
    }

    private static func date(_ member: JSONObject.Member) throws(RecordProblem) -> CaptureTime? {
        guard case .text(let text) = member.value else {
            throw RecordProblem("movedTo is not a date, nor \"\(ExportFormat.undated)\"", at: member.place.start)
        }
        guard text != ExportFormat.undated else { return nil }
        let date = Array(text.utf8).withBytes { try? CaptureTimeReader(zone: nil).time($0) }
        guard let date else {
            throw RecordProblem("movedTo is \"\(text.shortened)\", not a date", at: member.place.start)
        }
        return date
    }
}

extension Bytes {
    /// The first byte that is not blank.
    fileprivate var firstNonBlank: UInt8? { firstNonBlankOffset.map { self[$0] } }

    /// Whether a quote precedes these bytes anywhere.
    fileprivate func containsName(_ name: [UInt8]) -> Bool {
        var from = 0
        while let quote = firstOffset(of: .quote, from: from) {
            from = quote + 1
            guard count - from >= name.count else { return false }
            if slice(from..<from + name.count).elementsEqual(name) { return true }
        }
        return false
    }
}
