import NIOHTTP1

extension Problem {
    /// What is wrong with bytes that are no request.
    init(_ error: HTTPParserError) {
        switch error {
        case .headerOverflow:
            self.init(.fieldsTooLarge, "the first line and the fields have more than 80 KiB, or one of them has")
        case .invalidMethod: self.init(.unknownMethod, "the method is none of HTTP's")
        case .invalidVersion: self.init(.unknownVersion, "the version is none of HTTP/1's")
        default: self.init(.malformedRequest, "what was sent is no request of HTTP/1.1")
        }
    }
}
