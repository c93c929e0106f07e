import PhotoStreamService
import PhotoStreamWire

extension StandardOutput {
    /// Writes one JSON value on a line of its own.
    static func write(json body: (inout JSONWriter) -> Void) throws {
        var writer = JSONWriter()
        body(&writer)
        try write(writer.bytes)
        try write(line: "")
    }
}
