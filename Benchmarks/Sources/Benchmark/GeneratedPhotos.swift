import Foundation

/// Photos of a generated collection, in the form that an import reads and in that of the file.
struct GeneratedPhotos {
    enum Dates: String, CaseIterable {
        case inOrder = "in order"
        case random
    }

    let count: Int
    let dates: Dates

    /// Writes the same photos as JSON Lines and, in stored form, as CSV for `sqlite3`.
    ///
    /// The CSV has a cell for each column of the photo table that is not generated, in order. A NULL in the file is an
    /// empty cell there: `.import` knows no NULL.
    func write(jsonLines: URL, csv: URL) throws {
        var generator = Generator()
        var (lines, rows) = ("", "")
        try Data().write(to: jsonLines)
        try Data().write(to: csv)
        let (lineFile, rowFile) = (try FileHandle(forWritingTo: jsonLines), try FileHandle(forWritingTo: csv))
        for number in 1...max(1, count) {
            let size = generator.size()
            let digits = String(generator.next(1 << 24), radix: 16) + String(1 << 24 + number, radix: 16)
            let id = String(repeating: "0", count: max(0, 12 - digits.count)) + digits.suffix(12)
            let date = dates == .inOrder ? 1_300_000_000 + number * 30 : 1_300_000_000 + generator.next(1 << 24) * 25
            lines += "{\"id\":\"\(id)\",\"width\":\(size.width),\"height\":\(size.height),\"takenAt\":\(date)}\n"
            // id, stream, external id, width, height, source of the size, orientation, time, offset, precision,
            // three of a move, latitude, longitude, colour, edited fields, the caption's source, six texts,
            // rating, title and camera.
            rows += "\(number),1,\(id),\(size.width),\(size.height),0,1,\(date)000,0,4,,,,,,,0,,,,,,,,,,\n"
            if number % 10_000 == 0 || number == count {
                try lineFile.write(contentsOf: Data(lines.utf8))
                try rowFile.write(contentsOf: Data(rows.utf8))
                (lines, rows) = ("", "")
            }
        }
        try lineFile.close()
        try rowFile.close()
    }
}
