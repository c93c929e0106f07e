import Foundation
import GRDB
package import PhotoStreamModel

/// A text to search for in titles, captions and lists, without regard to case, accents and width.
///
///     let text = SearchedText("zurich")
///     text.isFound(in: "Sunset in Zürich")  // true
package struct SearchedText: Hashable, Sendable {
    private let folded: [UInt8]
    private let isASCII: Bool

    /// Prepares a text; every text contains an empty one.
    package init(_ text: String) {
        folded = Array(Self.folded(text).utf8)
        isASCII = folded.allSatisfy { $0 < 0x80 }
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// Whether a text contains it.
    ///
    /// - Complexity: O(length of the text) for usual texts; ASCII texts are not copied.
    package func isFound(in text: String) -> Bool {
        var text = text
        let hasOthers = text.utf8.contains { $0 >= 0x80 }
        guard hasOthers else { return isASCII && text.withUTF8 { unsafe contains($0.span) } }
        var other = Self.folded(text)
        return other.withUTF8 { unsafe contains($0.span) }
    }

    private func contains(_ bytes: Span<UInt8>) -> Bool {
        guard let first = folded.first else { return true }
        guard bytes.count >= folded.count else { return false }
        for start in 0...(bytes.count - folded.count) where Self.lowercased(bytes[start]) == first {
            if folded.indices.allSatisfy({ Self.lowercased(bytes[start + $0]) == folded[$0] }) { return true }
        }
        return false
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}

extension PhotoReader {
    /// Searches the titles, captions and lists of a stream's photos for a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - lists: The lists to search.
    ///   - streamID: The stream's row id.
    ///   - limit: The maximum number of photos found.
    ///   - byteLimit: The maximum size of their texts in bytes.
    ///   - scanLimit: The maximum number of photos to examine.
    /// - Returns: The photos, in stream order, and whether these are all.
    /// - Throws: `DatabaseError` if SQLite fails or the task is cancelled.
    /// - Complexity: O(photos), at most `scanLimit`.
    package func search(
        _ text: SearchedText, in lists: [PhotoList], streamID: Int64, limit: Int, within byteLimit: Int,
        scanning scanLimit: Int
    ) throws -> (photos: [StoredPhoto], isComplete: Bool) {
        let (rowIDs, isComplete) = try rowIDs(
            containing: text, in: lists, streamID: streamID, limit: limit, scanning: scanLimit)
        var (found, byteCount): ([StoredPhoto], Int) = ([], 0)
        // One at a time, so that no more than the limit is in memory.
        for rowID in rowIDs {
            for photo in try photos(rowIDs: [rowID]) {
                byteCount += photo.photo.textByteCount
                guard found.isEmpty || byteCount <= byteLimit else { return (found, false) }
                found.append(photo)
            }
        }
        return (found, isComplete)
    }

    private func rowIDs(
        containing text: SearchedText, in lists: [PhotoList], streamID: Int64, limit: Int, scanning scanLimit: Int
    ) throws -> (rowIDs: [Int64], isComplete: Bool) {
        let statement = try RawStatement(database, sql: PhotoSQL.searchedTexts, with: streamID)
        defer { statement.reset() }
        var (rowIDs, scanned): ([Int64], Int) = ([], 0)
        while try statement.step() {
            guard scanned < scanLimit else { return (rowIDs, false) }
            scanned += 1
            let isFound =
                [1, 2].contains { statement.optionalText($0).map(text.isFound) ?? false }
                || lists.contains { list in
                    statement.optionalText(3 + Int32(list.rawValue))
                        .map { JSONTextList.decode($0).contains(where: text.isFound) } ?? false
                }
            guard isFound else { continue }
            guard rowIDs.count < limit else { return (rowIDs, false) }
            rowIDs.append(try statement.rowID(0))
        }
        return (rowIDs, true)
    }
}
