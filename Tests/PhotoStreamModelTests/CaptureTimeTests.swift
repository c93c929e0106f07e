import PhotoStreamModel
import Testing

@Suite struct CaptureTimeTests {
    /// 2026-11-21T08:38:53.042 as if in UTC.
    private static let moment: Int64 = 1_795_250_333_042

    @Test(
        arguments: [
            (.year, "2026"), (.month, "2026-11"), (.day, "2026-11-21"), (.minute, "2026-11-21T08:38"),
            (.second, "2026-11-21T08:38:53"), (.millisecond, "2026-11-21T08:38:53.042"),
        ] as [(CaptureTime.Precision, String)])
    func `only known digits are written`(precision: CaptureTime.Precision, text: String) throws {
        let time = try CaptureTime(milliseconds: Self.moment, utcOffsetMinutes: nil, precision: precision)
        #expect(time.description == text)
        let hasTime = precision >= .minute
        let utc = try CaptureTime(milliseconds: Self.moment, utcOffsetMinutes: 0, precision: precision)
        #expect(utc.description == (hasTime ? text + "Z" : text))
    }

    @Test(arguments: [
        (60, "2026-11-21T09:38:53+01:00"), (-570, "2026-11-20T23:08:53-09:30"), (345, "2026-11-21T14:23:53+05:45"),
        (1_080, "2026-11-22T02:38:53+18:00"), (-1_080, "2026-11-20T14:38:53-18:00"), (-1, "2026-11-21T08:37:53-00:01"),
    ])
    func `the wall clock is written with its offset`(offset: Int, text: String) throws {
        let time = try CaptureTime(milliseconds: Self.moment, utcOffsetMinutes: offset, precision: .second)
        #expect(time.description == text)
        #expect(time.localMilliseconds == Self.moment + Int64(offset) * 60_000)
        #expect(time.milliseconds == Self.moment)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000"), (-1, "1969-12-31T23:59:59.999"), (-1_000, "1969-12-31T23:59:59.000"),
            (-86_400_000, "1969-12-31T00:00:00.000"), (-86_400_001, "1969-12-30T23:59:59.999"),
            (-2_208_988_800_000, "1900-01-01T00:00:00.000"), (951_782_400_000, "2000-02-29T00:00:00.000"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000"), (253_402_300_799_999, "9999-12-31T23:59:59.999"),
        ] as [(Int64, String)])
    func `times before 1970 and at both ends of the calendar are written`(milliseconds: Int64, text: String) throws {
        let time = try CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: nil, precision: .millisecond)
        #expect(time.description == text)
    }

    @Test func `years are written with four digits`() throws {
        for (milliseconds, text) in [(-62_135_596_800_000, "0001"), (-35_000_000_000_000, "0860")] as [(Int64, String)]
        {
            let time = try CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: nil, precision: .year)
            #expect(time.description == text)
        }
    }

    @Test func `the local year decides whether a time is accepted`() throws {
        let (first, last) = (CaptureTime.localRange.lowerBound, CaptureTime.localRange.upperBound)
        #expect(
            try CaptureTime(milliseconds: last + 60_000, utcOffsetMinutes: -1, precision: .second).description
                == "9999-12-31T23:59:59-00:01")
        #expect(
            try CaptureTime(milliseconds: first - 3_600_000, utcOffsetMinutes: 60, precision: .second).description
                == "0001-01-01T00:00:00+01:00")
        for (milliseconds, offset) in [
            (first - 1, 0), (last + 1, 0), (first, -1), (last, 1), (.min, 0), (.max, 0), (.max, 1_080),
            (.min, -1_080),
        ] as [(Int64, Int)] {
            #expect(throws: ModelError("time \(milliseconds) is outside the years 1 to 9999")) {
                try CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: offset, precision: .second)
            }
        }
    }

    @Test(arguments: [1_081, -1_081, .max, .min])
    func `an offset over 18 hours is rejected`(offset: Int) {
        #expect(throws: ModelError("UTC offset of \(offset) minutes is too large")) {
            try CaptureTime(milliseconds: 0, utcOffsetMinutes: offset, precision: .day)
        }
    }

    @Test func `an unknown offset differs from the offset zero`() throws {
        let unknown = try CaptureTime(milliseconds: 5, utcOffsetMinutes: nil, precision: .second)
        let zero = try CaptureTime(milliseconds: 5, utcOffsetMinutes: 0, precision: .second)
        #expect(unknown != zero)
        #expect(unknown.localMilliseconds == zero.localMilliseconds)
    }

    @Test func `precisions are ordered from coarse to fine`() {
        let all: [CaptureTime.Precision] = [.year, .month, .day, .minute, .second, .millisecond]
        #expect(all.sorted() == all)
        #expect(all.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    }
}
