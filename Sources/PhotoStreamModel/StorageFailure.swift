/// A reason why a file cannot be opened, read or written, for programs to act on.
public enum StorageFailure: String, Hashable, Sendable {
    /// The file is something else: not SQLite, another program's, a folder, or empty.
    case notADatabase
    /// A newer build has changed the file's schema.
    case schemaTooNew
    /// The file waits for schema changes that only a writer can make.
    case schemaTooOld
    /// The file was made from other scripts than those of this build.
    case schemaDiffers
    /// A write was asked for where only reading is possible.
    case readOnly
    /// The folder that the file should be in does not exist.
    case missingFolder
    /// The file does not exist.
    case missingFile
    /// The file that is open is no longer at its path.
    case moved
    /// Another connection held a lock for longer than the busy timeout.
    case busy
    /// The file's contents contradict themselves.
    case corrupt
    /// There is no room for what was to be written.
    case diskFull
    /// A stream, photo or run that was named does not exist.
    case notFound
    /// A rule of the schema or of the operation forbids the write, such as a name that is taken.
    case constraint
    /// Any other failure of SQLite.
    case database
}
