import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamTestSupport
import Synchronization

/// Work that pauses in its second half until it is released.
struct HeldWork<Answer: Sendable> {
    let task: Task<Answer, any Error>
    private let gate = DispatchSemaphore(value: 0)

    /// Begins it, and waits until it pauses.
    ///
    /// - Parameter work: Reports the completed part; reaches 0.7.
    init(_ work: @escaping @Sendable (_ progress: (Double) throws -> Void) throws -> Answer) {
        let (began, gate) = (DispatchSemaphore(value: 0), gate)
        let holder = Holder()
        task = onThread {
            try work { part in
                guard part > 0.7, holder.takesFirst() else { return }
                began.signal()
                gate.wait()
            }
        }
        began.wait()
    }

    func release() { gate.signal() }

    private final class Holder: Sendable {
        private let isFirst = Mutex(true)

        func takesFirst() -> Bool {
            isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
        }
    }
}

extension HeldWork<LayoutAnswer> {
    /// A fold of a layout.
    init(_ service: PhotoStreamService, _ stream: StreamName, _ key: LayoutKey) {
        self.init { try service.warm(stream, layout: key, progress: $0) }
    }
}
