import Foundation
import PhotoStreamTestSupport
import Testing

/// The example of Documentation/Scaling.md, in which nginx routes by stream, works as described.
struct ProxyExampleTests {
    /// The example, with servers of the test.
    private func configuration(groupA: ServedFile, groupB: ServedFile, port: Int) throws -> String {
        let page = URL(filePath: #filePath).appending(path: "../../../../Documentation/Scaling.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "    map $uri")).lowerBound
        let end = try #require(text.range(of: "\n    }\n\n", range: start..<text.endIndex)).upperBound
        return String(text[start..<end])
            .replacing(#/10\.0\.0\.\d:8080/#, with: "127.0.0.1:\(groupA.port)")
            .replacing(#/10\.0\.1\.\d:8080/#, with: "127.0.0.1:\(groupB.port)")
            .replacing("listen 80", with: "listen 127.0.0.1:\(port)")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx")))
    func `a proxy server routes by stream`() throws {
        let (first, second) = (try Command(), try Command())
        try first("streams", "create", "family")
        try second("streams", "create", "travel")
        try second("streams", "create", "food")
        let groupA = try ServedFile(in: first.folder)
        let groupB = try ServedFile(in: second.folder)
        let port = try FreePort.choose()
        let folder = first.folder.path
        try """
        error_log \(folder)/nginx-errors.log; pid \(folder)/nginx.pid; daemon off; events {}
        http {
            access_log off;
            client_body_temp_path \(folder)/body; proxy_temp_path \(folder)/proxy; fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi; scgi_temp_path \(folder)/scgi;
        \(configuration(groupA: groupA, groupB: groupB, port: port))
        }
        """.write(toFile: "\(folder)/nginx.conf", atomically: true, encoding: .utf8)
        let nginx = Process()
        nginx.executableURL = URL(filePath: "/usr/sbin/nginx")
        nginx.arguments = ["-e", "\(folder)/nginx-errors.log", "-c", "\(folder)/nginx.conf"]
        try nginx.run()
        defer {
            nginx.terminate()
            nginx.waitUntilExit()
        }
        func status(of path: String) throws -> String {
            let curl = Process()
            let output = Pipe()
            curl.executableURL = URL(filePath: "/usr/bin/curl")
            curl.arguments = ["--silent", "-o", "/dev/null", "-w", "%{http_code}", "http://127.0.0.1:\(port)\(path)"]
            curl.standardOutput = output
            try curl.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            curl.waitUntilExit()
            return text
        }
        #expect(try eventually { try status(of: "/healthz") == "200" })
        for path in ["family", "travel", "food", "travel/photos", "family/photos"] {
            #expect(try status(of: "/v1/streams/\(path)") != "404", "\(path)")
        }
        // The servers of one group do not know the names of the other, even if one begins like another.
        for path in ["travels", "foo"] {
            #expect(try status(of: "/v1/streams/\(path)") == "404", "\(path)")
        }
        for (group, stream) in [(groupA, "travel"), (groupB, "family")] {
            let status = try group.curl("/v1/streams/\(stream)", "-o", "/dev/null", "-w", "%{http_code}")
            #expect(status == "404", "\(stream)")
        }
    }
}
