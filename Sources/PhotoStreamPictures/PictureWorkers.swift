import Logging
import PhotoStreamModel
import PhotoStreamPictureMessages
import Subprocess

/// The decode workers of a process.
package final class PictureWorkers: Sendable {
    /// Creates the workers; none is started.
    package init() {}
}
