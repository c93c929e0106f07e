/// Something that only the command can run into, such as a picture that cannot be written.
struct CommandError: Error, CustomStringConvertible {
    /// One sentence that names the offending value.
    let description: String

    /// Creates an error from its sentence.
    init(_ description: String) {
        self.description = description
    }
}
