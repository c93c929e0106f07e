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
    /// The condition whose mark cursors carry: see ``ViewCondition/given``.
    private let markedCondition: Condition?

    /// Creates the key of all photos of a stream.
    init(streamID: Int64) {
        (self.streamID, condition, streamName, markedCondition) = (streamID, nil, nil, nil)
    }

    /// Creates the key of the photos of a stream that belong to a view.
    init(_ stream: StreamRow, among view: ViewCondition) {
        (streamID, condition, markedCondition) = (stream.id, view.condition, view.given)
        streamName = condition?.inputs.context.contains(.stream) == true ? stream.name : nil
    }

    /// The mark of the view in cursors: a number sign and 16 bytes of the condition's SHA-256; empty without a condition.
    var cursorMark: String {
        guard let condition = markedCondition else { return "" }
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
