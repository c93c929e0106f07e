import PhotoStreamStorage

/// The distance of a file from its primary.
package struct Lag: Sendable {
    /// The primary's last revision; `nil` before the first look at it.
    package let primaryRevision: Int64?
    /// The changes that the file lacks.
    package let changes: Int64
    /// The age of the oldest commit that the file lacks.
    package let time: Duration

    /// Creates the lag of a position, as of a look at the primary.
    ///
    /// - Parameters:
    ///   - position: The last commit of the file; `nil` if it is unknown.
    ///   - look: The last look at the primary; `nil` before the first.
    init(of position: ReplicaPosition?, at look: PostgresPrimary.Look?) {
        primaryRevision = look?.head.revision
        guard let look, let position, position.commitID < look.head.commitID else {
            (changes, time) = (0, .zero)
            return
        }
        changes = max(0, look.head.revision - position.revision)
        time = look.ageOfNews + look.time.duration(to: .now)
    }
}
