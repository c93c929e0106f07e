import Testing

@testable import PhotoStreamService
@testable import photostream

@Suite struct TextTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한국", 4), ("ｶﾅ", 2), ("👨‍👩‍👧‍👦", 2), ("❤️", 2),
        ("مرحبا", 5), ("ที่", 1), ("\u{200B}", 0), ("🇩🇪", 2),
    ])
    func `the width of a text is its number of cells`(text: String, cells: Int) {
        #expect(text.cellWidth == cells)
    }

    @Test func `a text is cut to cells, and never through a character`() {
        #expect("abcdef".cut(toCells: 6) == "abcdef")
        #expect("abcdef".cut(toCells: 5) == "abcd…")
        #expect("日本語".cut(toCells: 4) == "日…")
        #expect("👨‍👩‍👧‍👦x👨‍👩‍👧‍👦".cut(toCells: 4) == "👨‍👩‍👧‍👦x…")
    }

    @Test func `a text is escaped for a terminal`() {
        #expect(" a\n\tb\u{1B}[31m\u{202E}c \u{7F}".onOneLine == "a b[31mc")
    }

    @Test func `columns are aligned by cells`() {
        let columns: [TextTable.Column] = ["id", .number("n"), "text"]
        var table = TextTable(columns, lineWidth: 30)
        let text = table.text([["日本", "5", "short"], ["b", "1200", "a text that is longer than the line"]])
        #expect(
            text == """
                id       n  text
                日本     5  short
                b     1200  a text that is lo…

                """)
        #expect(table.text([["c", "1", ""]]) == "c        1\n")
    }

    @Test func `on a terminal, a row that is too long continues on another line, between columns`() {
        let columns: [TextTable.Column] = ["photo", .number("width"), .number("height"), "text"]
        var table = TextTable(columns, lineWidth: 30, foldsRows: true)
        #expect(
            table.text([
                ["IMG_0001.JPG", "4000", "3000", "a text that is longer than the line"], ["b", "1", "22", ""],
            ]) == """
                photo         width  height
                    text
                IMG_0001.JPG   4000    3000
                    a text that is longer tha…
                b                 1      22

                """)
        for width in 20...90 {
            var table = TextTable(columns, lineWidth: width, foldsRows: true)
            let text = table.text([["IMG_0001.JPG", "4000", "3000", "a text that is longer than the line"]])
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(width)")
            #expect(text.contains("4000") && text.contains("3000"))
        }
    }

    @Test func `a progress line never wraps, and drops the least important parts first`() {
        let parts = ProgressLine(
            share: 0.5, texts: ["50 %", "1,234,567 records", "0:12 left", "120,000 a second"])
        for columns in 1...120 {
            #expect(parts.line(columns: columns).cellWidth < max(columns, 2))
        }
        #expect(parts.line(columns: 40) == "50 %  1,234,567 records  0:12 left")
        #expect(parts.line(columns: 60) == "50 %  1,234,567 records  0:12 left  120,000 a second")
        #expect(parts.line(columns: 76) == "[██████░░░░░░] 50 %  1,234,567 records  0:12 left  120,000 a second")
        #expect(parts.plainLine == "50 %, 1,234,567 records, 0:12 left, 120,000 a second")
    }

    @Test func `a progress bar shows the work, the amount and the time`() {
        var pictures = PictureProgress()
        (pictures.madeCount, pictures.skippedCount, pictures.remainingCount) = (81, 582, 2_358)
        pictures.picturesPerSecond = 39
        #expect(
            pictures.line.plainLine == "making thumbnails, 21 %, 663 of 3,021 photos, 1:01 left, 39 a second")
        #expect(pictures.line.share == 663.0 / 3_021)
        pictures.failedCount = 2
        #expect(pictures.line.plainLine.contains("665 of 3,023 photos, 2 failed"))
        let files = ProgressLine(
            work: "reading headers", share: 0.25, amount: "25 of 100 files", secondsLeft: 7_384.2, rate: 0.2)
        #expect(files.plainLine == "reading headers, 25 %, 25 of 100 files, 2:03:05 left, 0 a second")
        #expect(
            ProgressLine(work: "reading records", share: nil, amount: "7 records").plainLine
                == "reading records, 7 records")
    }

    @Test func `large numbers are grouped`() {
        #expect([0, 999, 1_000, -1_234_567].map(\.grouped) == ["0", "999", "1,000", "-1,234,567"])
        #expect(1.counting("photo") == "1 photo")
    }

    @Test(arguments: [
        (0.0, "0"), (1.5, "1.5"), (-0.25, "-0.25"), (33.33333, "33.333"), (0.0004, "0"), (1e9, "1000000000"),
    ])
    func `numbers in a picture are short`(number: Double, text: String) {
        #expect(number.svg == text)
    }
}
