import Foundation

/// The window that standard output is shown in.
enum Terminal {
    private static let widthElsewhere = 120

    /// How many cells a line has: the window's, or 120 where there is none.
    static var lineWidth: Int {
        var size = winsize()
        guard StandardOutput.isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return widthElsewhere
        }
        return Int(size.ws_col)
    }
}
