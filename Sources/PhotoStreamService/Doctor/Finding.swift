/// A result of a ``Doctor`` about one subject.
public struct Finding: Hashable, Sendable {
    /// The state of a subject.
    public enum State: String, Hashable, Sendable {
        /// Everything is fine.
        case good
        /// It works now, but may fail or slow down later.
        case warning
        /// It does not work, or something is lost.
        case problem
    }

    /// The subjects, in the order in which they are examined.
    public enum Subject: String, Hashable, Sendable, CaseIterable {
        /// The file, and whether it can be opened.
        case file
        /// The users who may read the file.
        case permissions
        /// The file system that contains it.
        case fileSystem = "file system"
        /// Its write-ahead log.
        case log
        /// Its schema, structures, rows and derived data.
        case contents
        /// The folders of pictures.
        case roots
        /// The program that decodes pictures.
        case worker
        /// exiftool.
        case metadata
        /// ffmpeg.
        case videos
        /// The stored thumbnails.
        case thumbnails
        /// The free space.
        case disk
        /// The time of the machine.
        case clock
        /// The number of files that a process may have open.
        case openFiles = "open files"
        /// The number of folders that may be watched.
        case watches
        /// The PostgreSQL database that the file replicates; a ``Doctor`` of a file does not examine it.
        case primary
    }

    /// The subject.
    public let subject: Subject
    /// Its state.
    public let state: State
    /// The result, in one sentence.
    public let text: String
    /// The remedy, in one sentence; `nil` if there is nothing to do or the text contains it.
    public let advice: String?

    /// Creates a result.
    package init(about subject: Subject, is state: State, _ text: String, advice: String? = nil) {
        (self.subject, self.state, self.text, self.advice) = (subject, state, text, advice)
    }
}
