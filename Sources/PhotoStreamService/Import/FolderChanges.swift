import PhotoStreamModel

/// The times at which a folder that is watched is walked again.
///
/// It is walked every 2 seconds, and less often if a walk takes long: at most a twentieth of the time is spent on it, and
/// at least one walk a minute is begun.
struct FolderChanges: AsyncSequence {
    private let isFirstAtOnce: Bool

    /// Creates the sequence.
    ///
    /// - Parameter beginsWithAll: Whether the first walk is at once.
    init(beginsWithAll: Bool) {
        isFirstAtOnce = beginsWithAll
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var isFirstAtOnce: Bool
        private var lastStart: ContinuousClock.Instant?

        fileprivate init(isFirstAtOnce: Bool) {
            self.isFirstAtOnce = isFirstAtOnce
        }

        /// Waits for the next walk.
        ///
        /// - Returns: `nil` when the task is cancelled.
        mutating func next() async -> Void? {
            let taken = lastStart.map { ContinuousClock.now - $0 } ?? .zero
            let pause = isFirstAtOnce ? .zero : Swift.min(Swift.max(.seconds(2), taken * 20), .seconds(60))
            isFirstAtOnce = false
            guard (try? await Task.sleep(for: pause)) != nil else { return nil }
            lastStart = .now
            return ()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(isFirstAtOnce: isFirstAtOnce) }
}
