import Crypto
import Foundation
package import PhotoStreamModel
import PhotoStreamStorage

/// The photos that a layout shows: all of a stream, or those that meet a condition.
struct ViewKey: Hashable, Sendable {
    let streamID: Int64
    /// The condition, with fixed days; `nil` for all photos.
    let condition: Condition?
    /// The name of the stream, if the condition reads it: a new name changes no state.
    private let streamName: StreamName?

    /// Creates the key of all photos of a stream.
    init(streamID: Int64) {
        (self.streamID, condition, streamName) = (streamID, nil, nil)
    }

    /// Creates the key of the photos of a stream that meet a condition.
    init(_ stream: StreamRow, condition: Condition?) {
        (streamID, self.condition) = (stream.id, condition)
        streamName = condition?.inputs.context.contains(.stream) == true ? stream.name : nil
    }

    /// The mark of the view in cursors: a number sign and 16 bytes of the condition's SHA-256; empty for all photos.
    var cursorMark: String {
        guard let condition else { return "" }
        let fields = condition.root.wordFields.map { "\($0.rawValue)" }.joined(separator: " ")
        let text = "\(fields) \(condition.canonicalText)"
        return "#" + Base64URL.encoded(Array(SHA256.hash(data: Data(text.utf8)).prefix(16)))
    }
}

extension Condition {
    /// The condition with fixed days, for the current day in this machine's time zone.
    package func resolvedNow() -> Condition {
        let now = Date()
        let seconds = now.timeIntervalSince1970 + Double(TimeZone.current.secondsFromGMT(for: now))
        return resolved(today: CivilDate(daysSince1970: Int((seconds / 86_400).rounded(.down))))
    }

}
