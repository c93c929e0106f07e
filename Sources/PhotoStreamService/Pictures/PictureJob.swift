import PhotoStreamModel
import PhotoStreamPictureMessages
import PhotoStreamStorage

extension FileStamp {
    init(_ version: FileVersion) {
        self.init(byteCount: version.byteCount, modifiedNanoseconds: version.modifiedNanoseconds)
    }
}

/// A picture to decode, with its photo as of the lookup.
public struct PictureJob: Sendable {
    /// The purpose of a decode.
    enum Purpose: Hashable, Sendable {
        /// A client waits for a thumbnail, of the picture with a key if it was requested by that.
        case thumbnail(ThumbnailKind, of: PictureKey? = nil)
        /// The thumbnails of all pictures are created; `checksStore` if those that are missing in the store are, too.
        case warmUp(checksStore: Bool)
        /// A worker crashed on the picture, which is decoded again at the end of a warm-up, after all others.
        case isolatedRetry
    }

    /// The photo as of the lookup.
    let photo: PicturedPhoto
    /// The colour of the photo without a decode.
    let color: RGBColor?
    let file: PictureFileName
    let stamp: FileStamp
    var purpose: Purpose
    /// The key, if this version of the file was already decoded; then only the thumbnail is missing.
    var key: PictureKey?
    /// The number of isolated retries that crashed, including the one of this job.
    var deathCount = 0

    /// The version of the encoder, raised if thumbnails are created differently, so that they have other addresses.
    static let encoderVersion: UInt8 = 2

    /// The thumbnail for which a client waits; `nil` in a warm-up.
    var kind: ThumbnailKind? {
        guard case .thumbnail(let kind, _) = purpose else { return nil }
        return kind
    }

    /// The key that the client requires of the picture.
    var requiredKey: PictureKey? {
        guard case .thumbnail(_, let key) = purpose else { return nil }
        return key
    }

    /// Whether a warm-up requests it with others.
    var isOfWarmUp: Bool {
        guard case .warmUp = purpose else { return false }
        return true
    }

    /// The thumbnails that are made in advance.
    var preparedKinds: [ThumbnailKind] { ThumbnailKind.prepared(for: photo.pixelSize) }

    /// The thumbnails to create; the first decode creates those that are made in advance.
    var kinds: [ThumbnailKind] {
        let prepared = preparedKinds
        guard let kind else { return prepared }
        guard isMeasured else { return [kind] }
        return prepared.contains(kind) ? prepared : prepared + [kind]
    }

    /// Whether the decode determines the key, the placeholder and the colour, too.
    var isMeasured: Bool { key == nil }

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
        DecodeRequest(file: file, orientation: orientation, thumbnails: kinds, isMeasured: isMeasured)
    }

    /// Whether another job is for the same picture of the same photo.
    func isSamePicture(as other: PictureJob) -> Bool {
        rowID == other.rowID && file == other.file && orientation == other.orientation
    }
}

extension ThumbnailKind {
    /// The thumbnails of a picture of a size that are made in advance.
    static func prepared(for size: PixelSize) -> [ThumbnailKind] {
        ThumbnailSize.prepared(for: size).map { ThumbnailKind($0, as: .webP) }
    }
}

/// The result of looking up or decoding a picture.
enum PictureResult: Sendable {
    /// It has to be decoded, with its key if only the thumbnail is missing; or another process is decoding it.
    case missing(PictureKey?)
    /// It was decoded, with some of its thumbnails.
    case ready(PictureKey, [ThumbnailKind: [UInt8]])
    /// It cannot be decoded, or not at the moment; with the number of isolated retries that crashed.
    case failed(PictureFailure, deathCount: Int)
}

/// The result of a decode, in memory until it is written.
struct MadePicture: Sendable {
    /// The result to write.
    enum Outcome: Sendable {
        /// It was decoded; with measures, unless the file already has those of this version.
        case ready(PictureKey, Orientation, PictureMeasures?)
        /// It cannot be decoded, or not at the moment.
        case failed(PictureFailure)
    }

