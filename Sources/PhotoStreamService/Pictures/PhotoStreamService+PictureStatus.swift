import Foundation
public import PhotoStreamModel
import PhotoStreamStorage

/// The pictures of a file, and the store of their thumbnails.
public struct PictureStatus: Hashable, Sendable {
    /// A stream's pictures.
    public struct Stream: Hashable, Sendable {
        /// The stream.
        public let name: StreamName
        /// The counts of the pictures.
        public let pictures: StreamPictures
        /// The reasons why pictures cannot be decoded, the most frequent first.
        public let reasons: [Reason]
        /// The numbers of files with metadata that was left out or could not be read, by kind.
        public let warnings: [FileWarning: Int]
        /// The numbers of files by what identifies them.
        public let identities: FileIdentities
    }

    /// A reason why pictures cannot be decoded.
    public struct Reason: Hashable, Sendable {
        /// One sentence.
        public let text: String
        /// The number of pictures.
        public let count: Int
    }

    /// The streams, by name.
    public let streams: [Stream]
    /// The path of the store.
    public let storePath: String
    /// The number of pictures with stored thumbnails.
    public let storedCount: Int
    /// The size of the thumbnails, in bytes.
    public let storedBytes: Int64
    /// The default limit of that size, in bytes.
    public let standardBudget: Int64
}

extension PhotoStreamService {
    /// Returns the counts of pictures and of their stored thumbnails.
    ///
    /// - Throws: `StorageError`.
    /// - Complexity: O(photos).
    public func pictureStatus() throws -> PictureStatus {
        let streams = try transaction { reader in
            try reader.streams().map { stream in
                PictureStatus.Stream(
                    name: stream.name, pictures: StreamPictures(try reader.pictureCounts(streamID: stream.id)),
                    reasons: try reader.pictureFailureReasons(streamID: stream.id).map {
                        PictureStatus.Reason(text: $0.reason, count: $0.count)
                    }, warnings: try reader.fileWarnings(streamID: stream.id),
                    identities: try reader.fileIdentities(streamID: stream.id))
            }
        }
        let store = try existingStore()
        return PictureStatus(
            streams: streams, storePath: pictureStorePath, storedCount: try store?.count ?? 0,
            storedBytes: try store?.byteCount ?? 0,
            standardBudget: PictureSettings.standardBudget(at: pictureStorePath))
    }

    /// Checks the stored thumbnails, and the file's records of pictures.
    ///
    /// The thumbnails are compared with their checksums, and their headers with the sizes and formats in the store.
    ///
    /// - Parameter progress: Called with the number of thumbnails that were read.
    /// - Returns: The problems, one sentence each.
    /// - Throws: `StorageError`, and the errors of `progress`.
    public func verifyPictures(progress: (Int) throws -> Void = { _ in }) throws -> [String] {
        var problems: [String] = []
        try forEachPicturePage { stream, rows in
            for (id, row) in rows where row.state == .ready && row.currentKey == nil && !row.isOfOtherEncoder {
                problems.append(
                    "the picture of photo row \(id) of stream \"\(stream.name)\" has another key than its contents; "
                        + "photostream pictures clear repairs it")
            }
        }
        let store = try existingStore()
        return problems
            + (try store?.verify(examine: ThumbnailHeader.problem, progress: progress) ?? [])
    }

    /// Deletes the stored thumbnails, which are created again on demand.
    ///
    /// - Parameter includingResults: Whether the results of decodes are deleted, too: keys, placeholders, colours, and
    ///   failures.
    /// - Throws: `StorageError`.
    public func clearPictures(includingResults: Bool) throws {
        if includingResults {
            try forEachPicturePage { stream, rows in
                guard !rows.isEmpty else { return }
                try write { try $0.deletePictures(streamID: stream.id, photoRowIDs: rows.keys, now: now()) }
            }
        }
        try existingStore()?.clear()
    }

    /// Passes the results of decodes to `body`, by the rows of their photos, in pages and outside of any transaction.
    private func forEachPicturePage(_ body: (StreamRow, [Int64: PictureRow]) throws -> Void) throws {
        for stream in try transaction({ try $0.streams() }) {
            var place: OrderKey?
            while true {
                let page = try transaction { reader in
                    let photos = try reader.photos(streamID: stream.id, after: place, limit: Self.maximumLimit)
                    return (last: photos.last?.key, rows: try reader.pictures(photoRowIDs: photos.map(\.rowID)))
                }
                guard let last = page.last else { break }
                try body(stream, page.rows)
                place = last
            }
        }
    }

    /// The store; `nil` if there is none.
    private func existingStore() throws -> PictureStore? {
        guard FileManager.default.fileExists(atPath: pictureStorePath) else { return nil }
        let budget = PictureSettings.standardBudget(at: pictureStorePath)
        return try PictureStore(path: pictureStorePath, budgetBytes: budget, today: PictureMaker.today)
    }
}

extension PictureRow {
    /// Whether the key was computed by another version of the encoder.
    fileprivate var isOfOtherEncoder: Bool {
        guard let fileHash, let key else { return false }
        return (0..<PictureJob.encoderVersion).contains { version in
            key == PictureKey(fileHash: fileHash, orientation: orientation, encoderVersion: version)
        }
    }
}
