/// What is asked over HTTP.
enum HTTPQuestion: String, CaseIterable {
    case page = "page of 100, JSON"
    case binary = "page of 100, binary"
    case unchanged = "304 of such a page"
    case rect = "rect of a screen"
    case locate = "locate"
    case firstPaint = "first paint"

    /// The name of its folder.
    var folder: String { "\(self)" }

    /// The form that is asked for.
    var accept: String { self == .binary ? "application/vnd.photostream.page" : "application/json" }

    /// The least that ours must reach of the route that answers from memory, at 64 connections.
    var bar: Double? {
        switch self {
        case .page: 0.4
        case .binary: 0.5
        case .unchanged: 0.8
        case .rect, .locate, .firstPaint: nil
        }
    }

    /// The milliseconds that 99 of 100 answers may take at 8 connections.
    var slowestBar: Double? {
        switch self {
        case .page, .binary, .rect, .locate: 5
        case .unchanged, .firstPaint: nil
        }
    }

    /// The status of its answers.
    var status: Int { self == .unchanged ? 304 : 200 }
}

/// A request with the answer that it got.
struct HTTPSample {
    /// Path and query.
    let target: String
    let tag: String
    let body: [UInt8]
}
