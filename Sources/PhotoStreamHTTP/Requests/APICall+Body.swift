import PhotoStreamImport
import PhotoStreamWire

extension APICall {
    /// The body as an object of texts and of lists of texts.
    ///
    /// - Parameters:
    ///   - members: The members that may have a text.
    ///   - lists: The members that may have a list.
    /// - Returns: The members that it has.
    /// - Throws: `JSONRefusal` for what is no JSON object, ``Problem`` for a member that is none of these or has something
    ///   else.
    func texts(
        _ members: [String], lists: [String] = []
    ) throws -> (texts: [String: String], lists: [String: [String]]) {
        var found: (texts: [String: String], lists: [String: [String]]) = ([:], [:])
        for member in try JSONObject(body.bytes).members {
            let name = member.name
            if members.contains(name) {
                guard let text = member.value.text else {
                    throw Problem(.invalidBody, "\(name) is no text", parameter: name)
                }
                found.texts[name] = text
            } else if lists.contains(name) {
                guard let list = member.value.texts else {
                    throw Problem(.invalidBody, "\(name) is no list of texts", parameter: name)
                }
                found.lists[name] = list
            } else {
                throw Problem(
                    .invalidBody, "the body has a member \"\(name)\", which is not read here", parameter: name)
            }
        }
        return found
    }

    /// The body as what is said about the photo of the path.
    ///
    /// - Throws: ``Problem`` for members that are unknown or of another type, `JSONRefusal` for what is no JSON object
    ///   and for values that cannot be read.
    func photoRecord() throws -> JSONRecord {
        let object = try JSONObject(body.bytes)
        // An import takes `5` for a text and `"5"` for a number, since sources do so; who writes a photo says what he means.
        for member in object.members {
            let name = member.name
            guard let schema = Schemas.photoRecord.first(where: { $0.name == name })?.schema else {
                throw Problem(.invalidPhoto, "a photo has no member \"\(name)\"", parameter: name)
            }
            guard schema.accepts(member.value) else {
                throw Problem(.invalidPhoto, "\(name) has a value of another type than is described", parameter: name)
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
