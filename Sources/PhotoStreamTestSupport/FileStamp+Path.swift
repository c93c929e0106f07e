import Foundation
package import PhotoStreamPictureMessages

extension FileStamp {
    /// Reads the stamp of the file at a path, following links; `nil` if there is no file.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
