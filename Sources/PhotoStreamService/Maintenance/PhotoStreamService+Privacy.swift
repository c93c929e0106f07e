import PhotoStreamStorage

extension PhotoStreamService {
    /// Removes the permissions of other users of the machine from the file, its thumbnails and SQLite's files next to
    /// them.
    ///
    /// Those of the owner and of the group stay.
    ///
    /// - Returns: The files whose permissions were changed, and those that others can still read.
    package func closeFilesToOthers() -> (changed: [String], open: [String]) {
        let results = [database.path, pictureStorePath].map(FilePrivacy.closeToOthers)
        return (results.flatMap(\.changed), results.flatMap(\.open))
    }

    /// The file, its thumbnails and SQLite's files next to them that other users of the machine can read.
    var filesOpenToOthers: [String] { [database.path, pictureStorePath].flatMap(FilePrivacy.filesOpenToOthers) }
}
