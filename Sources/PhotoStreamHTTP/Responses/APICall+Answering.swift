import HTTPTypes
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// An answer to write.
enum AnswerContent {
    case json((inout JSONWriter) -> Void)
    /// Frames as fixed-width numbers, with the parameter that limits the number of photos in the answer.
    case binary(BinaryFrames, BinaryFrames.Parts = BinaryFrames.Parts(), limitedBy: String = "limit")
}

extension APICall {
    /// Writes an answer for its audience; a route that shares may use has no other way to write one.
    ///
    /// - Throws: ``Problem`` that names the parameter, for photos that are too far apart for the binary form.
    private func bytes(of content: AnswerContent) throws(Problem) -> [UInt8] {
        switch content {
        case .json(let write): return JSONWriter.bytes(for: audience, write)
        case .binary(let frames, let parts, let parameter):
            do {
                return try frames.bytes(parts, for: audience)
            } catch {
                throw Problem(
                    .notAcceptable,
                    detail: "the answer is too large for \(MediaTypes.binary); ask for fewer photos or for JSON",
                    parameter: parameter)
            }
        }
    }

    private func response(_ body: [UInt8]) -> APIResponse {
        var response = APIResponse(contentType: form, body: body)
        response.isForSender = true
        return response
    }

    /// Answers in JSON without a validator.
    func answer(json write: (inout JSONWriter) -> Void) -> APIResponse {
        response(JSONWriter.bytes(for: audience, write))
    }

    /// Answers a question about a layout: with 304 if the client has the answer, with ``APIResponse/later`` if the layout
    /// must be folded first, otherwise with the encoded answer.
    ///
    /// - Parameters:
    ///   - key: The layout; `nil` for that of `cursor`.
    ///   - stream: The stream.
    ///   - cursor: The cursor that the question continues, if any.
    ///   - showsPictures: Whether the answer shows results of decoding pictures, which come without a change of the stream:
    ///     their revision is part of its validator, and it is not cached for ever.
    ///   - isReady: Whether the question is answered at once; not used in lanes other than that of short questions.
    ///   - ask: Asks the question. It may run more than once.
    ///   - encode: Makes the content, after the session.
    /// - Returns: The response.
    /// - Throws: ``Problem`` if the address names another revision than the stream's, or for an answer that its form
    ///   cannot express, and the errors of `ask`.
    mutating func answer<Answer>(
        with key: LayoutKey?, of stream: StreamName, after cursor: String? = nil,
        showingPictures showsPictures: Bool = false,
        isReady: @escaping @Sendable (borrowing SessionLayout) throws -> Bool = { try $0.isReady() },
        ask: @escaping @Sendable (borrowing SessionLayout) throws -> Answer,
        encode: @escaping @Sendable (Answer) -> AnswerContent
    ) throws -> APIResponse {
        let condition = try condition()?.resolvedNow()
        return try answer(about: stream, key, where: condition, showingPictures: showsPictures) { [route] session in
            guard route.work == .reading else { return .ready }
            let layout = try session.layout(key, of: stream, where: condition, after: cursor)
            return try isReady(layout) ? .ready : layout.isKnown() ? .known : .new
        } ask: { session in
            try ask(session.layout(key, of: stream, where: condition, after: cursor))
        } encode: {
            encode($0)
        }
    }

    /// The time until a question about a layout can be answered.
    private enum Readiness {
        /// At once.
        case ready
        /// After a layout that has been computed is brought in line with the stored chunks.
        case known
        /// After the layout is computed.
        case new
    }

    /// The result of a session: an answer, without content for a client that has it, or none because it takes too long here.
    private enum Outcome<Answer> {
        case answered(EntityTag, Answer?, isView: Bool)
        case later(isNew: Bool)
    }

