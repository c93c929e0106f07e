package import PhotoStreamModel

/// A stream as the file holds it.
package struct StreamRow: Hashable, Sendable {
    /// The row id, never used again after the stream was deleted.
    package let id: Int64
    /// The name, unique in the file.
    package let name: StreamName
    /// The order of its photos.
    package let order: StreamOrder
    /// When it was created, in milliseconds since 1970.
    package let createdAtMilliseconds: Int64
}
