import HTTPTypes
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

extension APICall {
    /// Answers a question about a stream: with 304 where the client has the answer, else with what `make` gives.
    ///
    /// The validator is computed from the stream's state before any layout is touched, and then of the state that the
    /// answer itself was read in.
    ///
    /// - Parameters:
    ///   - stream: The stream.
    ///   - key: The layout, where the question names one.
    ///   - make: Makes the bytes, and says which state they speak of.
    /// - Returns: The answer.
    /// - Throws: ``Problem`` where the address names another revision than the stream has, and what `make` throws.
    mutating func answer(
        about stream: StreamName, _ key: LayoutKey? = nil,
        _ make: (inout APICall) throws -> (state: StreamState, body: [UInt8])
    ) throws -> APIResponse {
        let (question, coding) = (question(key), ContentCoding.accepted(headers[.acceptEncoding]))
        let wanted = try query.value("revision", "a whole number from 0 on") { Int64($0).flatMap { $0 < 0 ? nil : $0 } }
        let condition = headers[.ifNoneMatch].map { EntityTagCondition($0) }
        if condition != nil || wanted != nil {
            let state = try service.state(of: stream)
            try check(state.revision, wanted)
            let tag = EntityTag(state, question: question, coding)
            times.end("state")
            // Whatever there is: that there is something is known when it was made.
            if let condition, condition != .any, condition.matchesWeakly(tag) {
                return validated(APIResponse(.notModified), tag, isLasting: wanted != nil)
            }
        }
        let (state, body) = try make(&self)
        try check(state.revision, wanted)
        let tag = EntityTag(state, question: question, coding)
        if condition == .any { return validated(APIResponse(.notModified), tag, isLasting: wanted != nil) }
        let response = compressed(APIResponse(contentType: form, body: body), coding)
        return validated(response, tag, isLasting: wanted != nil)
    }

    /// Answers with what is validated by a mark that costs less than the answer.
    ///
    /// - Parameters:
    ///   - mark: Reads the mark: while it is the same, so is the answer.
    ///   - make: Makes the bytes, and says which mark they have.
    /// - Returns: The answer; 304 where the client has it.
    /// - Throws: What both throw.
    mutating func answer(
        markedBy mark: (PhotoStreamService) throws -> String,
        _ make: (inout APICall) throws -> (mark: String, body: [UInt8])
    ) throws -> APIResponse {
        let (question, coding) = (question(nil), ContentCoding.accepted(headers[.acceptEncoding]))
        func tag(_ mark: String) -> EntityTag { EntityTag(of: Array((question + "\u{0}" + mark).utf8), coding) }
        if let condition = headers[.ifNoneMatch] {
            let current = tag(try mark(service))
            if EntityTagCondition(condition).matchesWeakly(current) {
                return validated(APIResponse(.notModified), current, isLasting: false)
            }
        }
        let (mark, body) = try make(&self)
        let response = compressed(APIResponse(contentType: form, body: body), coding)
        return validated(response, tag(mark), isLasting: false)
    }

    /// Answers with bytes that validate themselves.
    mutating func answer(_ body: [UInt8]) -> APIResponse {
        let coding = ContentCoding.accepted(headers[.acceptEncoding])
        let tag = EntityTag(of: body, coding)
        if let condition = headers[.ifNoneMatch], EntityTagCondition(condition).matchesWeakly(tag) {
            return validated(APIResponse(.notModified), tag, isLasting: false)
        }
        return validated(compressed(APIResponse(contentType: form, body: body), coding), tag, isLasting: false)
    }

    /// What was asked for, apart from the revision: the same question at the same state has the same answer.
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

    private func check(_ revision: Revision, _ wanted: Int64?) throws(Problem) {
        guard let wanted, wanted != revision.rawValue else { return }
        throw Problem(
            .otherRevision, "the stream has revision \(revision), not \(wanted)", parameter: "revision")
    }

    private mutating func compressed(_ response: APIResponse, _ coding: ContentCoding) -> APIResponse {
        guard coding == .gzip, response.body.count >= Gzip.minimumByteCount,
            let bytes = Gzip.compressed(response.body)
        else { return response }
        var response = response
        response.body = bytes
        response.fields[.contentEncoding] = "gzip"
        times.end("gzip")
        return response
    }

    private func validated(_ response: APIResponse, _ tag: EntityTag, isLasting: Bool) -> APIResponse {
        var response = response
        response.fields.append(HTTPField(name: .eTag, value: tag.text))
        response.fields.append(.varyByForm)
        response.fields.append(isLasting ? .keepForEver : .askEachTime)
        return response
    }
}

// Made once: a field's value is checked whenever one is made.
extension HTTPField {
    fileprivate static let varyByForm = HTTPField(name: .vary, value: "Accept, Accept-Encoding")
    fileprivate static let keepForEver = HTTPField(name: .cacheControl, value: "private, max-age=31536000, immutable")
    fileprivate static let askEachTime = HTTPField(name: .cacheControl, value: "private, no-cache")
}