    /// Answers a question about a stream, or one of its layouts.
    ///
    /// State and answer are read in one session, and the validator is computed from the state before any layout is
    /// touched.
    private mutating func answer<Answer>(
        about stream: StreamName, _ key: LayoutKey? = nil, where asked: Condition?,
        showingPictures showsPictures: Bool, readiness: ((borrowing Session) throws -> Readiness)?,
        ask: @escaping @Sendable (borrowing Session) throws -> Answer,
        encode: @escaping @Sendable (Answer) -> AnswerContent
    ) throws -> APIResponse {
        // Fixed days pass without a change of the stream.
        let question = question(key) + (asked.map { "\u{0}" + $0.canonicalText } ?? "")
        let coding = ContentCoding.accepted(headers[.acceptEncoding])
        let wanted = try query.value("revision", expecting: Revision.expectation, read: Revision.init(state:))
        let condition = headers[.ifNoneMatch].map { EntityTagCondition($0) }
        let call = self
        let (outcome, stages) = try service.read { session -> (Outcome<Answer>, StageTimes) in
            var stages = call.times
            let state = try session.state(of: stream)
            try call.check(state.revision, against: wanted)
            let pictures = showsPictures ? try session.pictureRevision(of: stream) : nil
            // Other signed addresses make another answer.
            let images = showsPictures ? try session.imagesMark().map { "\u{0}\($0)" } ?? "" : ""
            let tag = EntityTag(state, question: question + images, pictures: pictures, coding: coding)
            if condition != nil || wanted != nil { stages.end("state") }
            // `*` matches any answer, but whether there is one is known only once it is made.
            if let condition, !condition.isAny, condition.matchesWeakly(tag) {
                return (.answered(tag, nil, isView: state.rule != nil), stages)
            }
            let readiness = try readiness?(session) ?? .ready
            guard readiness == .ready else { return (.later(isNew: readiness == .new), stages) }
            let answer = try ask(session)
            stages.end("service")
            return (.answered(tag, answer, isView: state.rule != nil), stages)
        }
        times = stages
        guard case .answered(let tag, let answer, let isView) = outcome else {
            var answer = APIResponse()
            if case .later(let isNew) = outcome { answer.isFoldNew = isNew }
            answer.later = { call in
                try call.answer(
                    about: stream, key, where: asked, showingPictures: showsPictures, readiness: nil, ask: ask,
                    encode: encode)
            }
            return answer
        }
        var body: [UInt8]?
        if let answer, condition?.isAny != true {
            body = try bytes(of: encode(answer))
            times.end("encode")
        }
        // The rule of a kept view changes without a change of the stream.
        let isLasting = wanted != nil && !showsPictures && !isView && asked?.isOfOneDay != true
        return self.answer(body, as: coding, validatedBy: tag, isLasting: isLasting)
    }

    /// Answers a question about a stream in JSON: with 304 if the client has the answer; see
    /// ``answer(with:of:after:showingPictures:isReady:ask:encode:)``.
    mutating func answer<Answer>(
        about stream: StreamName, showingPictures showsPictures: Bool = false,
        ask: @escaping @Sendable (borrowing Session) throws -> Answer,
        json write: @escaping @Sendable (inout JSONWriter, Answer) -> Void
    ) throws -> APIResponse {
        try answer(
            about: stream, where: condition()?.resolvedNow(), showingPictures: showsPictures, readiness: nil, ask: ask
        ) { answer in
            .json { write(&$0, answer) }
        }
    }

    /// Answers a query with a validator that costs less than the answer, both read in one session.
    ///
    /// - Parameters:
    ///   - validator: Reads the validator; while it is the same, so is the answer.
    ///   - ask: Runs the query.
    ///   - write: Writes the answer, after the session.
    /// - Returns: The response; 304 if the client has the answer.
    /// - Throws: The errors of the closures.
    mutating func answer<Answer>(
        validatedBy validator: (borrowing Session) throws -> String, ask: (borrowing Session) throws -> Answer,
        json write: (inout JSONWriter, Answer) -> Void
    ) throws -> APIResponse {
        let question = question(nil)
        let coding = ContentCoding.accepted(headers[.acceptEncoding])
        let (tag, answer) = try service.read { session -> (EntityTag, Answer?) in
            let tag = EntityTag(of: Array((question + "\u{0}" + (try validator(session))).utf8), coding)
            return (tag, clientHas(tag) ? nil : try ask(session))
        }
        let body = answer.map { answer in JSONWriter.bytes(for: audience) { write(&$0, answer) } }
        return self.answer(body, as: coding, validatedBy: tag)
    }

