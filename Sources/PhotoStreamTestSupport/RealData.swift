package import Foundation

/// The collections of real metadata beside the package, where somebody has put them.
///
///     @Test(.enabled(if: RealData.isAvailable())) func `…`() throws {
///         let text = try String(contentsOf: RealData.directory().appending(path: "coco/captions_val2017.json"), …)
package enum RealData {
    /// `../shared/data`, seen from the package root.
    ///
    /// - Parameter caller: A file of the package; the folders above it are searched for the manifest. Symbolic links
    ///   are resolved first, so it works from a package that only links to this one's files.
    /// - Returns: The folder, whether it is there or not.
    package static func directory(_ caller: String = #filePath) -> URL {
        packageRoot(caller).deletingLastPathComponent().appending(path: "shared/data")
    }

    /// The folder of the package's manifest, found from a file below it.
    package static func packageRoot(_ caller: String = #filePath) -> URL {
        var folder = URL(filePath: caller).resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.pathComponents.count > 1, !exists(folder.appending(path: "Package.swift")) {
            folder.deleteLastPathComponent()
        }
        return folder
    }

    /// Whether the collections are there; tests that read them are skipped where they are not.
    package static func isAvailable(_ caller: String = #filePath) -> Bool {
        exists(directory(caller).appending(path: "bl-flickr")) && exists(directory(caller).appending(path: "coco"))
    }

    private static func exists(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
    }
}
