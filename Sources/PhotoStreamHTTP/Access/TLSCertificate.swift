import NIOCore
import NIOSSL
import Synchronization

/// The files of a certificate, in PEM form.
public struct TLSFiles: Hashable, Sendable {
    /// The certificate, followed by those of its issuers.
    public let certificate: String
    /// The private key.
    public let key: String

    /// Names the files.
    public init(certificate: String, key: String) {
        (self.certificate, self.key) = (certificate, key)
    }
}

/// The certificate of a server, which can be read again while the server runs.
final class TLSCertificate: Sendable {
    private let files: TLSFiles
    private let current: Mutex<NIOSSLContext>

    /// Reads the files; blocks.
    ///
    /// - Throws: ``ServerError/invalidCertificate(_:reason:)``.
    init(_ files: TLSFiles) throws(ServerError) {
        self.files = files
        current = Mutex(try Self.context(files))
    }

    /// The context of new connections.
    var context: NIOSSLContext { current.withLock { $0 } }

    /// Reads the files again for new connections; blocks.
    ///
    /// If that fails, the server continues with the previous certificate.
    ///
    /// - Throws: ``ServerError/invalidCertificate(_:reason:)``.
    func reload() throws(ServerError) {
        let context = try Self.context(files)
        current.withLock { $0 = context }
    }

    private static func context(_ files: TLSFiles) throws(ServerError) -> NIOSSLContext {
        func reading<Content>(_ path: String, by read: () throws -> Content) throws(ServerError) -> Content {
            do {
                return try read()
            } catch {
                throw .invalidCertificate(path, reason: Self.words(error))
            }
        }
        let chain = try reading(files.certificate, by: { try NIOSSLCertificate.fromPEMFile(files.certificate) })
        guard !chain.isEmpty else {
            throw .invalidCertificate(files.certificate, reason: "it holds no certificate in PEM form")
        }
        let key = try reading(files.key, by: { try NIOSSLPrivateKey(file: files.key, format: .pem) })
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2", "http/1.1"]
        // This rejects a key that does not belong to the certificate.
        return try reading(files.key, by: { try NIOSSLContext(configuration: configuration) })
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case let error as IOError: error.description
        case NIOSSLError.failedToLoadCertificate: "it is not a certificate in PEM form"
        case NIOSSLError.failedToLoadPrivateKey: "it is not a private key in PEM form without a password"
        default: "\(error)"
        }
    }
}
