/// The names of files and folders that systems and programs keep next to pictures, without regard to case.
struct SystemNames: Sendable {
    /// The part of a name that is compared.
    enum Form: Sendable {
        /// A folder of this name.
        case folder(String)
        /// A folder whose name begins so.
        case folderPrefix(String)
        /// A folder whose name ends so.
        case folderSuffix(String)
        /// A file whose name ends so.
        case fileSuffix(String)
        /// A folder whose name ends so, with a library of pictures, in which only folders with the originals count.
        case library(String)
    }

    /// The system or program.
    let system: String
    /// The names that are certain to be its own.
    let forms: [Form]

    /// The known systems.
    static let all = [
        SystemNames(
            system: "Synology",
            forms: [
                .folder("@eaDir"), .folder("#recycle"), .folder("#snapshot"), .folder("@tmp"), .folder("@sharebin"),
                .folder("@SynoResource"), .folder("@SynoEAStream"), .fileSuffix("@SynoResource"),
                .fileSuffix("@SynoEAStream"),
            ]),
        SystemNames(
            system: "QNAP",
            forms: [
                .folder("@Recycle"), .folder("@Recently-Snapshot"), .folder("@Transcode"), .folder(".@__thumb"),
                .folder("@__thumb"), .folder(".@upload_cache"), .folder(".@__qini"),
            ]),
        SystemNames(system: "NetApp", forms: [.folder("~snapshot"), .folder(".snapshot")]),
        SystemNames(
            system: "macOS",
            forms: [
                .folder("__MACOSX"), .folder(".Trashes"), .folder(".Trash"), .folder(".Spotlight-V100"),
                .folder(".fseventsd"), .folder(".DocumentRevisions-V100"), .folder(".TemporaryItems"),
                .folder("Network Trash Folder"), .folder("TheVolumeSettingsFolder"),
            ]),
        SystemNames(
            system: "Apple Photos, iPhoto and Aperture",
            forms: [
                .library(".photoslibrary"), .library(".photolibrary"), .library(".aplibrary"),
                .library(".migratedphotolibrary"), .library(".migratedaplibrary"),
            ]),
        SystemNames(
            system: "Windows",
            forms: [
                .folder("$RECYCLE.BIN"), .folder("RECYCLER"), .folder("System Volume Information"),
                .folderPrefix("$WINDOWS.~"), .folder("$WinREAgent"), .folder("$SysReset"),
            ]),
        SystemNames(system: "Lightroom", forms: [.folderSuffix(".lrdata")]),
        SystemNames(system: "Linux", forms: [.folder("lost+found"), .folderPrefix(".Trash-")]),
        SystemNames(system: "Android and Linux desktops", forms: [.folder(".thumbnails")]),
    ]

    /// The folders of a library with its originals.
    private static let originals: Set<String> = ["originals", "masters"]

    /// The names of all systems in lower case, by their form.
    private static let known = Known(all.flatMap(\.forms))

    private struct Known: Sendable {
        var folders: Set<String> = []
        var prefixes: [String] = []
        var suffixes: [String] = []
        var fileSuffixes: [String] = []
        var libraries: [String] = []

        init(_ forms: [Form]) {
            for form in forms {
                switch form {
                case .folder(let name): folders.insert(name.lowercased())
                case .folderPrefix(let text): prefixes.append(text.lowercased())
                case .folderSuffix(let text): suffixes.append(text.lowercased())
                case .fileSuffix(let text): fileSuffixes.append(text.lowercased())
                case .library(let text): libraries.append(text.lowercased())
                }
            }
        }
    }

    /// Whether a folder belongs to a system.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The name of the folder that contains it.
    /// - Returns: Whether it does.
    static func haveFolder(_ name: String, in parent: String) -> Bool {
        let name = name.lowercased()
        return known.folders.contains(name) || known.prefixes.contains { name.hasPrefix($0) }
            || known.suffixes.contains { name.hasSuffix($0) } || isLibrary(parent) && !originals.contains(name)
    }

    /// Whether a file belongs to a system.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The name of the folder that contains it.
    /// - Returns: Whether it does.
    static func haveFile(_ name: String, in parent: String) -> Bool {
        let name = name.lowercased()
        return known.fileSuffixes.contains { name.hasSuffix($0) } || isLibrary(parent)
    }

    private static func isLibrary(_ name: String) -> Bool {
        let name = name.lowercased()
        return known.libraries.contains { name.hasSuffix($0) }
    }
}
