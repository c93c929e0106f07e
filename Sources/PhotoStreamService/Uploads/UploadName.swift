import PhotoStreamPictureMessages
import PhotoStreamPictures

/// The name of an uploaded file: valid as a file name, and accepted by imports.
package struct UploadName: Hashable, Sendable {
    /// The maximum length, in bytes of UTF-8: that of file systems.
    package static let maximumByteCount = 255

    /// The name, with its extension.
    package let text: String
    /// The extension in lower case, without the dot.
    private let fileExtension: String

    /// Checks a name.
    ///
    /// - Parameter text: The name, without escape sequences.
    /// - Throws: ``UploadError/invalidName(_:reason:)``.
    package init(_ text: String) throws(UploadError) {
        guard !text.isEmpty else { throw .invalidName(text, reason: "the name is empty") }
        guard text.utf8.count <= Self.maximumByteCount else {
            throw .invalidName(
                text, reason: "the name has \(text.utf8.count) bytes; at most \(Self.maximumByteCount) are allowed")
        }
        guard !text.utf8.contains(UInt8(ascii: "/")) else {
            throw .invalidName(
                text, reason: "the name contains a slash; it must be that of a file, without folders")
        }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw .invalidName(text, reason: "the name contains a control character")
        }
        // Compares bytes, as the file system does, because a combining mark after a dot would form another character.
        let dot = UInt8(ascii: ".")
        guard text.utf8.first != dot else {
            throw .invalidName(text, reason: "the name begins with a dot, as hidden files do")
        }
        guard let last = text.utf8.lastIndex(of: dot), text.utf8.index(after: last) != text.utf8.endIndex else {
            throw .invalidName(text, reason: "the name has no extension, such as .jpg")
        }
        fileExtension = String(decoding: text.utf8[text.utf8.index(after: last)...], as: UTF8.self).lowercased()
        guard !IgnoredNames.ignoresFile(text), fileExtension != "xmp" else {
            throw .invalidName(text, reason: "files with the extension .\(fileExtension) are not imported")
        }
        self.text = text
    }

    /// Checks the extension against the picture's format, because programs judge the file by it.
    ///
    /// - Parameter format: The format that a worker has recognized.
    /// - Throws: ``UploadError/invalidName(_:reason:)`` with the extensions of the format.
    func check(_ format: PictureFormat) throws(UploadError) {
        let allowed = format.fileExtensions
        guard !allowed.contains(fileExtension) else { return }
        let list = allowed.prefix(3).map { ".\($0)" }.joined(separator: ", ")
        throw .invalidName(
            text, reason: "its extension is .\(fileExtension), but a picture of its format has one such as \(list)")
    }

    /// Returns the name with a number before the extension, such as `IMG_0001-2.JPG`, shortened if it would be too long.
    ///
    /// - Parameter number: The number.
    /// - Returns: The name; `nil` if the rest is too long for any.
    func numbered(_ number: Int) -> UploadName? {
        let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")) ?? text.endIndex
        let end = "-\(number)" + text[dot...]
        var stem = String(text[..<dot])
        while stem.utf8.count + end.utf8.count > Self.maximumByteCount, !stem.isEmpty { stem.removeLast() }
        return stem.isEmpty ? nil : try? UploadName(stem + end)
    }
}
