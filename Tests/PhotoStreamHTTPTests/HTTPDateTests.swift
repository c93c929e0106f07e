import Foundation
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP

/// Moments in fields.
@Suite struct HTTPDateTests {
    @Test func `all three formats are parsed, and one is written`() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ] {
            #expect(HTTPDate(text)?.seconds == 784_111_777, "\(text)")
            #expect(HTTPDate(text)?.description == "Sun, 06 Nov 1994 08:49:37 GMT")
        }
        #expect(HTTPDate("Saturday, 21-Nov-26 00:00:00 GMT")?.description == "Sat, 21 Nov 2026 00:00:00 GMT")
    }

    @Test(arguments: [
        "", "now", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 19994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1960 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:+7 GMT",
    ]) func `an invalid date is nil`(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test func `a time is written like by another program and parsed again`() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        var random = SplitMix64(seed: 7)
        let samples = (0..<500).map { _ in Int64(random.int(in: 0...253_402_300_799)) }
        for seconds in [0, 86_399, 951_782_400, 253_402_300_799] + samples {
            let date = try #require(HTTPDate(seconds: seconds))
            #expect(date.description == formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds))))
            #expect(HTTPDate(date.description) == date)
        }
        #expect(HTTPDate(seconds: -1) == nil)
        #expect(HTTPDate(seconds: 253_402_300_800) == nil)
    }
}