    let job: PictureJob
    /// The version of the file that was decoded.
    let stamp: FileStamp
    var outcome: Outcome
    var thumbnails: [ThumbnailKind: StoredThumbnail] = [:]
    /// A number that distinguishes results of the same photo.
    var number = 0
    /// Whether its thumbnails are in the store.
    var isStored = false
}

extension MadePicture {
    init(_ result: Result<DecodedPicture, PictureFailure>, of job: PictureJob) {
        let decoded: DecodedPicture
        switch result {
        case .failure(let failure):
            let isUnreadable = failure.kind == .missing || failure.kind == .denied
            self.init(job: job, stamp: isUnreadable ? .none : job.stamp, outcome: .failed(failure))
            return
        case .success(let picture): decoded = picture
        }
        let measured = decoded.measures.map { measures in
            PictureKey(
                fileHash: measures.content.fileHash, orientation: decoded.orientation,
                encoderVersion: PictureJob.encoderVersion)
        }
        guard let key = measured ?? (decoded.stamp == job.stamp ? job.key : nil) else {
            let failure = PictureFailure(.changed, reason: "the file was changed meanwhile")
            self.init(job: job, stamp: job.stamp, outcome: .failed(failure))
            return
        }
        self.init(job: job, stamp: decoded.stamp, outcome: .ready(key, decoded.orientation, decoded.measures))
        // A picture may have taken control of the worker, which then may send anything.
        for made in decoded.thumbnails {
            let thumbnail = StoredThumbnail(kind: made.kind, width: made.width, height: made.height, bytes: made.bytes)
            if ThumbnailHeader.problem(of: thumbnail) == nil { thumbnails[made.kind] = thumbnail }
        }
    }

    /// The result for callers.
    var result: PictureResult {
        switch outcome {
        case .ready(let key, _, _): .ready(key, thumbnails.mapValues(\.bytes))
        case .failed(let failure): .failed(failure, deathCount: job.deathCount)
        }
    }

    /// The row to write; `nil` if a decode has only added a thumbnail.
    var row: PictureRow? {
        switch outcome {
        case .ready(let key, let orientation, let measures?):
            PictureRow(
                byteCount: stamp.byteCount, modifiedNanoseconds: stamp.modifiedNanoseconds, orientation: orientation,
                state: .ready, fileHash: measures.content.fileHash, pictureHash: measures.content.pictureHash, key: key,
                placeholder: measures.placeholder, color: measures.color)
        case .ready: nil
        case .failed(let failure):
            PictureRow(
                byteCount: stamp.byteCount, modifiedNanoseconds: stamp.modifiedNanoseconds,
                orientation: job.photo.orientation, state: .failed, failureKind: failure.kind.rawValue,
                reason: failure.reason, deaths: failure.isDeath ? job.deathCount : 0)
        }
    }
}

extension PictureRow {
    /// The key of its thumbnails, if this version of the encoder created them.
    var currentKey: PictureKey? {
        guard state == .ready, let fileHash, let key,
            key
                == PictureKey(
                    fileHash: fileHash, orientation: orientation, encoderVersion: PictureJob.encoderVersion)
        else { return nil }
        return key
    }

    /// Returns the result of a version of the file; `nil` if the row is of another version or encoder, or of a failure
    /// for the lack of a program that is installed now.
    func result(of stamp: FileStamp) -> PictureResult? {
        guard isOf(stamp) else { return nil }
        switch state {
        case .ready: return currentKey.map { PictureResult.ready($0, [:]) }
        case .failed:
            // A row without a kind is of an isolated retry that a process of version 0.2.0 did not survive.
            let failure = failureKind.map {
                PictureFailure(PictureFailure.Kind(rawValue: $0) ?? .damaged, reason: reason ?? "")
            }
            guard failure?.isRemedied != true else { return nil }
            return .failed(failure ?? .inRetry, deathCount: deaths)
        }
    }

    /// Whether it belongs to a version of a file.
    func isOf(_ stamp: FileStamp) -> Bool {
        byteCount == stamp.byteCount && modifiedNanoseconds == stamp.modifiedNanoseconds
    }
}

extension PictureFailure {
    /// The failure of a picture while an isolated retry is counted that has no result.
    static let inRetry = PictureFailure(.crashed, reason: "decoding it ended the program")

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
