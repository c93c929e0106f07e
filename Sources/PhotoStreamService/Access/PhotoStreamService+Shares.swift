import Crypto
public import PhotoStreamModel
import PhotoStreamStorage

/// The parts of a stream that the link of a share shows in addition to the photos, their dates and texts.
public struct ShareOptions: OptionSet, Hashable, Sendable {
    /// One bit for each option.
    public let rawValue: Int

    /// Creates a set from its bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The positions of photos, and maps.
    public static let positions = ShareOptions(rawValue: 1)
    /// The ids of photos, which are often file names; without it, photos have ids of the share's own.
    public static let names = ShareOptions(rawValue: 2)
    /// The files of pictures as they are, with everything that they contain: positions, serial numbers, names.
    public static let originals = ShareOptions(rawValue: 4)

    init(_ row: ShareRow) {
        self = []
        if row.showsPositions { insert(.positions) }
        if row.showsNames { insert(.names) }
        if row.sendsOriginals { insert(.originals) }
    }
}

/// A share without its secret, for lists.
public struct ShareSummary: Hashable, Sendable {
    /// The name, unique in the file.
    public let name: String
    /// The stream that it shows.
    public let stream: StreamName
    /// The parts that it shows in addition to the photos.
    public let options: ShareOptions
    /// The time of its creation, in milliseconds since 1970.
    public let createdAtMilliseconds: Int64
    /// The time after which it is no longer valid, in milliseconds since 1970; `nil` for never.
    public let expiresAtMilliseconds: Int64?
    /// Whether that time is over.
    public let isExpired: Bool

    init(_ row: ShareRow, now: Int64) {
        (name, stream, options) = (row.name, row.stream, ShareOptions(row))
        (createdAtMilliseconds, expiresAtMilliseconds) = (row.createdAtMilliseconds, row.expiresAtMilliseconds)
        isExpired = !row.isValid(at: now)
    }
}

extension ShareRow {
    /// Whether the share has not expired.
    func isValid(at now: Int64) -> Bool { expiresAtMilliseconds.map { $0 > now } ?? true }
}

extension PhotoStreamService {
    /// Creates a share: a link that shows a stream to everyone who has it.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - name: Its name, unique in the file; `nil` for the stream's name, with a number if that is taken.
    ///   - options: The parts that it shows in addition to the photos.
    ///   - expiry: The time after which it is no longer valid, in milliseconds since 1970; `nil` for never.
    /// - Returns: The secret of the link, which is not stored, and the file's record of the share.
    /// - Throws: ``AccessError``, ``StreamServiceError/unknownStream(_:)``.
    public func createShare(
        of stream: StreamName, named name: String? = nil, showing options: ShareOptions = [],
        expiresAtMilliseconds expiry: Int64? = nil
    ) throws -> (token: AccessToken, summary: ShareSummary) {
        if let name, !Self.isTokenName(name) { throw AccessError.invalidName(.share, name) }
        let now = now()
        if let expiry, expiry <= now { throw AccessError.expired(.share, atMilliseconds: expiry) }
        let token = AccessToken(.share)
        let summary = try write { writer in
            let row = try writer.reader.rowOfAny(stream)
            let name = try name ?? Self.freeName(for: stream, among: Set(writer.reader.shares().map(\.name)))
            let hash = token.hash
            let isAdded = try writer.addShare(
                named: name, hash: Array(hash), hashStart: hash.start, streamID: row.id,
                showsPositions: options.contains(.positions), showsNames: options.contains(.names),
                sendsOriginals: options.contains(.originals), expiresAt: expiry, now: now)
            guard isAdded, let added = try writer.reader.share(matching: hash) else {
                throw AccessError.exists(.share, name)
            }
            return ShareSummary(added, now: now)
        }
        return (token, summary)
    }

    /// Returns every share of the file, by name.
    ///
    /// - Throws: `StorageError`.
    public func shares() throws -> [ShareSummary] {
        let now = now()
        return try transaction { try $0.shares() }.map { ShareSummary($0, now: now) }
    }

    /// Returns the rights of a link; `nil` if its share is unknown, was revoked or has expired.
    package func grant(forShare token: AccessToken) throws -> AccessGrant? {
        let (hash, now) = (token.hash, now())
        return try transaction { reader in
            guard let row = try reader.share(matching: hash), row.isValid(at: now) else { return nil }
            return AccessGrant(row, key: try reader.shareKey(of: row))
        }
    }

    /// Returns a name for a share that was given none.
    private static func freeName(for stream: StreamName, among taken: Set<String>) -> String {
        // Leaves room for a number.
        let name = isTokenName(stream.rawValue + " 9999999") ? stream.rawValue : "share"
        guard taken.contains(name) else { return name }
        var number = 2
        while taken.contains("\(name) \(number)") { number += 1 }
        return "\(name) \(number)"
    }
}

extension PhotoReader {
    /// Returns the share with a hash, in a time that reveals nothing about stored hashes; see `token(matching:)`.
    fileprivate func share(matching hash: SHA256Digest) throws -> ShareRow? {
        try shares(hashStart: hash.start).first { hash == $0.hash }
    }

    /// Returns the key with which a share hides ids.
    ///
    /// It is derived from the file's key, so that the secret of the link, which its holders know, does not reveal it.
    ///
    /// Source: RFC 5869.
    fileprivate func shareKey(of row: ShareRow) throws -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: try cursorKey()), salt: row.hash,
            info: Array("PhotoStream share".utf8), outputByteCount: SHA256.byteCount)
        return unsafe key.withUnsafeBytes { unsafe Array($0) }
    }
}
