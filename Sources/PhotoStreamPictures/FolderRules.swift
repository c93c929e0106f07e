import PhotoStreamModel

/// The rules by which the files and folders directly in one folder are left out.
struct FolderRules {
    /// The name of a file by which apps for Android leave out its folder.
    static let noMediaName = ".nomedia"

    /// The path of the folder from the root.
    let folder: String
    /// The path of the folder that the patterns of the filter refer to.
    private let base: String
    private let filter: PathFilter
    /// The name of the folder.
    private let name: String
    /// The lists of the folder and of those above it, the outermost first.
    private let lists: [(folder: String, list: IgnoreList)]

    /// Creates the rules for the root.
    ///
    /// - Parameters:
    ///   - rootName: The name of the root.
    ///   - list: Its list.
    ///   - filter: The selection of files.
    ///   - base: The folder that the patterns of the filter refer to, by its path from the root.
    init(rootName: String, list: IgnoreList?, filter: PathFilter, base: String) {
        (folder, name, self.base, self.filter) = ("", rootName, base, filter)
        lists = list.map { [("", $0)] } ?? []
    }

    private init(in parent: FolderRules, name: String, list: IgnoreList?) {
        folder = parent.folder.appending(name: name)
        (self.name, base, filter) = (name, parent.base, parent.filter)
        lists = parent.lists + (list.map { [(parent.folder.appending(name: name), $0)] } ?? [])
    }

    /// The rules for a folder in this one, with its list.
    func entering(_ name: String, list: IgnoreList?) -> FolderRules { FolderRules(in: self, name: name, list: list) }

    /// Whether a folder is the one that an import was asked for, or above it; such a folder is never left out.
    func isNamed(_ folder: String) -> Bool { !base.contains(path: folder) }

    /// Whether a file has rules for its folder.
    static func isRuleFile(_ name: String) -> Bool { name == IgnoreList.fileName || name == noMediaName }

    /// The reason to leave out a folder; `nil` if there is none.
    ///
    /// Its own file `.nomedia` is not considered.
    func reasonToLeaveOutFolder(_ name: String) -> LeftOutReason? {
        let path = folder.appending(name: name)
        guard !isNamed(path) else { return nil }
        if SystemNames.haveFolder(name, in: self.name) { return .system }
        if IgnoredNames.isHidden(name) { return .hidden }
        if ignores(path, isFolder: true) { return .ignoreFile }
        return filter.includesFolder(path.path(from: base)) ? nil : .pattern
    }

    /// The reason to leave out a file; `nil` if there is none.
    func reasonToLeaveOutFile(_ name: String) -> LeftOutReason? {
        let path = folder.appending(name: name)
        if SystemNames.haveFile(name, in: self.name) { return .system }
        if IgnoredNames.isHidden(name) { return .hidden }
        if ignores(path, isFolder: false) { return .ignoreFile }
        guard filter.includesFile(path.path(from: base)) else { return .pattern }
        return IgnoredNames.reasonToLeaveOut(name)
    }

    /// Whether the innermost list with a rule for a path ignores it.
    private func ignores(_ path: String, isFolder: Bool) -> Bool {
        lists.reversed().lazy.compactMap { $0.list.ignores(path.path(from: $0.folder), isFolder: isFolder) }.first
            ?? false
    }
}

/// A file with rules that cannot be obeyed, so that its folder is left out.
struct RuleFileProblem: Error {
    /// Its path from the root.
    let path: String
    /// The reason as a clause.
    let reason: String

    /// The problem that an import reports.
    var folderProblem: FolderProblem {
        FolderProblem(path: path, reason: "its folder is left out, because \(reason)", hidesFiles: true)
    }
}

extension FolderTree {
    /// Reads the rules of a folder and of those above it.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder from the root.
    ///   - filter: The selection of files.
    ///   - base: The folder that the patterns of the filter refer to, by its path from the root.
    /// - Returns: The rules; `nil` if the folder is left out.
    /// - Throws: ``RuleFileProblem``.
    func rules(at folder: String, filter: PathFilter, base: String) throws(RuleFileProblem) -> FolderRules? {
        var rules = FolderRules(rootName: name, list: try ignoreList(in: ""), filter: filter, base: base)
        for part in folder.utf8.split(separator: UInt8(ascii: "/")) {
            let name = String(Substring(part))
            guard rules.reasonToLeaveOutFolder(name) == nil, let next = try enter(name, from: rules) else { return nil }
            rules = next
        }
        return rules
    }

    /// Reads the rules of a folder in another one, whose rules do not leave it out.
    ///
    /// - Returns: The rules; `nil` if the folder contains a file `.nomedia` that applies to it.
    /// - Throws: ``RuleFileProblem``.
    func enter(_ name: String, from rules: FolderRules) throws(RuleFileProblem) -> FolderRules? {
        let folder = rules.folder.appending(name: name)
        if !rules.isNamed(folder), hasFile(folder.appending(name: FolderRules.noMediaName)) { return nil }
        return rules.entering(name, list: try ignoreList(in: folder))
    }

    private func ignoreList(in folder: String) throws(RuleFileProblem) -> IgnoreList? {
        let path = folder.appending(name: IgnoreList.fileName)
        var bytes: [UInt8]?
        do throws(FolderError) {
            bytes = try contents(of: path, limit: IgnoreList.maximumByteCount)
        } catch {
            throw RuleFileProblem(path: path, reason: error.reason)
        }
        do throws(IgnoreList.Problem) {
            return try bytes.map { bytes throws(IgnoreList.Problem) in try IgnoreList(bytes: bytes) }
        } catch {
            throw RuleFileProblem(path: path, reason: error.reason)
        }
    }
}
