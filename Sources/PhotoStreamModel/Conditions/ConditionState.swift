/// The states of a photo that `is:` asks for.
public enum ConditionState: String, CaseIterable, Sendable {
    case favourite
    case archived
    case edited
    case moved
    case portrait
    case landscape
    case square
    case panorama
    case screenshot
    case vanished
    case duplicate
    case video

    /// The row of a state.
    struct Row {
        /// The meaning, as a sentence.
        let summary: String
        /// The values that decide.
        let inputs: ConditionInputs
    }

    /// The row of the state.
    var row: Row {
        switch self {
        case .favourite: Row(summary: "A favourite.", inputs: ConditionInputs([.flag(.favourite)]))
        case .archived:
            Row(summary: "Archived; left out unless a condition asks.", inputs: ConditionInputs([.flag(.archived)]))
        case .edited: Row(summary: "A person edited a field.", inputs: ConditionInputs(context: .edits))
        case .moved: Row(summary: "A person moved it in its stream.", inputs: ConditionInputs(context: .move))
        case .portrait:
            Row(summary: "Taller than wide, by more than 1 percent.", inputs: ConditionInputs([.size, .orientation]))
        case .landscape:
            Row(summary: "Wider than tall, by more than 1 percent.", inputs: ConditionInputs([.size, .orientation]))
        case .square:
            Row(summary: "The sides differ by 1 percent at most.", inputs: ConditionInputs([.size, .orientation]))
        case .panorama:
            Row(
                summary: "One side is at least twice as long as the other.",
                inputs: ConditionInputs([.size, .orientation]))
        case .screenshot:
            Row(
                summary: "Named as phones and computers name pictures of a screen, or in a folder of that name.",
                inputs: ConditionInputs([.text(.location)]))
        case .vanished: Row(summary: "Its imported file is gone.", inputs: ConditionInputs(context: .file))
        case .duplicate:
            Row(summary: "Another photo has the same picture.", inputs: ConditionInputs(context: .duplicates))
        case .video:
            Row(
                summary: "A video: it has a duration, or a file name of videos.",
                inputs: ConditionInputs([.number(.duration), .text(.location)]))
        }
    }

    /// The meaning, as a sentence.
    package var summary: String { row.summary }
}

/// The kinds of files that `type:` asks for.
public enum ConditionFileType: String, CaseIterable, Sendable {
    case jpeg
    case png
    case gif
    case webp
    case heic
    case avif
    case tiff
    case bmp
    case jxl
    case raw
    case video

    /// The extensions of files of the kind, in lower case.
    package var fileExtensions: [String] {
        switch self {
        case .jpeg: ["jpg", "jpeg", "jpe", "jfif", "mpo"]
        case .png: ["png"]
        case .gif: ["gif"]
        case .webp: ["webp"]
        case .heic: ["heic", "heif", "hif"]
        case .avif: ["avif"]
        case .tiff: ["tif", "tiff"]
        case .bmp: ["bmp", "dib"]
        case .jxl: ["jxl"]
        case .raw:
            [
                "dng", "3fr", "arw", "cr2", "cr3", "crw", "dcr", "erf", "fff", "iiq", "kdc", "mef", "mos", "mrw", "nef",
                "nrw", "orf", "pef", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
            ]
        case .video:
            ["mp4", "mov", "m4v", "qt", "3gp", "3g2", "mkv", "webm", "avi", "mts", "m2ts", "mpg", "mpeg"]
        }
    }

    /// The kind of a photo's file; `nil` if neither a duration nor the file's name tells.
    ///
    /// - Parameters:
    ///   - fileName: The name of the file.
    ///   - duration: The length of a video.
    package init?(fileName: String?, duration: Int?) {
        guard duration == nil else {
            self = .video
            return
        }
        guard let fileName, let dot = fileName.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let fileExtension = fileName[fileName.utf8.index(after: dot)...].lowercased()
        guard let type = Self.allCases.first(where: { $0.fileExtensions.contains(fileExtension) }) else { return nil }
        self = type
    }

    /// Returns the kind with a name, also by another usual name.
    init?(name: String) {
        let aliases = ["jpg": Self.jpeg, "tif": .tiff, "heif": .heic]
        guard let type = Self(rawValue: name) ?? aliases[name] else { return nil }
        self = type
    }
}

/// The file names of pictures of a screen.
package enum Screenshot {
    /// The beginnings of names: those of Android, iOS, macOS, Windows and Linux in many languages.
    private static let beginnings = [
        "screenshot", "screen shot", "screenshots", "screen capture", "screencapture", "bildschirmfoto",
        "bildschirmaufnahme", "capture d’écran", "capture décran", "captura de pantalla", "captura de tela",
        "captura de ecrã", "schermata",
        "istantanea schermo", "schermafbeelding", "skärmavbild", "skjermbilde", "skærmbillede", "näyttökuva",
        "zrzut ekranu", "снимок экрана", "скриншот", "знімок екрана", "snímek obrazovky", "ekran resmi",
        "ekran görüntüsü", "スクリーンショット", "屏幕快照", "屏幕截图", "截屏", "截图", "螢幕快照", "螢幕截圖", "스크린샷",
        "ภาพหน้าจอ",
    ].map { SearchWords($0).words }

    /// Whether a file is a picture of a screen, by its name or the name of its folder.
    ///
    /// - Parameters:
    ///   - fileName: The name of the file, such as `Screenshot_20240101.png`. `IMG_0123.PNG` counts: the cameras of
    ///     phones make no PNG.
    ///   - folder: The path of its folder.
    /// - Returns: Whether one of both is such a name.
    package static func isNamed(_ fileName: String?, in folder: String?) -> Bool {
        let folderWords = SearchWords(folder?.split(separator: "/").last.map(String.init) ?? "").words
        if beginnings.contains(where: folderWords.elementsEqual) { return true }
        guard let fileName else { return false }
        let words = SearchWords(fileName).words
        if beginnings.contains(where: words.starts(with:)) { return true }
        return words.count == 3 && words[0] == "img" && words[1].utf8.count == 4 && words[2] == "png"
            && words[1].utf8.allSatisfy { $0 < 0x3A }
    }
}
