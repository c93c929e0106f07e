import HTTPTypes
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

extension APICall {
    /// Refuses a write where the client has said what it knows and the photo is another one.
    ///
    /// - Parameter stored: The photo as it is; `nil` where there is none.
    /// - Throws: ``Problem`` by `If-Match` and, where a photo must not be there yet, `If-None-Match`.
    func checkConditions(_ stored: Photo?) throws(Problem) {
        try checkConditions(of: "photo", stored.map { photo in JSONWriter.bytes { $0.value(photo) } })
    }

    /// Refuses a write where the client has said what it knows and the stream is another one; `nil` where it has not,
    /// since what is told of a stream takes some counting.
    var streamConditions: ((StreamSummary) throws -> Void)? {
        guard headers[.ifMatch] != nil || headers[.ifNoneMatch] != nil else { return nil }
        return { try checkConditions(of: "stream", $0.shown) }
    }

    private func checkConditions(of noun: String, _ bytes: [UInt8]?) throws(Problem) {
        // Whichever form of it the client has read: it is the same.
        let tags = bytes.map { [EntityTag(of: $0, .identity), EntityTag(of: $0, .gzip)] } ?? []
        if let condition = headers[.ifMatch].map({ EntityTagCondition($0) }) {
            guard tags.contains(where: condition.matchesStrongly) else {
                throw Problem(.preconditionFailed, "the \(noun) is not the one that If-Match names; read it again")
            }
        }
        if let condition = headers[.ifNoneMatch].map({ EntityTagCondition($0) }),
            tags.contains(where: condition.matchesWeakly)
        {
            throw Problem(.preconditionFailed, "the \(noun) is there already")
        }
    }
}

extension StreamSummary {
    /// The stream as it is answered.
    var shown: [UInt8] {
        let stream = withoutPaths(hasFailures: true)
        return JSONWriter.bytes { $0.value(stream) }
    }
}
