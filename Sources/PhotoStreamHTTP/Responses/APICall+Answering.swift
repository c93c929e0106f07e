import HTTPTypes
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

extension APICall {
    /// Answers a question about a stream: with 304 if the client has the answer, otherwise with the bytes of `make`.
    ///
    /// The validator is computed from the stream's state before any layout is touched, and then from the state in which
    /// the answer itself was read.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - key: The layout, if the question names one.
    ///   - make: Makes the bytes, and returns the state of which they were made.
    /// - Returns: The answer.
    /// - Throws: ``Problem`` if the address names another revision than the stream's, and the errors of `make`.
    mutating func answer(
        about stream: StreamName, _ key: LayoutKey? = nil,
        make: (inout APICall) throws -> (state: StreamState, body: [UInt8])
    ) throws -> APIResponse {
        let (question, coding) = (question(key), ContentCoding.accepted(headers[.acceptEncoding]))
        let wanted = try query.value("revision", expecting: "a whole number, 0 or greater") {
            Int64($0).flatMap { $0 < 0 ? nil : $0 }
        }
        let condition = headers[.ifNoneMatch].map { EntityTagCondition($0) }
        if condition != nil || wanted != nil {
            let state = try service.state(of: stream)
            try check(state.revision, against: wanted)
            let tag = EntityTag(state, question: question, coding: coding)
            times.end("state")
            // `*` matches any answer; whether there is one is known once it is made.
            if let condition, condition != .any, condition.matchesWeakly(tag) {
                return validated(APIResponse(.notModified), by: tag, isLasting: wanted != nil)
            }
        }
        let (state, body) = try make(&self)
        try check(state.revision, against: wanted)
        let tag = EntityTag(state, question: question, coding: coding)
        if condition == .any { return validated(APIResponse(.notModified), by: tag, isLasting: wanted != nil) }
        let response = compressed(APIResponse(contentType: form, body: body), as: coding)
        return validated(response, by: tag, isLasting: wanted != nil)
    }

    /// Answers with bytes that are validated by a mark that costs less than the bytes.
    ///
    /// - Parameters:
    ///   - mark: Reads the mark: while it is the same, so is the answer.
    ///   - make: Makes the bytes, and returns their mark.
    /// - Returns: The answer; 304 if the client has it.
    /// - Throws: The errors of both closures.
    mutating func answer(
        markedBy mark: (PhotoStreamService) throws -> String,
        make: (inout APICall) throws -> (mark: String, body: [UInt8])
    ) throws -> APIResponse {
        let (question, coding) = (question(nil), ContentCoding.accepted(headers[.acceptEncoding]))
        func tag(_ mark: String) -> EntityTag { EntityTag(of: Array((question + "\u{0}" + mark).utf8), coding) }
        if let condition = headers[.ifNoneMatch] {
            let current = tag(try mark(service))
            if EntityTagCondition(condition).matchesWeakly(current) {
                return validated(APIResponse(.notModified), by: current, isLasting: false)
            }
        }
        let (mark, body) = try make(&self)
        let response = compressed(APIResponse(contentType: form, body: body), as: coding)
        return validated(response, by: tag(mark), isLasting: false)
    }

    /// Answers with bytes that validate themselves.
    mutating func answer(_ body: [UInt8]) -> APIResponse {
        let coding = ContentCoding.accepted(headers[.acceptEncoding])
        let tag = EntityTag(of: body, coding)
        if let condition = headers[.ifNoneMatch], EntityTagCondition(condition).matchesWeakly(tag) {
            return validated(APIResponse(.notModified), by: tag, isLasting: false)
        }
        return validated(compressed(APIResponse(contentType: form, body: body), as: coding), by: tag, isLasting: false)
    }

    /// The question without the revision: the same question about the same state has the same answer.
    private func question(_ key: LayoutKey?) -> String {
        var others = query.all.filter {
            $0.name != "revision" && (key == nil || LayoutOption(rawValue: $0.name) == nil)
        }
        if others.count > 1 { others.sort { $0.name < $1.name } }
        var text = ""
        text.reserveCapacity(512)
        // Streams of two files may have the same number and revision.
        text += service.fileMark
        func add(_ parts: String...) {
            text += "\u{0}"
            for part in parts { text += part }
        }
        add(route.operation)
        add(form)
        add(key?.description ?? "")
        for (_, value) in path.sorted(by: { $0.key < $1.key }) { add(value) }
        for (name, value) in others { add(String(name.utf8.count), ":", name, "=", value) }
        return text
    }

    private func check(_ revision: Revision, against wanted: Int64?) throws(Problem) {
        guard let wanted, wanted != revision.rawValue else { return }
        throw Problem(
            .otherRevision, detail: "the stream has revision \(revision), not \(wanted)", parameter: "revision")
    }

    private mutating func compressed(_ response: APIResponse, as coding: ContentCoding) -> APIResponse {
        guard coding == .gzip, response.body.count >= Gzip.minimumByteCount,
            let bytes = Gzip.compressed(response.body)
        else { return response }
        var response = response
        response.body = bytes
        response.fields[.contentEncoding] = "gzip"
        times.end("gzip")
        return response
    }

    private func validated(_ response: APIResponse, by tag: EntityTag, isLasting: Bool) -> APIResponse {
        var response = response
        response.fields.append(HTTPField(name: .eTag, value: tag.text))
        response.fields.append(.varyByForm)
        response.fields.append(isLasting ? .keepForEver : .askEachTime)
        return response
    }
}

extension JSONWriter {
    /// One value as bytes.
    static func bytes(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        body(&writer)
        return writer.bytes
    }
}

// Made once: a field's value is checked whenever one is made.
extension HTTPField {
    fileprivate static let varyByForm = HTTPField(name: .vary, value: "Accept, Accept-Encoding")
    fileprivate static let keepForEver = HTTPField(name: .cacheControl, value: "private, max-age=31536000, immutable")
    fileprivate static let askEachTime = HTTPField(name: .cacheControl, value: "private, no-cache")
}
