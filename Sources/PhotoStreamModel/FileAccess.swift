/// A way to open a PhotoStream file.
public enum FileAccess: Sendable {
    /// For reading and writing; a missing file is created, and its schema is brought up to date.
    case readWrite
    /// For reading and writing; a missing file is an error. Its schema is brought up to date.
    case existing
    /// For reading only; nothing is written, not even a schema migration.
    case readOnly
}
