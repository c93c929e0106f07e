import Foundation

/// Which file a path leads to, whatever it is called: a file that is moved keeps it, another one at its path has another.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let number: ino_t

    /// Looks where a path leads to, through links; `nil` where there is nothing.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, number) = (status.st_dev, status.st_ino)
    }
}
