/// What it takes to bring a file of an older version up to date: its photos are written again in a new order.
package struct SchemaUpdate: Hashable, Sendable {
    /// The file's path.
    package let path: String
    /// How many photos the file has.
    package let photoCount: Int
}
