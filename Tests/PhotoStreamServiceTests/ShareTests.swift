import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamService

/// Share links, and the texts that replace ids in their answers.
@Suite struct ShareTests {
    private let file: TemporaryDatabase
    private let service: PhotoStreamService
    private let clock = Clock()
    private let holiday = StreamName(stored: "holiday")

    /// A time that a test moves.
    private final class Clock: Sendable {
        private let time = Mutex<Int64>(1_000_000)

        func now() -> Int64 { time.withLock { $0 } }
        func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }
    }

    init() throws {
        let clock = clock
        file = try TemporaryDatabase()
        service = try PhotoStreamService(path: file.path, access: .readWrite, primary: file.primary) { clock.now() }
        try service.createStream(holiday)
    }

    private func seal(_ options: ShareOptions = []) throws -> ShareSeal {
        let token = try service.createShare(of: holiday, showing: options).token
        return try #require(service.grant(forShare: token)?.share).seal
    }

    @Test func `a share shows one stream, until it expires or is revoked`() throws {
        let (token, summary) = try service.createShare(
            of: holiday, showing: [.names, .originals], expiresAtMilliseconds: 1_000_500)
        #expect(summary.name == "holiday" && summary.options == [.names, .originals] && !summary.isExpired)
        #expect(token.text.count == 43 && AccessToken(share: token.text) != nil && AccessToken(token.text) == nil)
        let grant = try #require(try service.grant(forShare: token))
        #expect(grant.scope == .read && grant.stream == holiday && grant.name == nil)
        #expect(grant.share?.options == [.names, .originals])
        // Neither is valid in place of a token, nor a token in its place.
        #expect(try service.grant(for: token) == nil)
        let other = try service.createToken(named: "phone", scope: .admin).token
        #expect(try service.grant(forShare: other) == nil)
        #expect(try service.endedGrants(among: [grant]) == [])
        clock.advance(by: 500)
        #expect(try service.grant(forShare: token) == nil)
        #expect(try service.endedGrants(among: [grant]) == [grant])
        #expect(try service.shares().map(\.isExpired) == [true])

        let lasting = try service.createShare(of: holiday).token
        let lastingGrant = try #require(try service.grant(forShare: lasting))
        #expect(try service.shares().map(\.name) == ["holiday", "holiday 2"])
        try service.revoke(.share, named: "holiday 2")
        #expect(try service.grant(forShare: lasting) == nil)
        #expect(try service.endedGrants(among: [lastingGrant]) == [lastingGrant])
    }

    @Test func `a share follows a renamed stream and ends with it`() throws {
        let token = try service.createShare(of: holiday).token
        let sea = StreamName(stored: "sea")
        try service.renameStream(holiday, to: sea)
        #expect(try service.grant(forShare: token)?.stream == sea)
        _ = try service.deleteStream(sea, evenWithPhotos: true)
        #expect(try service.grant(forShare: token) == nil)
        #expect(try service.shares().isEmpty)
    }

    @Test func `invalid shares are refused with a sentence`() throws {
        _ = try service.createShare(of: holiday, named: "grandma")
        #expect(throws: AccessError.exists(.share, "grandma")) {
            try service.createShare(of: holiday, named: "grandma")
        }
        #expect(throws: AccessError.invalidName(.share, "")) { try service.createShare(of: holiday, named: "") }
        #expect(throws: AccessError.expired(.share, atMilliseconds: 9)) {
            try service.createShare(of: holiday, expiresAtMilliseconds: 9)
        }
        #expect(throws: AccessError.unknown(.share, "uncle")) { try service.revoke(.share, named: "uncle") }
        #expect(throws: StreamServiceError.unknownStream("sea")) {
            try service.createShare(of: StreamName(stored: "sea"))
        }
    }

    @Test func `a share cannot be changed`() throws {
        _ = try service.createShare(of: holiday)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [file.path, "UPDATE share SET sendsOriginals = 1"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus != 0)
        #expect(try service.shares()[0].options == [])
    }

    @Test(arguments: ["", "a", "IMG_0042.JPG", String(repeating: "é", count: 500), "\u{80}\0\0", "2023/été 3"])
    func `a sealed text opens only with its seal and purpose`(text: String) throws {
        let (seal, other) = (try seal(), try seal())
        for purpose in [ShareSeal.Purpose.photo, .cursor, .validator] {
            let sealed = seal.sealed(text, as: purpose)
            #expect(seal.opened(sealed, as: purpose) == text && seal.sealed(text, as: purpose) == sealed)
            #expect(other.opened(sealed, as: purpose) == nil && other.sealed(text, as: purpose) != sealed)
            for wrong in [ShareSeal.Purpose.photo, .cursor, .validator] where wrong != purpose {
                #expect(seal.opened(sealed, as: wrong) == nil && seal.sealed(text, as: wrong) != sealed)
            }
        }
        #expect(seal.opened(text, as: .photo) == nil)
    }

    /// Seals of the key 0, 1, … 31, computed in Python with `hmac` by the construction in the seal's description.
    @Test(arguments: [
        ("", ShareSeal.Purpose.photo, "VAIBsELnW2BWKZNhDnv16WhKcTpBXBk0NF4swPLW1m2Swte5vIIhfPIaP-rlTxlt"),
        ("IMG_0042.JPG", .photo, "X8j2yHpYtx-0BlNrYkBWZUR_FjPVbb4ILIw3bx-0vzpNuxRAEr6jgtlntg3AiKgf"),
        ("IMG_0042.JPG", .cursor, "NWRhHsOOwb_fj8WAb2RmfOqXQrsr5czl2lxah94UXRZJ4HALXHtbzGO5v4kk2Ulh"),
        ("IMG_0042.JPG", .validator, "Qwu_itiCifsQLhvscvdHoFBexC5yjaV_bzqaaTaJIy0Y1SRfnbR52uSUY-blNtbc"),
        (
            "2019/summer/été/xxxxxxxxxxxxxxxxxxxx", .photo,
            "mD10I6aUTE5D1MyengYBOSn3lJUwKlz5jdZtRr5x990tQccOUILZRRr9XvFsLS_rvXq8-9rs2tXKdeVVb0V9eX0coXJ3xNpLOOMV17cixUw"
        ),
    ])
    func `seals of texts match the test vectors`(text: String, purpose: ShareSeal.Purpose, sealed: String) {
        let seal = ShareSeal(Array(0..<32))
        #expect(seal.sealed(text, as: purpose) == sealed && seal.opened(sealed, as: purpose) == text)
    }

    @Test func `permutations of picture keys match the test vectors`() throws {
        let seal = ShareSeal(Array(0..<32))
        let key = try #require(PictureKey(bytes: Array(0..<16)))
        let sealed = try #require(PictureKey("koC7D-aZFfvPPuKVYvRJTQ"))
        #expect(seal.sealed(key) == sealed && seal.opened(sealed) == key)
    }

    @Test func `an altered sealed text does not open`() throws {
        let seal = try seal()
        let sealed = Array(seal.sealed("IMG_0042.JPG", as: .photo))
        #expect(sealed.count == 64)
        for index in sealed.indices {
            for letter in "ABCDEFGHIJKLMNOPabcdefghijkl0123456789_-" where sealed[index] != letter {
                var changed = sealed
                changed[index] = letter
                #expect(seal.opened(String(changed), as: .photo) == nil)
            }
        }
        #expect(seal.opened(String(sealed.dropLast()), as: .photo) == nil)
        #expect(seal.opened(String(sealed) + "AAAA", as: .photo) == nil)
        // Up to 31 bytes, the length is hidden.
        #expect(Set((0..<32).map { seal.sealed(String(repeating: "x", count: $0), as: .photo).count }) == [64])
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `picture keys are translated for a share and back`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (seal, other) = (try seal(), try seal())
        var seen: Set<PictureKey> = []
        for _ in 0..<200 {
            let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
            let key = try #require(PictureKey(bytes: bytes))
            let sealed = seal.sealed(key)
            #expect(seal.opened(sealed) == key && sealed != key && other.sealed(key) != sealed)
            #expect(other.opened(sealed) != key && seen.insert(sealed).inserted)
        }
    }
}
