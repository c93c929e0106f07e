/// The times of event streams; tests shorten them.
package struct EventTimes: Sendable {
    /// The minimum time between two messages to a client.
    package var interval = Duration.milliseconds(50)
    /// The time between two looks for commits of other processes; after a commit, the next look follows after
    /// ``interval``.
    package var lookInterval = Duration.milliseconds(100)
    /// The maximum pause between two messages that make a client read the whole stream again; it doubles with each
    /// consecutive one.
    package var resyncPause = Duration.seconds(1)
    /// The silence after which a comment is sent.
    package var heartbeat = Duration.seconds(15)
    /// The time within which the system must accept a message for a client; then the connection is closed.
    package var clientTimeout = Duration.seconds(10)
    /// The time within which clients must accept the last message when the server ends.
    package var linger = Duration.seconds(1)
    /// The age from which the condition of the file is no longer an answer.
    package var conditionLimit = Duration.seconds(5)
    /// The maximum time between two reads of the file if nothing was noticed: a counter of pictures may be due, and probes
    /// show the condition of the file.
    let refreshInterval = Duration.seconds(1)
    /// The minimum time between two looks for tokens that were revoked or have expired.
    let grantInterval = Duration.milliseconds(500)
    /// The bounds of the time after which clients connect again, in milliseconds.
    let retry = 2_000...5_000
}
