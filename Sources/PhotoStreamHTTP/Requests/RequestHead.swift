import HTTPTypes

/// What this layer reads of a request before its body.
struct RequestHead {
    /// The method.
    let method: HTTPRequest.Method
    /// The path as it was sent, without the query.
    let path: Substring
    /// What follows the question mark, as it was sent.
    let query: Substring?
    /// The host that the client believes to talk to.
    let authority: String?
    private let fields: HTTPFields

    /// Takes a request apart.
    init(_ request: HTTPRequest) {
        method = request.method
        let target = (request.path ?? "/")[...]
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        path = target[..<(mark ?? target.endIndex)]
        query = mark.map { target[$0...].utf8.dropFirst().text }
        authority = request.authority
        fields = request.headerFields
    }

    /// A field's value; of several the values joined by commas.
    subscript(name: HTTPField.Name) -> String? { fields[name] }
}

extension Substring.UTF8View {
    /// The same bytes as text.
    var text: Substring { Substring(self) }
}
