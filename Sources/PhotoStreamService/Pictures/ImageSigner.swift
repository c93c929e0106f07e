import Crypto
public import PhotoStreamModel
import PhotoStreamStorage
import Synchronization

/// Signs the addresses of thumbnails for a cache in between, such as a CDN, which requests them from the server without
/// a token.
///
/// An address contains a sealed form of the picture's key, the thumbnail's size and format, its expiry, and a code over
/// all of these. It is valid for this thumbnail only. The expiry is the same for half a day and for all clients, so
/// that viewers share an address and a cache answers the second one. It is at least twelve hours and at most a day
/// after the answer with the address.
///
/// Source: RFC 2104 (HMAC); decision 36.
public final class ImageSigner: Sendable {
    /// The seconds for which all answers have the same addresses.
    private static let period: Int64 = 43_200
    /// The size of a code, in bytes: guessing one of 16 bytes takes 2^127 requests on average.
    private static let codeByteCount = 16

    /// The part of each address before its path, such as `https://img.example.org`.
    private let base: String
    /// The expiry of the addresses, in seconds since 1970.
    private let expiry: Int64
    private let key: ImageKey
    /// A text that changes when the addresses do.
    package let mark: String

    init(base: String, key: ImageKey, now: Int64) {
        (self.base, self.key) = (base, key)
        expiry = (now / 1_000 / Self.period + 2) * Self.period
        mark = "\(base) \(expiry) \(key.mark)"
    }

    /// Returns the address of a thumbnail.
    ///
    /// - Complexity: O(1): less than two microseconds.
    public func address(of picture: PictureKey, as kind: ThumbnailKind) -> String {
        address(of: sealed(picture), as: kind)
    }

    /// Returns the addresses of all WebP thumbnails of a picture, smallest first.
    public func addresses(of picture: PictureKey) -> [(size: ThumbnailSize, address: String)] {
        let sealed = sealed(picture)
        return ThumbnailSize.allCases.map { ($0, address(of: sealed, as: ThumbnailKind($0, as: .webP))) }
    }

    /// The sealed form of a key, which does not reveal the hash of the picture's content.
    private func sealed(_ picture: PictureKey) -> String { key.seal.sealed(picture).description }

    private func address(of sealed: String, as kind: ThumbnailKind) -> String {
        let code = key.code(sealed, as: kind, expiry: String(expiry))
        return "\(base)/v1/images/\(sealed)/\(kind.fileName)?e=\(expiry)&s=\(Base64URL.encoded(code))"
    }

    /// The parts of an address in a request.
    public struct Claim: Sendable {
        let picture: String
        let kind: ThumbnailKind
        let expiry: String
        let code: String

        /// Creates a claim from the texts of a request.
        ///
        /// - Parameters:
        ///   - picture: The sealed form of the key.
        ///   - kind: The size and the format.
        ///   - expiry: The expiry.
        ///   - code: The code.
        public init(picture: String, kind: ThumbnailKind, expiry: String, code: String) {
            (self.picture, self.kind, self.expiry, self.code) = (picture, kind, expiry, code)
        }
    }

    /// Returns the key of the picture for which an address was signed, and the seconds for which it is still valid;
    /// `nil` if it was altered, has expired, expires later than any address that was shown, or was never signed.
    static func opened(_ claim: Claim, by keys: [ImageKey], now: Int64) -> (picture: PictureKey, seconds: Int64)? {
        guard let expiry = Int64(claim.expiry), String(expiry) == claim.expiry,
            // Compared before it is subtracted: it may be any number.
            (now / 1_000 + 1...now / 1_000 + 2 * period).contains(expiry),
            let code = Base64URL.decoded(claim.code), code.count == codeByteCount,
            let sealed = PictureKey(claim.picture)
        else { return nil }
        for key in keys {
            // In constant time.
            let expected = key.code(claim.picture, as: claim.kind, expiry: claim.expiry)
            guard zip(expected, code).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else { continue }
            return (key.seal.opened(sealed), expiry - now / 1_000)
        }
        return nil
    }

