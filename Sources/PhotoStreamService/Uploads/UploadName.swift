import PhotoStreamPictures

/// The name of an uploaded file: one that can be put into a folder as it is, and that an import would find there.
package struct UploadName: Hashable, Sendable {
    /// A reason why a text is not such a name, in one sentence.
    package struct Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The maximum length, in bytes of UTF-8: that of file systems.
    package static let maximumByteCount = 255

    /// The name, with its extension.
    package let text: String

    /// Checks a name.
    ///
    /// - Parameter text: The name, without escape sequences.
    /// - Throws: ``Refusal``.
    package init(_ text: String) throws(Refusal) {
        guard !text.isEmpty else { throw Refusal(description: "the name is empty") }
        guard text.utf8.count <= Self.maximumByteCount else {
            throw Refusal(
                description: "the name has \(text.utf8.count) bytes; at most \(Self.maximumByteCount) are allowed")
        }
        guard !text.utf8.contains(UInt8(ascii: "/")) else {
            throw Refusal(description: "the name contains a slash; it must be that of a file, without folders")
        }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw Refusal(description: "the name contains a control character")
        }
        guard !text.hasPrefix(".") else { throw Refusal(description: "the name begins with a dot, as hidden files do") }
        guard let dot = text.lastIndex(of: "."), text.index(after: dot) != text.endIndex else {
            throw Refusal(description: "the name has no extension, such as .jpg")
        }
        guard !IgnoredNames.ignoresFile(text), !text.lowercased().hasSuffix(".xmp") else {
            throw Refusal(description: "files with the extension \(text[dot...]) are not imported as pictures")
        }
        self.text = text
    }
}
