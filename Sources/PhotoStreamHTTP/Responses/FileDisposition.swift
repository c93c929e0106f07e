import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// The name under which a client saves a picture's file, as a value of `Content-Disposition`.
///
///     FileDisposition(name: "Zürich.HEIC").text
///     // inline; filename="Z_rich.HEIC"; filename*=UTF-8''Z%C3%BCrich.HEIC
///
/// Source: RFC 6266, sections 4.3 and 5 and appendix D; RFC 8187, section 3.2.
struct FileDisposition {
    /// The number of characters of a photo's id that a share without names has in the names of files.
    private static let idLength = 8

    private let name: String

    /// Creates the disposition of a name.
    ///
    /// - Parameter name: Any text; control characters and separators of folders are replaced.
    init(name: String) {
        var safe = ""
        for scalar in name.unicodeScalars {
            let isSafe = scalar.properties.generalCategory != .control && scalar != "/" && scalar != "\\"
            safe.unicodeScalars.append(isSafe ? scalar : "_")
        }
        self.name = safe
    }

    /// Creates the disposition of a file for its readers.
    ///
    /// - Parameters:
    ///   - file: The file, whose name is the last component of its photo's location.
    ///   - photo: The id of the photo.
    ///   - audience: The readers if they have the link of a share: without names, the name is the
    ///     beginning of the share's own id of the photo with the extension of the type. `nil` for all others.
    init(of file: PictureFile, photo: PhotoID, for audience: ShareAudience?) {
        if let audience, !audience.options.contains(.names) {
            let id = audience.text(photo.rawValue, as: .photoID).prefix(Self.idLength)
            self.init(name: "photo-\(id).\(file.type.fileExtension)")
        } else {
            self.init(name: file.name)
        }
    }

    /// The value of the field: ASCII without control characters.
    var text: String {
        var plain = ""
        for scalar in name.unicodeScalars {
            // Clients take a percent sign for the beginning of an escape sequence, and disagree about escaped quotation marks.
            let isPlain = scalar.isASCII && scalar != "\"" && scalar != "%"
            plain.unicodeScalars.append(isPlain ? scalar : "_")
        }
        return "inline; filename=\"\(plain)\"; filename*=UTF-8''\(PercentEscapes.encoded(name))"
    }
}
