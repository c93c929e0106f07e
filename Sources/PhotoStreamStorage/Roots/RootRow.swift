package import PhotoStreamModel

/// A folder beneath which pictures are served, as the file holds it.
package struct RootRow: Hashable, Sendable {
    /// The row's id; smaller ones were added earlier.
    package let id: Int64
    /// The only stream whose photos it serves; `nil` for all.
    package let stream: StreamName?
    /// The folder as it was named, absolute.
    package let path: String
    /// The folder without symbolic links, when it was added.
    package let resolvedPath: String
    /// The machine on which it was added.
    package let machine: String
    /// When it was added, in milliseconds since 1970.
    package let addedAtMilliseconds: Int64
}
