import ArgumentParser
import Foundation
import Hummingbird
import Logging

/// The comparison: a Hummingbird route that answers with the same bytes from memory.
struct MemoryServer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory-server", abstract: "Answer recorded requests from memory; what `http` compares with.",
        shouldDisplay: false)

    /// An answer that was recorded.
    private struct Answer {
        let type: String
        let tag: String
        let body: ByteBuffer
    }

    @Argument(help: "The folder of recorded answers.")
    var folder: String

    func run() async throws {
        let answers = try recorded()
        let router = Router()
        router.get("/v1/**") { request, _ in
            guard let answer = answers[request.uri.string] else { throw HTTPError(.notFound) }
            if let condition = request.headers[.ifNoneMatch], condition == answer.tag {
                return Response(status: .notModified, headers: [.eTag: answer.tag])
            }
            return Response(
                status: .ok, headers: [.contentType: answer.type, .eTag: answer.tag],
                body: ResponseBody(byteBuffer: answer.body))
        }
        var logger = Logger(label: "memory")
        logger.logLevel = .warning
        let application = Application(
            router: router, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                print("http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
                fflush(nil)
            }, logger: logger)
        try await application.runService()
    }

    /// The answers by their addresses.
    private func recorded() throws -> [String: Answer] {
        var answers: [String: Answer] = [:]
        // The addresses of 304 are those of pages.
        for question in HTTPQuestion.allCases where question != .unchanged {
            let samples = RecordedAnswers(in: URL(filePath: folder), to: question)
            guard samples.exist else { continue }
            for (position, line) in try samples.lines().enumerated() {
                answers[line.target] = Answer(
                    type: question.accept, tag: line.tag, body: ByteBuffer(bytes: try samples.body(position)))
            }
        }
        return answers
    }
}
