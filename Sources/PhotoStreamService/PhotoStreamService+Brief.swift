import PhotoStreamStorage

extension PhotoStreamService {
    /// Whether what is asked now may neither wait nor fold.
    @TaskLocal static var mustBeBrief = false

    /// What a question throws that cannot be answered briefly.
    private struct TakesLong: Error {}

    /// Asks questions that are answered from what is at hand and a few rows, without waiting for a fold, a connection or
    /// a lock: so on a thread that others need, too.
    ///
    /// - Parameter body: The questions; none may change the file.
    /// - Returns: What `body` returns; `nil` where a question has to be asked again where it may take its time.
    /// - Throws: What `body` throws.
    public static func answerBriefly<T>(_ body: () throws -> T) throws -> T? {
        do {
            return try $mustBeBrief.withValue(true, operation: body)
        } catch is TakesLong {
            return nil
        }
    }

    /// Ends a question that is to be answered briefly, for whoever knows that it takes longer.
    ///
    /// - Throws: What ``answerBriefly(_:)`` ends with.
    public static func checkMayTakeLong() throws {
        if mustBeBrief { throw TakesLong() }
    }

    /// Runs `body` in one read transaction that waits for nobody.
    func readBriefly<T>(_ body: (PhotoReader) throws -> T) throws -> T {
        do {
            if let answer = try translatingStorageErrors({ try database.readWithoutWaiting(body) }) { return answer }
        } catch is FlightInProgress {}
        throw TakesLong()
    }
}
