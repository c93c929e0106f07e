import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamStorage

/// The size and the time of a file, which distinguish its versions.
struct FileStamp: Hashable, Sendable {
    /// The length in bytes.
    var byteCount: Int64
    /// When it was written last, in nanoseconds since 1970.
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

/// A picture to decode: of a photo as it was when it was looked up.
public struct PictureJob: Sendable {
    /// The photo as it was when it was looked up.
    let photo: PicturedPhoto
    /// The colour that the photo has without a decode.
    let color: RGBColor?
    let file: PictureFileName
    let stamp: FileStamp
    /// The key, if a decode of this version of the file has given it; its thumbnails are all that is missing.
    var key: PictureKey?
    /// The number of times that a worker has died of it alone.
    var deathCount = 0
    /// The thumbnail that a client waits for; `nil` in the background.
    var kind: ThumbnailKind?
    /// Whether it is decoded though it was decoded before, because its thumbnails are gone.
    var isRepeated = false
    /// Whether it is tried while nothing else is decoded in the background, because a worker died of it.
    var isTriedAlone = false
    /// The key that the picture must have to be of use to the client.
    var requiredKey: PictureKey?

    /// The version of the encoder: raised when thumbnails are made differently, so that they have other addresses.
    static let encoderVersion: UInt8 = 1

    /// The thumbnails to make: with the first decode, those of every picture.
    var kinds: [ThumbnailKind] {
        let defaults = ThumbnailSize.defaults.map { ThumbnailKind($0, as: .webP) }
        guard let kind else { return defaults }
        guard key == nil else { return [kind] }
        return defaults.contains(kind) ? defaults : defaults + [kind]
    }

    /// The orientation to display the picture in; `nil` for that of the file.
    ///
    /// A record that says nothing of it counts as upright, though the file may be turned; only a person means it.
    var orientation: Orientation? {
        photo.orientation == .up && !photo.editedFields.contains(.orientation) ? nil : photo.orientation
    }

    /// The row of the photo.
    var rowID: Int64 { photo.rowID }

    /// The request of a worker.
    var request: DecodeRequest {
        DecodeRequest(file: file, orientation: orientation, thumbnails: kinds, isMeasured: key == nil)
    }
}

/// The result of a decode, in memory until it is written.
struct MadePicture: Sendable {
    /// The result to be written.
    enum Outcome: Sendable {
        /// It was decoded; measures if the file keeps none of this version yet.
        case ready(PictureKey, Orientation, PictureMeasures?)
        /// It cannot be decoded, or not now.
        case failed(PictureFailure, deathCount: Int)
    }

    let job: PictureJob
    /// The version of the file that was decoded.
    let stamp: FileStamp
    let outcome: Outcome
    var thumbnails: [ThumbnailKind: Thumbnail]
    /// Tells it from another result of the same photo.
    var number: Int
    /// Whether its thumbnails are in the store.
    var isStored = false
}

extension MadePicture {
    /// The row of the file; `nil` if a decode has only added a thumbnail.
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

    /// The key of its thumbnails, if this version of the encoder made them.
    var currentKey: PictureKey? {
        guard state == .ready, let contentHash, let key,
            key
                == PictureKey(
                    contentHash: contentHash, orientation: orientation, encoderVersion: PictureJob.encoderVersion)
        else { return nil }
        return key
    }

    /// Whether it is about a version of a file.
    func isOf(_ stamp: FileStamp) -> Bool {
        byteCount == stamp.byteCount && modifiedNanoseconds == stamp.modifiedNanoseconds
    }

    /// Whether a worker died of it.
    var isDeath: Bool {
        failureKind.flatMap(PictureFailure.Kind.init(rawValue:)).map { $0 == .crashed || $0 == .timedOut } ?? false
    }
}

extension PictureFailure {
    /// Whether the same file would fail again, so that it is not tried again until it changes.
    var isLasting: Bool {
        switch kind {
        case .missing, .denied, .notAPicture, .unsupported, .damaged, .tooLarge, .timedOut, .crashed: true
        case .changed, .exhausted, .noWorker: false
        }
    }

    /// Whether a worker died of it.
    var isDeath: Bool { kind == .crashed || kind == .timedOut }
}

extension StoredThumbnail {
    init(_ thumbnail: Thumbnail) {
        self.init(
            kind: thumbnail.kind, width: thumbnail.width, height: thumbnail.height, bytes: thumbnail.bytes)
    }
}
