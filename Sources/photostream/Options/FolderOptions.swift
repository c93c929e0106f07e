import ArgumentParser
import Foundation
import PhotoStreamModel
import PhotoStreamService

/// The options of an import of folders.
struct FolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Import only files that match the pattern, such as '*.jpg' or '2024/**', in any case. May be repeated.",
            valueName: "glob"))
    var include: [String] = []

    @Option(
        help: ArgumentHelp(
            "Leave out files and folders that match the pattern, such as 'Raw/**', in any case. May be repeated.",
            valueName: "glob"))
    var exclude: [String] = []

    @Flag(
        help: """
            Take the photos of files that are gone out of the stream. They are kept for 30 days, and come back with their files.
            """)
    var prune = false

    @Option(
        help: ArgumentHelp(
            """
            Take the photos of a folder of which nothing is left, or whose disk is not mounted; without it --prune leaves them. \
            May be repeated.
            """, valueName: "folder"), completion: .directory)
    var pruneFolder: [String] = []

    @Flag(help: "Let --prune take more than half of the photos of a root.")
    var yes = false

    @Flag(help: "Read files again that failed before.")
    var retry = false

    @Option(
        help: ArgumentHelp(
            """
            The pictures that are shown as one: live photos with their films (live), raw files with their JPEGs (raw), edited \
            versions with their originals (edited), bursts (burst). Or pairs, the first three, all, or none.
            """, valueName: "a,b"), transform: Self.rules)
    var stacks = StackRules.pairs

    @Flag(help: "Keep importing what changes in the folders, until a signal ends it.")
    var watch = false

    /// The options in the form of the service.
    var options: FolderImport.Options {
        var options = FolderImport.Options()
        (options.include, options.exclude) = (include, exclude)
        (options.prunesVanished, options.retriesFailures) = (prune || !pruneFolder.isEmpty, retry)
        (options.prunedFolders, options.prunesMostOfRoot) = (pruneFolder, yes)
        options.stacks = stacks
        return options
    }

    /// Returns the rules of stacks with some names.
    private static func rules(_ text: String) throws -> StackRules {
        switch text {
        case "pairs": return .pairs
        case "all": return StackRules(StackRules.pairs.kinds.union([.burst]))
        case "none": return StackRules([])
        default:
            let kinds = try text.split(separator: ",").map { name in
                guard let kind = StackKind.allCases.first(where: { $0.name == name }), kind != .manual else {
                    let names = "live, raw, edited and burst, or pairs, all and none"
                    throw ValidationError("\"\(name)\" is not a kind of stack; there are \(names)")
                }
                return kind
            }
            return StackRules(Set(kinds))
        }
    }

    /// Refuses combinations that make no sense.
    ///
    /// - Parameters:
    ///   - hasFolders: Whether any source is a folder.
    ///   - isDryRun: Whether nothing should be changed.
    /// - Throws: `ValidationError`.
    func check(hasFolders: Bool, isDryRun: Bool) throws {
        let given = [
            ("--include", !include.isEmpty), ("--exclude", !exclude.isEmpty), ("--prune", prune), ("--retry", retry),
            ("--prune-folder", !pruneFolder.isEmpty), ("--yes", yes),
            ("--watch", watch), ("--stacks", stacks.kinds != StackRules.pairs.kinds),
        ]
        if !hasFolders, let option = given.first(where: \.1)?.0 {
            throw ValidationError("\(option) is for folders of pictures, and no source is a folder")
        }
        if yes, !prune { throw ValidationError("--yes confirms --prune, which is missing") }
        if isDryRun, watch { throw ValidationError("--watch changes the stream, so it cannot be a --dry-run") }
        try asUsageError { try FolderImport.check(options) }
    }

    /// Whether a source is a folder.
    static func isFolder(_ source: String) -> Bool {
        var isFolder: ObjCBool = false
        return unsafe source != "-" && FileManager.default.fileExists(atPath: source, isDirectory: &isFolder)
            && isFolder.boolValue
    }
}