    /// Answers in JSON, whose bytes are the validator.
    ///
    /// - Parameters:
    ///   - write: Writes the answer.
    ///   - writeObject: Writes the answer without the part that changes without a change of its object; `nil` if it has
    ///     none.
    /// - Returns: The response; 304 if the client has the answer.
    mutating func answer(
        validating write: (inout JSONWriter) -> Void, about writeObject: ((inout JSONWriter) -> Void)? = nil
    ) -> APIResponse {
        let coding = ContentCoding.accepted(headers[.acceptEncoding])
        let body = JSONWriter.bytes(for: audience, write)
        let object = writeObject.map { JSONWriter.bytes(for: audience, $0) } ?? body
        let tag = EntityTag(of: body, about: object, coding)
        return answer(clientHas(tag) ? nil : body, as: coding, validatedBy: tag)
    }

    /// Returns an answer with its validator: 304 without bytes.
    private mutating func answer(
        _ body: [UInt8]?, as coding: ContentCoding, validatedBy tag: EntityTag, isLasting: Bool = false
    ) -> APIResponse {
        guard let body else { return validated(APIResponse(.notModified), by: tag, isLasting: isLasting) }
        return validated(compressed(response(body), as: coding), by: tag, isLasting: isLasting)
    }

    /// Answers with a document.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - type: Its media type; `nil` for the form that the client prefers.
    /// - Returns: The response.
    func answer(_ document: FixedDocument, as type: String? = nil) -> APIResponse {
        let coding = ContentCoding.accepted(headers[.acceptEncoding])
        let tag = document.tag(coding)
        guard !clientHas(tag) else { return validated(APIResponse(.notModified), by: tag) }
        let compressed = coding == .gzip ? document.compressedBytes : nil
        var response = APIResponse(contentType: type ?? form, sharing: compressed ?? document.bytes)
        if compressed != nil { response.fields[.contentEncoding] = "gzip" }
        return validated(response, by: tag)
    }

    /// The query without the revision: the same query about the same state has the same answer.
    private func question(_ key: LayoutKey?) -> String {
        let asked = query.all.filter {
            $0.name != "revision" && $0.name != RouteParameter.condition.name
                && (key == nil || LayoutOption(rawValue: $0.name) == nil)
        }
        // The values of a list keep their order.
        let others = asked.enumerated()
            .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
        var text = ""
        text.reserveCapacity(512)
        // Streams of two files may have the same number and revision.
        text += service.fileFingerprint
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

    private func check(_ revision: Revision, against wanted: Revision?) throws(Problem) {
        guard let wanted, wanted != revision else { return }
        throw Problem(
            .otherRevision, detail: "the stream is in the state \(revision.state), not \(wanted.state)",
            parameter: "revision")
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

    private func validated(_ response: APIResponse, by tag: EntityTag, isLasting: Bool = false) -> APIResponse {
        var response = response
        response.fields.append(HTTPField(name: .eTag, value: tag.text))
        response.fields.append(.varyByForm)
        response.fields.append(isLasting ? .keepForEver : .askEachTime)
        return response
    }
}

// Created once: the value of a field is checked whenever one is created.
extension HTTPField {
    fileprivate static let varyByForm = HTTPField(name: .vary, value: "Accept, Accept-Encoding")
    fileprivate static let keepForEver = HTTPField(name: .cacheControl, value: "private, max-age=31536000, immutable")
    fileprivate static let askEachTime = HTTPField(name: .cacheControl, value: "private, no-cache")
}
