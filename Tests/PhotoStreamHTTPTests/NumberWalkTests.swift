import Foundation
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamHTTP

/// No number traps: every parameter of every route takes the ends of all ranges, as an answer or as a problem.
///
/// The routes and their parameters come from the table, so that a new one is tested as well.
@Suite struct NumberWalkTests {
    private static let numbers = [
        "\(Int64.min)", "\(Int64.max)", "9223372036854775808", "-1", "0", "1e308", "-1e308", "5e-324", "nan", "inf",
    ]

    /// The same for parameters of two or four numbers, such as `viewport` and `rect`.
    private static let several = [2, 4].flatMap { count in
        numbers.map { Array(repeating: $0, count: count).joined(separator: ",") }
    }

    @Test func `every parameter of every route takes the ends of all ranges`() async throws {
        try await TestServer.with(photos: 30) { server in
            var askedCount = 0
            for route in RouteTable.all.routes where !route.work.writes && route.operation != "getEvents" {
                let sample = try #require(RouteCodeTests.samples[route.operation])
                let parts = sample.target.split(separator: "?", maxSplits: 1)
                let given = parts.dropFirst().first?.split(separator: "&").map(String.init) ?? []
                for parameter in route.parameters {
                    for number in Self.numbers + Self.several {
                        var asked = sample
                        let others = given.filter { !$0.hasPrefix(parameter.name + "=") }
                        asked.target =
                            "\(parts[0])?" + (others + ["\(parameter.name)=\(number)"]).joined(separator: "&")
                        let answer = try RouteCodeTests.send(asked, server)
                        #expect(answer.status < 500, "\(asked.target): \(answer.text.prefix(200))")
                        askedCount += 1
                    }
                }
            }
            #expect(askedCount > 2_000)
        }
    }
}
