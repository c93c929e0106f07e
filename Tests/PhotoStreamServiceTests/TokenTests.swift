import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Synchronization
import Testing

@testable import PhotoStreamService
@testable import PhotoStreamStorage

/// Tokens of the server, and sessions that are begun with them.
@Suite struct TokenTests {
    /// A time that a test moves.
    private final class Clock: Sendable {
        private let time = Mutex<Int64>(1_000_000)

        func now() -> Int64 { time.withLock { $0 } }
        func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }
    }

    private let file: TemporaryDatabase
    private let service: PhotoStreamService
    private let clock: Clock

    init() throws {
        let clock = Clock()
        file = try TemporaryDatabase()
        service = try PhotoStreamService(path: file.path, access: .readWrite, primary: file.primary) { clock.now() }
        self.clock = clock
        try service.createStream(StreamName("holiday"))
        try service.createStream(StreamName("work"))
    }

    @Test func `a token grants its scopes until it is revoked`() throws {
        let (token, summary) = try service.createToken(
            named: "frame", scope: .read, stream: StreamName("holiday"), expiresAtMilliseconds: 1_000_500)
        #expect(summary.name == "frame" && summary.scope == .read && !summary.isExpired)
        let grant = try #require(try service.grant(for: token))
        let holiday = try StreamName("holiday")
        #expect(grant.scope == .read && grant.stream == holiday && grant.name == "frame")
        #expect(try service.endedGrants(among: [grant]) == [])
        // Another process knows it by its text alone.
        let again = try #require(AccessToken(token.text))
        let other = try PhotoStreamService(path: file.path, access: .existing, primary: file.primary) { [clock] in
            clock.now()
        }
        #expect(try other.grant(for: again) == grant)
        try other.revoke(.token, named: "frame")
        #expect(try service.grant(for: token) == nil)
        #expect(try service.endedGrants(among: [grant]) == [grant])
        #expect(try service.tokens() == [])
    }

    @Test func `a token ends with its expiry and its stream, but not when the stream is renamed`() throws {
        let (brief, _) = try service.createToken(named: "brief", scope: .write, expiresAtMilliseconds: 1_000_500)
        let (bound, _) = try service.createToken(named: "bound", scope: .write, stream: StreamName("holiday"))
        clock.advance(by: 499)
        #expect(try service.hasValidToken())
        #expect(try service.grant(for: brief) != nil)
        clock.advance(by: 1)
        #expect(try service.grant(for: brief) == nil)
        #expect(try service.tokens().map(\.isExpired) == [false, true])
        try service.renameStream(StreamName("holiday"), to: StreamName("sea"))
        #expect(try service.grant(for: bound)?.stream == StreamName("sea"))
        try service.deleteStream(StreamName("sea"), evenWithPhotos: false)
        #expect(try service.grant(for: bound) == nil)
        #expect(try !service.hasValidToken())
    }

    @Test func `tokens are unique, and only a token's exact text is valid`() throws {
        let texts = try (0..<50).map { try service.createToken(named: "token \($0)", scope: .read).token.text }
        #expect(Set(texts).count == 50)
        let text = texts[0]
        #expect(text.hasPrefix("photostream_") && text.utf8.count == 12 + 43)
        for wrong in ["", "photostream_", String(text.dropLast()), text + "A", text.uppercased(), " " + text] {
            #expect(try AccessToken(wrong).map { try service.grant(for: $0) == nil } ?? true, "\(wrong)")
        }
    }

    @Test func `the file contains no secret`() throws {
        let token = try service.createToken(named: "phone", scope: .read).token
        try service.close()
        let bytes = try Data(contentsOf: URL(filePath: file.path))
        #expect(bytes.range(of: Data(token.text.utf8)) == nil)
        #expect(bytes.range(of: Data(token.text.dropFirst(12).utf8)) == nil)
    }

    @Test func `a token cannot be changed, not even by SQL`() throws {
        _ = try service.createToken(named: "phone", scope: .read)
        let shell = Process()
        let pipe = Pipe()
        shell.executableURL = URL(filePath: "/usr/bin/sqlite3")
        shell.arguments = [file.path, "UPDATE token SET scope = 2"]
        shell.standardError = pipe
        try shell.run()
        shell.waitUntilExit()
        let message = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(shell.terminationStatus != 0)
        #expect(message.contains("a token cannot be changed; revoke it and create another"))
        #expect(try service.tokens().first?.scope == .read)
    }

    @Test func `contradictory tokens are refused`() throws {
        _ = try service.createToken(named: "phone", scope: .read)
        #expect(throws: AccessError.exists(.token, "phone")) { try service.createToken(named: "phone", scope: .admin) }
        #expect(throws: AccessError.unknown(.token, "tablet")) { try service.revoke(.token, named: "tablet") }
        for name in ["", "a\u{7}b", "a\nb", String(repeating: "é", count: 65)] {
            #expect(throws: AccessError.invalidName(.token, name)) {
                try service.createToken(named: name, scope: .read)
            }
        }
        #expect(throws: AccessError.expired(.token, atMilliseconds: 1_000_000)) {
            try service.createToken(named: "late", scope: .read, expiresAtMilliseconds: 1_000_000)
        }
        #expect(throws: AccessError.adminOfStream("work")) {
            try service.createToken(named: "boss", scope: .admin, stream: StreamName("work"))
        }
        #expect(throws: StreamServiceError.unknownStream("sea")) {
            try service.createToken(named: "sea", scope: .read, stream: StreamName("sea"))
        }
    }

    @Test func `a session ends with its expiry, its token and its file`() throws {
        let (token, _) = try service.createToken(named: "phone", scope: .write)
        let session = try #require(try service.beginSession(with: token))
        #expect(session.seconds == 30 * 86_400)
        #expect(try service.grant(forSession: session.text)?.name == "phone")
        let otherFile = try TemporaryDatabase()
        let other = try PhotoStreamService(path: otherFile.path, access: .readWrite, primary: otherFile.primary) {
            1_000_000
        }
        _ = try other.createToken(named: "phone", scope: .write)
        #expect(try other.grant(forSession: session.text) == nil)
        clock.advance(by: PhotoStreamService.sessionMilliseconds)
        #expect(try service.grant(forSession: session.text) == nil)
        let next = try #require(try service.beginSession(with: token))
        try service.revoke(.token, named: "phone")
        #expect(try service.grant(forSession: next.text) == nil)
        #expect(try service.beginSession(with: token) == nil)
        // A token of the same name does not revive it.
        _ = try service.createToken(named: "phone", scope: .write)
        #expect(try service.grant(forSession: next.text) == nil)
    }

    @Test func `a sign-in link expires after ten minutes and works once`() throws {
        let link = try service.createOperatorsLink()
        let secret = String(link.path.dropFirst(SignInLink.prefix.count))
        clock.advance(by: PhotoStreamService.signInLinkMilliseconds - 1)
        #expect(try service.isSignInLink(secret))
        let session = try #require(try service.beginSession(withLink: secret))
        #expect(session.grant.scope == .admin && session.seconds == 30 * 86_400)
        #expect(try service.beginSession(withLink: secret) == nil)
        let late = String(try service.createOperatorsLink().path.dropFirst(SignInLink.prefix.count))
        clock.advance(by: PhotoStreamService.signInLinkMilliseconds)
        #expect(try !service.isSignInLink(late) && service.beginSession(withLink: late) == nil)
        #expect(try service.grant(forSession: session.text) != nil)
        #expect(throws: AccessError.unknown(.token, "tablet")) { try service.createSignInLink(forTokenNamed: "tablet") }
    }

    @Test func `the keys in a copy of the file cannot create a session`() throws {
        let (token, _) = try service.createToken(named: "phone", scope: .admin)
        let session = try #require(try service.beginSession(with: token))
        let standard = session.text.replacing("-", with: "+").replacing("_", with: "/") + "="
        let secret = try #require(Data(base64Encoded: standard))
        let paths = [file.path, file.path + "-wal"].filter { FileManager.default.fileExists(atPath: $0) }
        let bytes = try paths.reduce(into: Data()) { $0 += try Data(contentsOf: URL(filePath: $1)) }
        #expect(bytes.range(of: Data(session.text.utf8)) == nil && bytes.range(of: secret) == nil)
        // The sessions of 0.2 were signed with the file's key: 64 characters.
        #expect(try service.grant(forSession: String(repeating: "A", count: 64)) == nil)
        // The hash that the file stores does not open a session.
        let hash = try #require(
            try service.database.read { reader in
                try RawStatement(reader.database, sql: "SELECT hash FROM session").first { $0.bytes(0) }
            })
        let forged = Data(hash).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        #expect(forged.count == session.text.count)
        #expect(try service.grant(forSession: forged) == nil)
    }

    @Test func `sessions of a token are limited, and a new one ends the oldest`() throws {
        let (token, _) = try service.createToken(named: "phone", scope: .read)
        let texts = try (0...PhotoWriter.sessionLimit).map { _ in
            try #require(try service.beginSession(with: token)).text
        }
        #expect(try service.grant(forSession: texts[0]) == nil)
        for text in texts.dropFirst() { #expect(try service.grant(forSession: text) != nil) }
        try service.endSession(texts[1])
        #expect(try service.grant(forSession: texts[1]) == nil)
    }

    @Test func `a session survives a restart`() throws {
        let (token, _) = try service.createToken(named: "phone", scope: .read)
        let text = try #require(try service.beginSession(with: token)).text
        try service.close()
        let next = try PhotoStreamService(path: file.path, access: .existing, primary: file.primary) { 1_000_000 }
        #expect(try next.grant(forSession: text)?.name == "phone")
        try next.close()
    }

    @Test func `an altered session is invalid`() throws {
        let (token, _) = try service.createToken(named: "phone", scope: .read)
        let text = try #require(try service.beginSession(with: token)).text
        var random = SplitMix64(seed: 31)
        for _ in 0..<500 {
            var characters = Array(text.utf8)
            let place = Int(random.next() % UInt64(characters.count))
            let other = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
            characters[place] = other[Int(random.next() % 64)]
            let changed = String(decoding: characters, as: UTF8.self)
            guard changed != text else { continue }
            #expect(try service.grant(forSession: changed) == nil)
        }
        for wrong in ["", "A", String(text.dropLast()), text + text] {
            #expect(try service.grant(forSession: wrong) == nil)
        }
    }
}
