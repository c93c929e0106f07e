import ArgumentParser
import Foundation
import PhotoStreamService

/// The options of an import of folders.
struct FolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Import only files that match the pattern, such as '*.jpg' or '2024/**'. May be repeated.",
            valueName: "glob"))
    var include: [String] = []

    @Option(
        help: ArgumentHelp(
            "Leave out files and folders that match the pattern, such as 'Raw/**'. May be repeated.",
            valueName: "glob"))
    var exclude: [String] = []

    @Flag(help: "Delete the photos of files that are gone.")
    var prune = false

    @Flag(help: "Read files again that failed before.")
    var retry = false

    @Flag(help: "Keep importing what changes in the folders, until a signal ends it.")
    var watch = false

    /// The options for the service.
    var options: FolderImport.Options {
        var options = FolderImport.Options()
        (options.include, options.exclude) = (include, exclude)
        (options.prunesVanished, options.retriesFailures) = (prune, retry)
        return options
    }

    /// Refuses combinations that make no sense.
    ///
    /// - Parameters:
    ///   - hasFolders: Whether any source is a folder.
    ///   - isDryRun: Whether nothing is to be changed.
    /// - Throws: `ValidationError`.
    func check(hasFolders: Bool, isDryRun: Bool) throws {
        let given = [
            ("--include", !include.isEmpty), ("--exclude", !exclude.isEmpty), ("--prune", prune), ("--retry", retry),
            ("--watch", watch),
        ]
        if !hasFolders, let option = given.first(where: \.1)?.0 {
            throw ValidationError("\(option) is for folders of pictures, and no source is a folder")
        }
        if isDryRun, watch { throw ValidationError("--watch changes the stream, so it cannot be a --dry-run") }
        do {
            try FolderImport.check(options)
        } catch let error as FolderImportError {
            throw ValidationError(error.description)
        }
    }

    /// Whether a source is a folder.
    static func isFolder(_ source: String) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe source != "-" && FileManager.default.fileExists(atPath: source, isDirectory: &isFolder)
            && isFolder.boolValue
    }
}
