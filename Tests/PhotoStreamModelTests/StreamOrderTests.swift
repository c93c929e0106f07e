import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamModel

@Suite struct StreamOrderTests {
    private static func time(_ day: CivilDate, _ precision: CaptureTime.Precision) throws -> CaptureTime {
        try CaptureTime(
            milliseconds: Int64(day.daysSince1970) * 86_400_000, utcOffsetMinutes: nil, precision: precision)
    }

    /// A date of any precision, often near to others.
    private static func anyTime(using random: inout SplitMix64) throws -> CaptureTime {
        let precision = random.element(of: [CaptureTime.Precision.year, .month, .day, .minute, .millisecond])
        let year = random.oneIn(20) ? random.element(of: [1, 2, 9_998, 9_999]) : random.int(in: 1_866...1_868)
        let month = precision == .year ? 1 : random.element(of: [1, 1, 2, 12])
        let day = precision < .day ? 1 : random.element(of: [1, 1, 2, 28])
        let start = try time(#require(CivilDate(year: year, month: month, day: day)), precision)
        guard precision > .day, random.oneIn(2) else { return start }
        return try CaptureTime(
            milliseconds: start.milliseconds + Int64(random.int(in: 0...86_399_999)), utcOffsetMinutes: nil,
            precision: precision)
    }

    @Test(arguments: StreamOrder.allCases)
    func `a date has the digits of its capture time, up to the day`(order: StreamOrder) throws {
        var random = SplitMix64(seed: 41)
        for _ in 0..<5_000 {
            let time = try Self.anyTime(using: &random)
            let date = order.date(ofOrderTime: order.orderTime(of: time))
            #expect(date.digits == (order == .manual ? nil : String(time.description.prefix(10))))
        }
    }

    @Test func `order times are negated in one order only, and never for undated photos`() throws {
        let new = try Self.time(#require(CivilDate(year: 1970, month: 1, day: 2)), .day)
        #expect(StreamOrder.newest.orderTime(of: new) == 4 * 86_400_000 + 2)
        #expect(StreamOrder.oldest.orderTime(of: new) == -4 * 86_400_000 - 2)
        #expect(StreamOrder.manual.orderTime(of: new) == 0)
        #expect(StreamOrder.newest.orderTime(of: nil) == .min)
        #expect(StreamOrder.oldest.orderTime(of: nil) == .min)
        #expect(StreamOrder.manual.orderTime(of: nil) == 0)
    }

    /// The places of each date are contiguous, regardless of the numbers that another program writes to a file.
    @Test(arguments: [StreamOrder.newest, .oldest])
    func `sorted order times give contiguous dates`(order: StreamOrder) throws {
        var random = SplitMix64(seed: 43)
        var times: [Int64] = [.min, .max, .min + 1, 0]
        for _ in 0..<3_000 {
            let near = order.orderTime(of: try Self.anyTime(using: &random))
            times.append(near &+ Int64(random.int(in: -5...5)))
        }
        for year in [0, 1, 2, 9_999, 10_000] {
            let start = Int64(CivilDate(year: year, month: 1, day: 1)?.daysSince1970 ?? 0) * 4 * 86_400_000
            for value in start - 4...start + 4 { times.append(order == .oldest ? -value : value) }
        }
        let dates = times.sorted(by: >).map { order.date(ofOrderTime: $0) }
        var seen: Set<OrderDate> = []
        for (position, date) in dates.enumerated() where position == 0 || dates[position - 1] != date {
            #expect(seen.insert(date).inserted, "\(date.digits ?? "undated") comes twice")
        }
        #expect(dates.last == .undated)
    }

    @Test func `every date has a unique number below 2 to the 22`() throws {
        var seen: Set<UInt32> = [OrderDate.undated.packed, OrderDate.unordered.packed]
        for year in 1...9_999 {
            seen.insert(try #require(OrderDate(year: year)).packed)
            for month in 1...12 { seen.insert(try #require(OrderDate(year: year, month: month)).packed) }
        }
        let days = OrderDate.days
        for day in [days.lowerBound, -1, 0, 1, days.upperBound] {
            seen.insert(try #require(OrderDate(day: day)).packed)
        }
        #expect(seen.count == 2 + 9_999 * 13 + 5 && seen.allSatisfy { $0 < 1 << 22 })
        #expect(OrderDate(day: days.lowerBound)?.digits == "0001-01-01")
        #expect(OrderDate(day: days.upperBound)?.digits == "9999-12-31")
        #expect(OrderDate(year: 0) == nil && OrderDate(year: 10_000) == nil && OrderDate(year: 5, month: 13) == nil)
        #expect(OrderDate(day: days.lowerBound - 1) == nil && OrderDate(day: days.upperBound + 1) == nil)
        #expect(OrderDate.undated.unit == nil && OrderDate.unordered.digits == nil)
    }
}
