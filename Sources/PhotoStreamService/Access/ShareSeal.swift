import Crypto
package import PhotoStreamModel

/// Hides ids, cursors and validators from the holders of a share's link: each becomes a text that only this share can
/// convert back.
///
///     let seal = ShareSeal(key)
///     let id = seal.sealed("2019/IMG_0042.JPG", as: .photo)
///     seal.opened(id, as: .photo)  // "2019/IMG_0042.JPG"
///
/// Equal texts have equal seals within a share, so that clients can compare ids. A text that was changed, or sealed by
/// another share or for another purpose, does not open.
///
/// # Construction
///
/// Deterministic authenticated encryption with a synthetic initialization vector. `code(x)` is HMAC-SHA-256 over `x` with the
/// share's key, which is derived from the file's key and the hash of the link's secret.
///
/// 1. The UTF-8 of the text is followed by the byte 128, and by zeros up to a multiple of 32 bytes.
/// 2. The vector is the first 16 bytes of `code(0, purpose, padded text)`.
/// 3. Block `n` of 32 bytes is masked, by exclusive or, with `code(1, purpose, vector, n)`; `n` is four bytes, the lowest first.
/// 4. The seal is the vector and the masked blocks in base64 for addresses, without padding.
///
/// The key of a picture, 16 bytes, is permuted by four rounds of a Feistel network over its halves; the mask of round `r` is
/// the first 8 bytes of `code(2, r, half)`.
///
/// # Limits
///
/// - A client that has two seals of a share learns whether their texts are equal, and the number of 32-byte blocks of
///   each: the length of a text of up to 31 bytes is hidden.
/// - A changed or invented seal opens with a probability of 2⁻¹²⁸ for each try. After 2⁶⁴ texts with one purpose, two
///   may have the same vector; then these two reveal the exclusive or of their blocks.
/// - Keys of pictures are not authenticated: an invented one becomes a key that no picture has. The proof of the four
///   rounds covers fewer than 2³² keys of a share.
/// - A new construction would invalidate every shared link and every id that clients have kept.
///
/// `ShareTests` has test vectors, computed by a separate program.
///
/// Source: P. Rogaway, T. Shrimpton, *A Provable-Security Treatment of the Key-Wrap Problem*, EUROCRYPT 2006 (SIV).
package struct ShareSeal: Sendable {
    /// The purposes of sealed texts.
    package enum Purpose: UInt8, Sendable {
        case photo = 1
        case cursor = 2
        case validator = 3
    }

    /// The steps; each gives the code a different input.
    private enum Step: UInt8 {
        case vector = 0
        case stream = 1
        case pictureKey = 2
    }

    private static let vectorByteCount = 16
    private static let blockByteCount = 32
    /// The code with the key already added.
    private let code: HMAC<SHA256>

    /// Creates the seal of a share's key.
    init(_ key: [UInt8]) {
        code = HMAC<SHA256>(key: SymmetricKey(data: key))
    }

    /// Returns the sealed form of a text.
    ///
    /// - Complexity: O(length).
    package func sealed(_ text: String, as purpose: Purpose) -> String {
        var bytes = Array(text.utf8)
        // The padding of ISO 7816-4: the last 128 ends the text.
        bytes.append(0x80)
        while bytes.count % Self.blockByteCount != 0 { bytes.append(0) }
        let vector = code(.vector, for: purpose, over: bytes).prefix(Self.vectorByteCount)
        return Base64URL.encoded(Array(vector) + masked(bytes, by: Array(vector), for: purpose))
    }

    /// Returns the text of a sealed form; `nil` if this seal did not create it for the purpose.
    package func opened(_ text: String, as purpose: Purpose) -> String? {
        guard let sealed = Base64URL.decoded(text), sealed.count > Self.vectorByteCount,
            (sealed.count - Self.vectorByteCount) % Self.blockByteCount == 0
        else { return nil }
        let vector = Array(sealed.prefix(Self.vectorByteCount))
        let bytes = masked(Array(sealed.dropFirst(Self.vectorByteCount)), by: vector, for: purpose)
        let expected = code(.vector, for: purpose, over: bytes).prefix(Self.vectorByteCount)
        // This takes constant time.
        guard zip(expected, vector).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0,
            let end = bytes.lastIndex(where: { $0 != 0 }), bytes[end] == 0x80
        else { return nil }
        return String(validating: bytes[..<end], as: UTF8.self)
    }

    /// Returns the sealed form of a picture's key: a permutation of all keys.
    ///
    /// Opening a key that it did not create gives one that no picture has.
    ///
    /// Source: M. Luby, C. Rackoff, *How to Construct Pseudorandom Permutations from Pseudorandom Functions*, SIAM Journal
    /// on Computing 17 (1988), with four rounds.
    package func sealed(_ key: PictureKey) -> PictureKey {
        let bytes = key.bytes
        var (left, right) = (Array(bytes.prefix(8)), Array(bytes.suffix(8)))
        for round in 0..<Self.roundCount {
            (left, right) = (right, zip(left, mask(of: right, in: round)).map { $0 ^ $1 })
        }
        return PictureKey(bytes: left + right) ?? key
    }

    /// Returns the picture's key of a sealed form.
    package func opened(_ key: PictureKey) -> PictureKey {
        let bytes = key.bytes
        var (left, right) = (Array(bytes.prefix(8)), Array(bytes.suffix(8)))
        for round in (0..<Self.roundCount).reversed() {
            (left, right) = (zip(right, mask(of: left, in: round)).map { $0 ^ $1 }, left)
        }
        return PictureKey(bytes: left + right) ?? key
    }

    private static let roundCount: UInt8 = 4

    private func mask(of half: [UInt8], in round: UInt8) -> ArraySlice<UInt8> {
        var code = code
        code.update(data: [Step.pictureKey.rawValue, round] + half)
        return Array(code.finalize()).prefix(8)
    }

    private func code(_ step: Step, for purpose: Purpose, over bytes: [UInt8]) -> [UInt8] {
        var code = code
        code.update(data: [step.rawValue, purpose.rawValue] + bytes)
        return Array(code.finalize())
    }

    /// Applies the key stream of a vector; applied twice, it restores the bytes.
    private func masked(_ bytes: [UInt8], by vector: [UInt8], for purpose: Purpose) -> [UInt8] {
        var masked: [UInt8] = []
        masked.reserveCapacity(bytes.count)
        for (number, start) in stride(from: 0, to: bytes.count, by: Self.blockByteCount).enumerated() {
            let counter = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            let block = bytes[start..<min(start + Self.blockByteCount, bytes.count)]
            masked += zip(block, code(.stream, for: purpose, over: vector + counter)).map { $0 ^ $1 }
        }
        return masked
    }
}
