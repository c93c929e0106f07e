import Foundation
import HTTPTypes
import Synchronization

/// The field `Date` of answers; its text is made once a second.
final class ResponseDate: Sendable {
    private let last = Mutex<(seconds: time_t, field: HTTPField)>((-1, HTTPField(name: .date, value: "")))

    /// The field as of now.
    var now: HTTPField {
        let seconds = time(nil)
        return last.withLock { last in
            if last.seconds != seconds, let date = HTTPDate(seconds: Int64(seconds)) {
                last = (seconds, HTTPField(name: .date, value: "\(date)"))
            }
            return last.field
        }
    }
}