    /// A key for signing addresses.
    struct ImageKey: Sendable {
        /// The code with the key already added.
        private let start: HMAC<SHA256>
        /// Hides the keys of pictures.
        let seal: ShareSeal
        /// A text that identifies the key without revealing it.
        let mark: String

        init(_ bytes: [UInt8]) {
            func derived(_ purpose: String) -> [UInt8] {
                let key = HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: SymmetricKey(data: bytes), info: Array("PhotoStream images: \(purpose)".utf8),
                    outputByteCount: SHA256.byteCount)
                return unsafe key.withUnsafeBytes { unsafe Array($0) }
            }
            start = HMAC<SHA256>(key: SymmetricKey(data: derived("code")))
            seal = ShareSeal(derived("picture"))
            mark = Base64URL.encoded(Array(derived("mark").prefix(6)))
        }

        func code(_ picture: String, as kind: ThumbnailKind, expiry: String) -> [UInt8] {
            var code = start
            code.update(data: Array("\(picture)/\(kind.fileName)?e=\(expiry)".utf8))
            return Array(code.finalize().prefix(codeByteCount))
        }
    }
}

extension ImageSigner: Hashable {
    /// Whether two signers create the same addresses.
    public static func == (left: ImageSigner, right: ImageSigner) -> Bool { left.mark == right.mark }
    /// Hashes the mark, which identifies the signer.
    public func hash(into hasher: inout Hasher) { hasher.combine(mark) }
}

extension ThumbnailKind {
    /// The last part of its addresses, such as `640.webp`.
    var fileName: String { "\(size.rawValue).\(format.pathExtension)" }
}

extension PhotoStreamService {
    /// Makes answers show signed addresses of thumbnails from now on, and the server accept them.
    ///
    /// The first call creates a key in the file. Copies of a file have none: a backup must not be enough to sign
    /// addresses.
    ///
    /// - Parameter base: The part of each address before its path, such as `https://img.example.org`; `nil` for none.
    /// - Throws: `StorageError` if the file has no key and cannot store one.
    public func showImages(at base: String?) throws {
        if base != nil, try transaction({ try $0.storedImageKeys().current }) == nil {
            try write { writer in
                // Another server may have been first.
                guard try writer.reader.storedImageKeys().current == nil else { return }
                try writer.setImageKeys(Self.newImageKey(), former: nil)
            }
        }
        state.withLock { $0.imagesBase = base }
    }

    /// The part before the path of signed addresses in answers; `nil` if they show none.
    public var shownImagesBase: String? { state.withLock { $0.imagesBase } }

    /// Returns the picture of a signed address, and the seconds for which it is still valid; `nil` if it is not valid,
    /// and for every address if answers show none.
    ///
    /// - Throws: `StorageError`.
    public func picture(at claim: ImageSigner.Claim) throws -> (picture: PictureKey, seconds: Int64)? {
        guard shownImagesBase != nil else { return nil }
        return ImageSigner.opened(claim, by: try transaction { try $0.imageKeys() }, now: now())
    }

    /// Replaces the key of signed addresses.
    ///
    /// Addresses with the previous key stay valid until they expire or the key changes again.
    ///
    /// - Throws: `StorageError`.
    public func rotateImageKey() throws {
        try write { writer in
            try writer.setImageKeys(Self.newImageKey(), former: writer.reader.storedImageKeys().current)
        }
    }

    private static func newImageKey() -> [UInt8] {
        unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) }
    }

    /// Returns the signer of an answer; `nil` if answers show no signed addresses.
    func imageSigner(_ reader: PhotoReader) throws -> ImageSigner? {
        guard let base = shownImagesBase, let key = try reader.imageKeys().first else { return nil }
        return ImageSigner(base: base, key: key, now: now())
    }
}

extension PhotoReader {
    /// Returns the keys whose addresses are valid, with the current one first.
    fileprivate func imageKeys() throws -> [ImageSigner.ImageKey] {
        let keys = try storedImageKeys()
        return [keys.current, keys.former].compactMap { $0 }.map(ImageSigner.ImageKey.init)
    }
}

extension Session {
    /// Returns a text that changes when the signed addresses in answers do; `nil` if answers show none.
    package func imagesMark() throws -> String? { try imageSigner()?.mark }
}
