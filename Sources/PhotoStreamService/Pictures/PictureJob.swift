import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamStorage

/// The size and the time of a file, which distinguish its versions.
struct FileStamp: Hashable, Sendable {
    /// The length in bytes.
    var byteCount: Int64
    /// The time of the last write, in nanoseconds since 1970.
    var modifiedNanoseconds: Int64

    /// The stamp of a file that cannot be opened.
    static let none = FileStamp(byteCount: 0, modifiedNanoseconds: 0)
}

extension FileStamp {
    init(_ version: FileVersion) {
        self.init(byteCount: version.byteCount, modifiedNanoseconds: version.modifiedNanoseconds)
    }

    init(_ decoded: DecodedPicture) {
        self.init(byteCount: decoded.byteCount, modifiedNanoseconds: decoded.modifiedNanoseconds)
    }
}

/// A picture to decode, with its photo as of the lookup.
public struct PictureJob: Sendable {
    /// The photo as of the lookup.
    let photo: PicturedPhoto
    /// The photo's own colour, without a decode.
    let color: RGBColor?
    let file: PictureFileName
    let stamp: FileStamp
    /// The key, if this version of the file was already decoded; then only its thumbnails are missing.
    var key: PictureKey?
    /// The number of times that a worker has crashed on it alone.
    var deathCount = 0
    /// The thumbnail for which a client waits; `nil` in the background.
    var kind: ThumbnailKind?
    /// Whether it is decoded again, because its thumbnails are missing.
    var isRepeated = false
    /// Whether it is tried while nothing else is decoded in the background, because a worker crashed on it.
    var isTriedAlone = false
    /// The key that the client requires of the picture.
    var requiredKey: PictureKey?

    /// The version of the encoder, raised if thumbnails are created differently, so that they have other addresses.
    static let encoderVersion: UInt8 = 1

    /// The thumbnails to create; the first decode creates those of every picture.
    var kinds: [ThumbnailKind] {
        let defaults = ThumbnailSize.defaults.map { ThumbnailKind($0, as: .webP) }
        guard let kind else { return defaults }
        guard key == nil else { return [kind] }
        return defaults.contains(kind) ? defaults : defaults + [kind]
    }

    /// The orientation in which to display the picture; `nil` for that of the file.
    ///
    /// Records without an orientation are stored as `.up`, so `.up` counts only if a person set it.
    var orientation: Orientation? {
        photo.orientation == .up && !photo.editedFields.contains(.orientation) ? nil : photo.orientation
    }

    /// The row of the photo.
    var rowID: Int64 { photo.rowID }

    /// The request to a worker.
    var request: DecodeRequest {
        DecodeRequest(file: file, orientation: orientation, thumbnails: kinds, isMeasured: key == nil)
    }
}

/// The result of a decode, in memory until it is written.
struct MadePicture: Sendable {
    /// The result to write.
    enum Outcome: Sendable {
        /// It was decoded; with measures, unless the file already has those of this version.
        case ready(PictureKey, Orientation, PictureMeasures?)
        /// It cannot be decoded, or not at the moment.
        case failed(PictureFailure, deathCount: Int)
    }

    let job: PictureJob
    /// The version of the file that was decoded.
    let stamp: FileStamp
    let outcome: Outcome
    var thumbnails: [ThumbnailKind: Thumbnail]
    /// A number that distinguishes results of the same photo.
    var number: Int
    /// Whether its thumbnails are in the store.
    var isStored = false
}

extension MadePicture {
    /// The row to write; `nil` if a decode has only added a thumbnail.
    var row: PictureRow? {
        switch outcome {
        case .ready(let key, let orientation, let measures?):
            PictureRow(
                byteCount: stamp.byteCount, modifiedNanoseconds: stamp.modifiedNanoseconds, orientation: orientation,
                state: .ready, contentHash: measures.contentHash, key: key, placeholder: measures.placeholder,
                color: measures.color)
        case .ready: nil
        case .failed(let failure, let deathCount):
            PictureRow(
                byteCount: stamp.byteCount, modifiedNanoseconds: stamp.modifiedNanoseconds,
                orientation: job.photo.orientation, state: .failed, failureKind: failure.kind.rawValue,
                reason: failure.reason, deaths: deathCount)
        }
    }
}

extension PictureRow {
    /// The row of a picture that is being tried alone.
    init(trying job: PictureJob, note: String) {
        self.init(
            byteCount: job.stamp.byteCount, modifiedNanoseconds: job.stamp.modifiedNanoseconds,
            orientation: job.photo.orientation, state: .alone, reason: note, deaths: job.deathCount)
    }

    /// The key of its thumbnails, if this version of the encoder created them.
    var currentKey: PictureKey? {
        guard state == .ready, let contentHash, let key,
            key
                == PictureKey(
                    contentHash: contentHash, orientation: orientation, encoderVersion: PictureJob.encoderVersion)
        else { return nil }
        return key
    }

    /// Whether it belongs to a version of a file.
    func isOf(_ stamp: FileStamp) -> Bool {
        byteCount == stamp.byteCount && modifiedNanoseconds == stamp.modifiedNanoseconds
    }

    /// Whether a worker crashed on it.
    var isDeath: Bool {
        failureKind.flatMap(PictureFailure.Kind.init(rawValue:)).map { $0 == .crashed || $0 == .timedOut } ?? false
    }
}

extension PictureFailure {
    /// Whether the same file would fail again, so that it is not retried until it changes.
    var isLasting: Bool {
        switch kind {
        case .missing, .denied, .notAPicture, .unsupported, .damaged, .tooLarge, .timedOut, .crashed: true
        case .changed, .exhausted, .noWorker: false
        }
    }

    /// Whether a worker crashed or was killed because of it.
    var isDeath: Bool { kind == .crashed || kind == .timedOut }
}

extension StoredThumbnail {
    init(_ thumbnail: Thumbnail) {
        self.init(
            kind: thumbnail.kind, width: thumbnail.width, height: thumbnail.height, bytes: thumbnail.bytes)
    }
}
