import Foundation

/// The window that standard output is shown in.
enum Terminal {
    private static let widthElsewhere = 120

    /// The cells of a line of standard output: the window's, or 120 where there is none.
    static var lineWidth: Int { width(of: STDOUT_FILENO) ?? widthElsewhere }

    /// The cells of a line of the terminal that a descriptor is, or `nil` if it is not one.
    static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
