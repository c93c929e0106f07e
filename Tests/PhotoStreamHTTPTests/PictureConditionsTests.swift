import HTTPTypes
import Testing

@testable import PhotoStreamHTTP

/// The conditions in a request about the file that its client has.
@Suite struct PictureConditionsTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let after = "Sun, 06 Nov 1994 08:49:38 GMT"

    private static let cases: [(fields: [HTTPField.Name: String], strong: PictureConditions, weak: PictureConditions)] =
        [
            ([:], .range, .range),
            ([.ifNoneMatch: "\"a\""], .notModified, .notModified),
            ([.ifNoneMatch: "\"x\", W/\"a\""], .notModified, .notModified),
            ([.ifNoneMatch: "*"], .notModified, .notModified),
            ([.ifNoneMatch: "\"x\""], .range, .range),
            ([.ifNoneMatch: "\"x\"", .ifModifiedSince: date], .range, .range),
            ([.ifModifiedSince: date], .notModified, .notModified),
            ([.ifModifiedSince: after], .notModified, .notModified),
            ([.ifModifiedSince: before], .range, .range),
            ([.ifModifiedSince: "yesterday"], .range, .range),
            ([.ifMatch: "\"a\""], .range, .failed),
            ([.ifMatch: "*"], .range, .range),
            ([.ifMatch: "W/\"a\""], .failed, .failed),
            ([.ifMatch: "\"x\""], .failed, .failed),
            ([.ifMatch: "\"a\"", .ifNoneMatch: "\"a\""], .notModified, .failed),
            ([.ifMatch: "*", .ifUnmodifiedSince: before], .range, .range),
            ([.ifUnmodifiedSince: before], .failed, .failed),
            ([.ifUnmodifiedSince: date], .range, .range),
            ([.ifUnmodifiedSince: "yesterday"], .range, .range),
            ([.ifRange: "\"a\""], .range, .whole),
            ([.ifRange: "\"x\""], .whole, .whole),
            ([.ifRange: "W/\"a\""], .whole, .whole),
            ([.ifRange: date], .range, .whole),
            ([.ifRange: after], .whole, .whole),
            ([.ifRange: before], .whole, .whole),
            ([.ifRange: "*"], .whole, .whole),
            ([.ifRange: ""], .whole, .whole),
            ([.ifRange: "\"x\"", .ifNoneMatch: "\"a\""], .notModified, .notModified),
        ]

    private static func conditions(
        _ fields: [HTTPField.Name: String], isStrong: Bool, _ method: HTTPRequest.Method = .get
    ) -> PictureConditions {
        let validators = PictureConditions.Validators(
            tag: EntityTag(text: "\"a\""), modified: HTTPDate(date), isStrong: isStrong)
        return PictureConditions(method, validators: validators) { fields[$0] }
    }

    @Test(arguments: cases) func `conditions are evaluated in order`(
        fields: [HTTPField.Name: String], strong: PictureConditions, weak: PictureConditions
    ) {
        #expect(Self.conditions(fields, isStrong: true) == strong)
        #expect(Self.conditions(fields, isStrong: false) == weak)
        // A range is something of GET only.
        let head = Self.conditions(fields, isStrong: true, .head)
        #expect(head == (strong == .range ? .whole : strong))
    }

    @Test func `a file without a formattable date has only a tag`() {
        let validators = PictureConditions.Validators(tag: EntityTag(text: "\"a\""), modified: nil, isStrong: true)
        let fields: [HTTPField.Name] = [.ifModifiedSince, .ifUnmodifiedSince]
        for name in fields {
            #expect(PictureConditions(.get, validators: validators) { $0 == name ? Self.date : nil } == .range)
        }
        #expect(PictureConditions(.get, validators: validators) { $0 == .ifRange ? Self.date : nil } == .whole)
    }
}
