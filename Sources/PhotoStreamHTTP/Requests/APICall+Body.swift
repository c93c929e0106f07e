import PhotoStreamImport
import PhotoStreamWire

extension APICall {
    /// Reads the body as an object of texts and of lists of texts.
    ///
    /// - Parameters:
    ///   - members: The members that may be a text.
    ///   - lists: The members that may be a list of texts.
    ///   - flags: The members that may be true.
    /// - Returns: The members of the body.
    /// - Throws: `JSONRefusal` for anything but a JSON object, ``Problem`` for an unknown member or one of another
    ///   type.
    func texts(
        _ members: [String], lists: [String] = [], flags: [String] = []
    ) throws -> (texts: [String: String], lists: [String: [String]], flags: Set<String>) {
        var found: (texts: [String: String], lists: [String: [String]], flags: Set<String>) = ([:], [:], [])
        for member in try JSONObject(body.bytes).members {
            let name = member.name
            if members.contains(name) {
                guard let text = member.value.text else {
                    throw Problem(.invalidBody, detail: "\(name) must be a text", parameter: name)
                }
                found.texts[name] = text
            } else if lists.contains(name) {
                guard let list = member.value.texts else {
                    throw Problem(.invalidBody, detail: "\(name) must be a list of texts", parameter: name)
                }
                found.lists[name] = list
            } else if flags.contains(name) {
                guard member.value == .flag(true) else {
                    throw Problem(.invalidBody, detail: "\(name) must be true", parameter: name)
                }
                found.flags.insert(name)
            } else {
                throw Problem(
                    .invalidBody, detail: "the body has an unknown member \"\(name)\"", parameter: name)
            }
        }
        return found
    }

    /// Reads the body as a record of the photo of the path.
    ///
    /// - Throws: ``Problem`` for members that are unknown or of another type, `JSONRefusal` for anything but a JSON
    ///   object and for values that cannot be read.
    func photoRecord() throws -> JSONRecord {
        let object = try JSONObject(body.bytes)
        // An import accepts `5` as a text and `"5"` as a number, because sources contain both; a client has to use the
        // right type.
        for member in object.members {
            let name = member.name
            guard let schema = Schemas.photoRecord.first(where: { $0.name == name })?.schema else {
                throw Problem(.invalidPhoto, detail: "a photo has no member \"\(name)\"", parameter: name)
            }
            guard schema.accepts(member.value) else {
                throw Problem(.invalidPhoto, detail: "\(name) must be \(schema.noun)", parameter: name)
            }
        }
        return try JSONRecord(object, for: try photo)
    }
}

extension JSONValue {
    fileprivate var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    fileprivate var texts: [String]? {
        guard case .array(let elements) = self else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }
}
