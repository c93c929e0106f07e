import Foundation

/// The lines of a file, or of standard input for `-`, one after the other; empty ones are left out.
struct LineReader: ~Copyable {
    private let file: UnsafeMutablePointer<FILE>
    private let name: String
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0

    /// Opens a file.
    ///
    /// - Throws: ``CommandError`` that names the path and the reason.
    init(path: String) throws {
        let name = path == "-" ? "standard input" : path
        guard let file = path == "-" ? fdopen(STDIN_FILENO, "r") : fopen(path, "r") else {
            throw CommandError("\(name) cannot be opened: \(String(cString: strerror(errno)))")
        }
        (self.file, self.name) = (file, name)
    }

    deinit {
        free(buffer)
        fclose(file)
    }

    /// The next lines, without their ends, at most so many; none at the end.
    ///
    /// - Throws: ``CommandError`` when reading fails.
    mutating func next(_ limit: Int) throws -> [String] {
        var lines: [String] = []
        while lines.count < limit {
            errno = 0
            let count = getline(&buffer, &capacity, file)
            guard count >= 0, let buffer else {
                guard feof(file) != 0 else {
                    throw CommandError("\(name) cannot be read: \(String(cString: strerror(errno)))")
                }
                break
            }
            var line = UnsafeBufferPointer(start: buffer, count: count)[...]
            while let last = line.last, last == 0x0A || last == 0x0D { line = line.dropLast() }
            guard !line.isEmpty else { continue }
            lines.append(String(decoding: line.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return lines
    }
}
