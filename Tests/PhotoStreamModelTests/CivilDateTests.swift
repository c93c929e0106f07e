import PhotoStreamModel
import Testing

@Suite struct CivilDateTests {
    @Test func `every day of the years 1 to 9999 has the number of a calendar`() throws {
        let first = try #require(CivilDate(year: 1, month: 1, day: 1))
        var days = first.daysSince1970
        #expect(days == -719_162)
        for year in 1...9_999 {
            let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
            for (month, length) in zip(1..., [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                for day in 1...length {
                    // One comparison a day: there are over three million.
                    let date = CivilDate(daysSince1970: days)
                    guard date.year == year, date.month == month, date.day == day, date.daysSince1970 == days else {
                        Issue.record("day \(days) is \(date), not \(year)-\(month)-\(day)")
                        return
                    }
                    days += 1
                }
            }
        }
        #expect(days == 2_932_897)
    }

    @Test(arguments: [
        (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2026, 11, 21, 20_778), (1600, 2, 29, -135_081),
        (1, 1, 1, -719_162), (9999, 12, 31, 2_932_896),
    ])
    func `known days have known numbers`(year: Int, month: Int, day: Int, number: Int) {
        #expect(CivilDate(year: year, month: month, day: day)?.daysSince1970 == number)
        #expect(CivilDate(daysSince1970: number) == CivilDate(year: year, month: month, day: day))
    }

    @Test(arguments: [1, 4, 100, 400, 1900, 1999, 2000, 2024, 2100])
    func `only dates of the calendar are valid`(year: Int) {
        let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for month in -1...14 {
            for day in -1...33 {
                let exists = (1...12).contains(month) && day >= 1 && day <= lengths[month - 1]
                #expect((CivilDate(year: year, month: month, day: day) != nil) == exists)
            }
        }
    }
}
