import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport
import PhotoStreamWire
import Testing

/// Shapes write objects that match their schemas.
@Suite struct ShapeTests {
    private let service: PhotoStreamService
    private let file: TemporaryDatabase
    private let stream = StreamName(stored: "wire")
    private let key: LayoutKey

    init() throws {
        file = try TemporaryDatabase()
        service = try PhotoStreamService(path: file.path, access: .readWrite, primary: file.primary) {
            1_800_000_000_000
        }
        try service.createStream(stream)
        key = try LayoutKey(
            LayoutConfiguration(
                containerLength: 900, displayScale: 1.5, captionExtent: 20,
                sections: SectionParameters(sectioning: .month, headerReferenceSize: 24),
                badgeSize: Size(width: 10, height: 10), algorithm: .masonry(MasonryParameters(columns: .count(3)))))
        var records: [PhotoRecord] = []
        for number in 0..<60 {
            var record = PhotoRecord(id: PhotoID(stored: "photo \(number)"))
            if number % 3 > 0 {
                record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 400 + 7 * number, height: 300)))
            }
            if number % 4 > 0 {
                record.takenAt = .set(
                    try CaptureTime(
                        milliseconds: 1_700_000_000_000 + Int64(number) * 400_000_000, utcOffsetMinutes: 60,
                        precision: [.year, .month, .second][number % 3]))
            }
            if number % 5 == 0 {
                (record.caption, record.alt, record.location) = (
                    .set("a \"caption\""), .set("alt"), .set("p/\(number)")
                )
                record.tags = .set(["one", "two"])
            }
            records.append(record)
        }
        try load(records)
    }

    private func load(_ records: [PhotoRecord]) throws {
        let database = try file.open(.existing)
        defer { try? database.close() }
        let row = try #require(try database.read { try $0.stream(named: stream) })
        var seen = RowIDSet()
        _ = try database.importRecords(records[...], into: row.id, seen: &seen)
    }

    /// Writes an object and compares it with the schema of its type; then writes the part that shares show and compares
    /// that with the schema as well.
    private func check<Value: WireObject>(_ value: Value, _ place: String) throws {
        let schema = Schema.object(Value.members)
        let json = try Self.object(JSONWriter.bytes { $0.value(value) })
        let difference = difference(json, from: schema, at: place)
        #expect(difference == nil)
        for options in [ShareOptions(), .positions, .names, [.positions, .names]] {
            let audience = try audience(options)
            let shown = try Self.object(JSONWriter.bytes(for: audience) { $0.value(value) })
            let expected = part(of: json, by: schema, shownTo: audience) as? [String: Any]
            #expect(shown as NSDictionary == expected.map { $0 as NSDictionary }, "\(place)")
        }
    }

    private static func object(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private func audience(_ options: ShareOptions) throws -> ShareAudience {
        let share = try service.createShare(of: stream, named: UUID().uuidString, showing: options).token
        return ShareAudience(try #require(try service.grant(forShare: share)?.share))
    }

    /// Returns the part of an answer that a share shows, which takes another way to it than the writer.
    private func part(of json: Any, by schema: Schema, shownTo audience: ShareAudience) -> Any {
        switch schema {
        case .nullable(let schema): return json is NSNull ? json : part(of: json, by: schema, shownTo: audience)
        case .array(let element):
            return (json as? [Any] ?? []).map { part(of: $0, by: element, shownTo: audience) }
        case .named(let name): return Self.named[name].map { part(of: json, by: $0, shownTo: audience) } ?? json
        case .object(let members):
            var shown: [String: Any] = [:]
            for member in members {
                guard let form = member.sharedForm, let value = (json as? [String: Any])?[member.name] else { continue }
                switch form {
                case .position where !audience.options.contains(.positions): break
                case .original where !audience.options.contains(.originals): break
                case .plain, .position, .original:
                    shown[member.name] = part(of: value, by: member.schema, shownTo: audience)
                case .photoID, .pictureKey, .cursor:
                    let sealed = { (text: String) in audience.text(text, as: form) }
                    shown[member.name] = (value as? String).map(sealed) ?? (value as? [String])?.map(sealed) ?? value
                }
            }
            return shown
        default: return json
        }
    }

    /// An object with members of all kinds, some of which are not described for shares.
    private struct Sample: WireObject {
        struct Part: WireObject {
            static func describe(_ members: inout some MemberList<Part>) {
                members.always("known", sharedAs: .plain, about: "") { _ in 1 }
                members.always("new", about: "") { _ in "secret" }
            }
        }

        static func describe(_ members: inout some MemberList<Sample>) {
            members.include { _ in Part() }
            members.always("new1", about: "") { _ in "secret" }
            members.nullable("new2", about: "") { _ in "secret" as String? }
            members.nullable("new3", about: "") { _ in nil as String? }
            members.optional("new4", about: "") { _ in ["secret"] }
            members.always("new5", about: "") { _ in Part() }
            members.always("part", sharedAs: .plain, about: "") { _ in Part() }
            members.always("parts", sharedAs: .plain, about: "") { _ in [Part(), Part()] }
            members.nullable("none", sharedAs: .photoID, about: "") { _ in nil as String? }
            members.optional("left", sharedAs: .cursor, about: "") { _ in nil as String? }
            members.always("position", sharedAs: .position, about: "") { _ in 47.5 }
            members.always("ids", sharedAs: .photoID, about: "") { _ in ["a", "b"] }
            // Only texts have another form.
            members.always("number", sharedAs: .photoID, about: "") { _ in 4 }
            members.always("object", sharedAs: .cursor, about: "") { _ in Part() }
        }
    }

    @Test func `a member that is not described for shares is hidden from them at any depth`() throws {
        let audience = try audience([])
        let ids = ["a", "b"].map { audience.text($0, as: .photoID) }
        #expect(ids.map { audience.seal.opened($0, as: .photo) } == ["a", "b"])
        #expect(
            JSONWriter.bytes(for: audience) { $0.value(Sample()) }
                == Array(
                    """
                    {"known":1,"part":{"known":1},"parts":[{"known":1},{"known":1}],"none":null,\
                    "ids":["\(ids[0])","\(ids[1])"],"number":null,"object":null}
                    """.utf8))
        let open = String(
            decoding: JSONWriter.bytes(for: try self.audience([.positions, .names])) { $0.value(Sample()) },
            as: UTF8.self)
        #expect(open.contains(#""position":47.5,"ids":["a","b"]"#) && !open.contains("secret") && !open.contains("new"))
        #expect(JSONWriter.bytes { $0.value(Sample()) }.count > open.utf8.count)
    }

    @Test func `answers match their schemas`() throws {
        let layout = try service.read { try $0.layout(key, of: stream).summary(sectionLimit: 100) }
        try check(layout, "layout")
        try check(try service.read { try $0.layout(key, of: stream).page(limit: 50) }, "page")
        let bounds = Rect(x: 0, y: 0, width: 900, height: 2_000)
        try check(try service.read { try $0.layout(key, of: stream).rect(.first(in: bounds), limit: 5) }, "rect")
        try check(try service.read { try $0.layout(key, of: stream).items(from: 0, count: 9) }, "items")
        try check(
            try service.read { try $0.layout(key, of: stream).elements(ofKind: .sectionHeader, limit: 4) }, "elements")
        try check(try service.read { try $0.layout(key, of: stream).locate(PhotoID(stored: "photo 7")) }, "locate")
        for y in [0.0, 100, 5_000, 1e6] {
            try check(try service.read { try $0.layout(key, of: stream).at(Point(x: 40, y: y)) }, "point")
        }
        try check(try service.read { try $0.layout(key, of: stream).scrubber(steps: 9) }, "scrubber")
        try check(try service.read { try $0.stats(of: stream) }, "stats")
        try check(StreamList(try service.read { try $0.streams(withAllImports: true) }), "streams")
        try check(StreamPhotosList(try service.read { try $0.photos(of: stream, limit: 100) }, of: stream), "photos")
        try check(try service.cacheStatus(), "cache")
        try check(try service.verifyDerived(), "verification")
    }

    @Test func `changes and updates match their schemas`() throws {
        let since = try service.read { try $0.state(of: stream) }.revision
        try load([PhotoRecord(id: PhotoID(stored: "new"))])
        _ = try service.deletePhotos([PhotoID(stored: "photo 9")], from: stream)
        guard case .changes(let changes) = try service.read({ try $0.changes(of: stream, since: since) }) else {
            Issue.record("no changes")
            return
        }
        #expect(changes.changes.count == 2)
        try check(changes, "changes")
        let bounds = Rect(x: 0, y: 0, width: 900, height: 8_000)
        guard
            case .changes(let updates) = try service.read({
                try $0.layout(key, of: stream).updates(since: since, in: bounds)
            })
        else {
            Issue.record("no updates")
            return
        }
        #expect(!updates.insertions.isEmpty)
        try check(updates, "updates")
        guard case .reload(let reload) = try service.read({ try $0.changes(of: stream, since: Revision(1 << 40)) })
        else {
            Issue.record("no reload")
            return
        }
        try check(reload, "reload")
    }

    @Test(arguments: ItemField.allCases)
    func `a single requested field is the only one returned`(field: ItemField) throws {
        let page = try service.read { try $0.layout(key, of: stream).page(limit: 60) }
        let bytes = JSONWriter.bytes { $0.value(page, fields: ItemFields([field])) }
        let json = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        let items = try #require(json?["items"] as? [[String: Any]])
        let names = Set(items.flatMap(\.keys))
        var allowed: Set = [field.rawValue]
        if field == .takenAt { allowed.insert("takenAtPrecision") }
        #expect(names.isSubset(of: allowed))
        let neverThere: Set<ItemField> = [
            .hidden, .latitude, .longitude, .text(.contentHash), .text(.placeholder), .color, .captionSource,
            .text(.title), .text(.camera), .number(.rating), .pictureKey, .thumbnails, .cluster, .text(.lens),
            .number(.iso), .number(.aperture), .number(.exposureTime), .number(.focalLength), .list(.people),
            .number(.duration), .text(.codec), .stack, .stackRank, .stackKind, .stackCount, .stackKinds,
            .flag(.favourite), .list(.albums), .flag(.archived),
        ]
        #expect(neverThere.contains(field) || names.contains(field.rawValue))
    }

    /// The first difference between a value and a schema, in words.
    private func difference(_ json: Any, from schema: Schema, at place: String) -> String? {
        switch schema {
        case .text, .someText, .name: return json is String ? nil : "\(place) is not a text"
        case .words(let words):
            guard let text = json as? String, words.contains(text) else { return "\(place) is not one of \(words)" }
            return nil
        case .integer:
            guard let number = json as? NSNumber, number.doubleValue == number.doubleValue.rounded() else {
                return "\(place) is not a whole number"
            }
            return nil
        case .number, .flag: return json is NSNumber ? nil : "\(place) is not a number"
        case .nullable(let schema): return json is NSNull ? nil : difference(json, from: schema, at: place)
        case .array(let element):
            guard let array = json as? [Any] else { return "\(place) is not a list" }
            return array.indices.lazy.compactMap {
                difference(array[$0], from: element, at: "\(place)[\($0)]")
            }.first
        case .object(let members), .onlyObject(let members):
            guard let object = json as? [String: Any] else { return "\(place) is not an object" }
            let unknown = Set(object.keys).subtracting(members.map(\.name))
            guard unknown.isEmpty else { return "\(place) has \(unknown)" }
            for member in members {
                if let value = object[member.name] {
                    if let found = difference(value, from: member.schema, at: "\(place).\(member.name)") {
                        return found
                    }
                } else if member.isRequired {
                    return "\(place) has no \(member.name)"
                }
            }
            return nil
        case .named(let name):
            return Self.named[name].map { difference(json, from: $0, at: place) } ?? "no schema has the name \(name)"
        case .anyOf(let schemas):
            let fits = schemas.contains { difference(json, from: $0, at: place) == nil }
            return fits ? nil : "\(place) is none of several"
        case .anyObject: return json is [String: Any] ? nil : "\(place) is not an object"
        }
    }

    private static let named: [String: Schema] = [
        "Stream": .object(StreamSummary.members), "Stats": .object(StreamStats.members),
        "ImportRun": .object(ImportSummary.members), "Photo": .object(PackedPhotoFields.members),
        "Extent": .object(PixelExtent.members), "Frame": .object(PixelRect.members),
        "Section": .object(SectionAnswer.members),
        "Page": .object(PageAnswer.members), "PlacedPhoto": .object(ItemShape.members),
        "Element": .object(ElementShape.members), "Change": .object(PhotoChange.members),
        "Update": .object(PhotoUpdate.members), "UpdateAttributes": .object(UpdateAttributes.members),
    ]
}
