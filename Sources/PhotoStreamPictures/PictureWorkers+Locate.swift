import Glibc

extension PictureWorkers {
    /// Returns the path of the worker program: `PHOTOSTREAM_PICTURES_WORKER`, or else `photostream-pictures` next to
    /// the running program; `nil` if there is none that can be run.
    package static func locate() -> String? {
        let path: String
        if let set = unsafe getenv("PHOTOSTREAM_PICTURES_WORKER") {
            path = unsafe String(cString: set)
        } else {
            guard let program = unsafe realpath("/proc/self/exe", nil) else { return nil }
            defer { unsafe free(program) }
            let own = unsafe String(cString: program)
            let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            path = folder.joined(separator: "/") + "/photostream-pictures"
        }
        return unsafe access(path, X_OK) == 0 ? path : nil
    }
}
