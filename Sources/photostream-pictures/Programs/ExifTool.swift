/// exiftool, a separate program that stays open for one file after the other.
///
///     let exifTool = ExifTool(path: "/usr/bin/exiftool")
///     let answer = try exifTool.answer(for: file)
///
/// It reads its arguments line by line, so a name with a line break would be options.
final class ExifTool {
    /// The maximum length of an answer, in bytes.
    private static let maximumByteCount = 8 << 20
    /// The processor time for one file, in seconds.
    private static let seconds: Int64 = 5
    /// The time for one file by the clock, in milliseconds: more, because the machine may be busy.
    private static let deadlineMilliseconds: Int32 = 30_000
    /// The address space, in bytes.
    private static let addressSpaceByteCount: Int64 = 1 << 30
    /// The number of files after which the program is started again, because Perl keeps memory that it once needed.
    private static let recycleAfter = 2_000

    private let path: String
    private let deadlineMilliseconds: Int32
    private var program: ChildProgram?
    private var fileCount = 0
    private var isUnavailable = false
    private var random = SystemRandomNumberGenerator()

    /// Creates a reader; the program is started for the first file.
    ///
    /// - Parameters:
    ///   - path: The path of the program.
    ///   - deadlineMilliseconds: The time for one file by the clock, in milliseconds.
    init(path: String, deadlineMilliseconds: Int32 = ExifTool.deadlineMilliseconds) {
        (self.path, self.deadlineMilliseconds) = (path, deadlineMilliseconds)
    }

    /// Reads the tags of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - isVideo: Whether to ask for the tags of videos, too.
    /// - Returns: The tags.
    /// - Throws: ``ChildProgram/Failure``. The next file gets a new process.
    func answer(for file: OpenedPicture, isVideo: Bool) throws(ChildProgram.Failure) -> ExifToolAnswer {
        guard !isUnavailable else { throw .unavailable }
        let isFresh = program == nil
        do throws(ChildProgram.Failure) {
            return try ask(for: file, isVideo: isVideo)
        } catch {
            stop()
            // A process that has read other files may owe its end to them.
            if isFresh || isUnavailable { throw isUnavailable ? .unavailable : error }
        }
        do throws(ChildProgram.Failure) {
            return try ask(for: file, isVideo: isVideo)
        } catch {
            stop()
            throw error
        }
    }

    private func ask(for file: OpenedPicture, isVideo: Bool) throws(ChildProgram.Failure) -> ExifToolAnswer {
        if fileCount >= Self.recycleAfter { stop() }
        let program: ChildProgram
        if let running = self.program { program = running } else { program = try start() }
        self.program = program
        fileCount += 1
        try program.limitProcessorTime(seconds: Self.seconds)
        // A text in the file may contain any mark except a random one.
        let mark = random.next() as UInt64 >> 1
        let lines =
            (isVideo ? ExifToolAnswer.videoArguments : []) + [ChildProgram.path(of: file), "-execute\(mark)", ""]
        try program.write(lines.joined(separator: "\n"))
        let bytes = try program.read(
            until: Array("{ready\(mark)}\n".utf8), maximumByteCount: Self.maximumByteCount,
            within: deadlineMilliseconds)
        guard let answer = ExifToolAnswer(xml: bytes) else { throw .stopped }
        return answer
    }

    private func start() throws(ChildProgram.Failure) -> ChildProgram {
        fileCount = 0
        return try ChildProgram(
            path: path,
            arguments: ["-config", "", "-stay_open", "True", "-@", "-", "-common_args"] + ExifToolAnswer.arguments,
            addressSpaceByteCount: Self.addressSpaceByteCount)
    }

    private func stop() {
        if program?.end() == true { isUnavailable = true }
        program = nil
    }
}
