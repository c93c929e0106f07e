/// A question over HTTP.
enum HTTPQuestion: String, CaseIterable {
    case page = "page of 100, JSON"
    case binary = "page of 100, binary"
    case unchanged = "304 of such a page"
    case rect = "rect of a screen"
    case locate = "locate"
    case firstPaint = "first paint"
    case thumbnail = "stored thumbnail"

    /// The questions about layouts.
    static var layouts: [HTTPQuestion] { allCases.filter { $0 != .thumbnail } }

    /// The name of its folder.
    var folder: String { "\(self)" }

    /// The requested form.
    var accept: String {
        switch self {
        case .binary: "application/vnd.photostream.page"
        case .thumbnail: "image/webp"
        default: "application/json"
        }
    }

    /// The target at 64 connections: the ratio to the route that answers from memory.
    var ratioTarget: Double? {
        switch self {
        case .page: 0.2
        case .binary: 0.3
        case .unchanged: 0.6
        case .thumbnail: 0.4
        case .rect, .locate, .firstPaint: nil
        }
    }

    /// The target at 8 connections: the milliseconds within which 99 of 100 answers arrive.
    var slowestTarget: Double? {
        switch self {
        case .page, .binary, .rect, .locate: 8
        case .unchanged, .firstPaint, .thumbnail: nil
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
