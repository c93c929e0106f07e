import Foundation

@testable import PhotoStreamHTTP

/// A certificate for a test's server, made by `openssl`.
struct TestCertificate {
    let files: TLSFiles

    /// Makes one in a folder.
    init(in folder: String) throws {
        files = TLSFiles(certificate: "\(folder)/cert.pem", key: "\(folder)/key.pem")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            files.key, "-out", files.certificate, "-days", "2", "-subj", "/CN=localhost",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
    }
}
