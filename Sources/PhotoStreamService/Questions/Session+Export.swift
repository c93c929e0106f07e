public import PhotoStreamModel
import PhotoStreamStorage

/// A line of an export.
public enum ExportLine: Sendable {
    /// The first line, with the order of the stream.
    case header(StreamOrder)
    /// A photo at its own place.
    case photo(Photo)
    /// A moved photo and the date of its place, which has no offset; `nil` among the undated photos.
    case moved(Photo, to: CaptureTime?)
}

extension Session {
    /// Passes all data to `body` that an import needs to recreate a stream, or a part of it: the order first, then every photo in stream
    /// order with edits and moves.
    ///
    ///     try service.read { session in
    ///         try session.export(of: stream) { line in lines.append(line) }
    ///     }
    ///
    /// The photos of a kept view are those that it shows.
    ///
    /// In manual order, the order of the lines is that of the photos, so no photo counts as moved.
    ///
    /// This query never restarts the session, so `body` receives each line once if the session makes no other query.
    /// At most ``PhotoStreamService/maximumLimit`` photos are in memory at a time.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - condition: If given, only the photos that meet it, with those that are hidden in their stacks.
    ///   - body: Receives a line.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unansweredCondition(_:)``, and the errors of
    ///   `body`.
    /// - Complexity: O(photos).
    public func export(
        of stream: StreamName, where condition: Condition? = nil, _ body: (ExportLine) throws -> Void
    ) throws {
        let photos = try photos(named: stream)
        let (order, view) = (photos.stream.order, try ViewCondition(condition, among: photos, isInventory: true))
        try body(.header(order))
        try forEachStoredPhoto(of: photos, in: view) { try body(ExportLine($0, order: order)) }
    }
}

extension ExportLine {
    fileprivate init(_ stored: StoredPhoto, order: StreamOrder) {
        guard order != .manual, stored.key.isOfMove else {
            self = .photo(stored.photo)
            return
        }
        let date = order.captureTime(ofOrderTime: stored.key.time)
        // Another program may have written a time that is not a date.
        let isKnown = date != nil || stored.key.time == OrderKey.undatedTime
        self = isKnown ? .moved(stored.photo, to: date) : .photo(stored.photo)
    }
}
