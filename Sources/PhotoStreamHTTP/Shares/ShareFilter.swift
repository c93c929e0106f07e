import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// Makes of an answer the one that a share shows: with the members that are listed, and ids, keys and cursors of its own.
struct ShareFilter {
    private let seal: ShareSeal
    let options: ShareOptions

    /// Bytes that are not in the form in which answers are written.
    ///
    /// Nothing of them is shown.
    struct Malformed: Error {}

    init(_ share: ShareGrant) {
        (seal, options) = (share.seal, share.options)
    }

    // MARK: - Out

    /// Returns JSON, or lines of JSON, with the members that are listed.
    ///
    /// - Throws: ``Malformed``.
    func shown(_ bytes: [UInt8], of value: ShareValue) throws -> [UInt8] {
        var reader = Reader(filter: self, bytes: bytes)
        return try reader.documents(of: value)
    }

    /// Returns the text that stands for the id of a photo.
    func shown(id: String) -> String { options.contains(.names) ? id : seal.sealed(id, as: .photo) }

    /// Returns the text that stands for a cursor.
    func shown(cursor: String) -> String { seal.sealed(cursor, as: .cursor) }

    /// Returns the key that stands for the key of a picture.
    func shown(key: PictureKey) -> PictureKey { seal.sealed(key) }

    /// Returns the validator that stands for one, quotes included.
    func shown(validator tag: String) -> String {
        let isWeak = tag.hasPrefix("W/")
        return (isWeak ? "W/" : "") + "\"\(seal.sealed(String(tag.dropFirst(isWeak ? 2 : 0)), as: .validator))\""
    }

    // MARK: - In

    /// Returns the id of the photo for which a text stands; `nil` if it stands for none.
    func opened(id text: String) -> String? { options.contains(.names) ? text : seal.opened(text, as: .photo) }

    /// Returns the cursor for which a text stands; `nil` if it stands for none.
    func opened(cursor text: String) -> String? { seal.opened(text, as: .cursor) }

    /// Returns the key of a picture for which a text stands; `nil` for any other text.
    func opened(key text: String) -> String? { PictureKey(text).map { seal.opened($0).description } }

    /// Returns the conditions for which those of a request stand; tags that are not of this share are left out.
    ///
    /// - Parameter field: The field `If-None-Match`, `If-Match` or, with a tag, `If-Range`.
    /// - Returns: A field that holds one tag at least, if only one that nothing has.
    func opened(conditions field: String) -> String {
        guard case .tags(let tags) = EntityTagCondition(field) else { return "*" }
        let opened = tags.compactMap { tag in
            seal.opened(String(tag.text.dropFirst().dropLast()), as: .validator).map { (tag.isWeak ? "W/" : "") + $0 }
        }
        return opened.isEmpty ? "\"-\"" : opened.joined(separator: ", ")
    }
}

extension ShareFilter {
    /// Reads JSON as answers are written, and writes what is shown of it.
    private struct Reader {
        let filter: ShareFilter
        let bytes: [UInt8]
        var position = 0
        var output: [UInt8] = []

        init(filter: ShareFilter, bytes: [UInt8]) {
            (self.filter, self.bytes) = (filter, bytes)
            output.reserveCapacity(bytes.count)
        }

        mutating func documents(of value: ShareValue) throws -> [UInt8] {
            while true {
                skipSpace()
                guard position < bytes.count else {
                    // Lines end with a line break, the last one, too.
                    return bytes.last == UInt8(ascii: "\n") ? output + [UInt8(ascii: "\n")] : output
                }
                if !output.isEmpty { output.append(UInt8(ascii: "\n")) }
                guard isShown(value) else { throw Malformed() }
                try write(value)
            }
        }

        /// Whether the value that follows may be shown, and has the form that it should have.
        func isShown(_ value: ShareValue) -> Bool {
            guard position < bytes.count else { return false }
            if bytes[position] == UInt8(ascii: "n") { return true }
            switch (value, bytes[position]) {
            case (.plain, UInt8(ascii: "{")), (.plain, UInt8(ascii: "[")): return false
            case (.plain, _): return true
            case (.position, let byte):
                return filter.options.contains(.positions) && byte != UInt8(ascii: "{") && byte != UInt8(ascii: "[")
            case (.photoID, UInt8(ascii: "\"")), (.pictureKey, UInt8(ascii: "\"")), (.cursor, UInt8(ascii: "\"")),
                (.list, UInt8(ascii: "[")), (.object, UInt8(ascii: "{")):
                return true
            case (.photoID, _), (.pictureKey, _), (.cursor, _), (.list, _), (.object, _): return false
            }
        }

        /// Writes a value that may be shown.
        mutating func write(_ value: ShareValue) throws {
            let isNull = position < bytes.count && bytes[position] == UInt8(ascii: "n")
            switch value {
            case _ where isNull, .plain, .position: output += try scalar()
            case .photoID: write(filter.shown(id: try text()))
            case .cursor: write(filter.shown(cursor: try text()))
            case .pictureKey:
                guard let key = PictureKey(try text()) else { throw Malformed() }
                write(filter.shown(key: key).description)
            case .list(let element):
                try members(from: UInt8(ascii: "["), to: UInt8(ascii: "]")) { reader in
                    guard reader.isShown(element) else { return try reader.skip() }
                    reader.separate()
                    try reader.write(element)
                }
            case .object(let shapes):
                try members(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { reader in
                    let start = reader.position
                    let name = try reader.text()
                    let key = reader.bytes[start..<reader.position]
                    try reader.take(UInt8(ascii: ":"))
                    reader.skipSpace()
                    guard let shape = shapes[name], reader.isShown(shape) else { return try reader.skip() }
                    reader.separate()
                    reader.output += key
                    reader.output.append(UInt8(ascii: ":"))
                    try reader.write(shape)
                }
            }
        }

        /// Writes a text that needs no escape sequence, or one that another encoder writes.
        private mutating func write(_ text: String) {
            output += JSONWriter.bytes { $0.value(text) }
        }

        /// Writes a comma, unless nothing was written since the list or the object was opened.
        ///
        /// Every value ends with another byte than an opening bracket.
        private mutating func separate() {
            guard output.last != UInt8(ascii: "["), output.last != UInt8(ascii: "{") else { return }
            output.append(UInt8(ascii: ","))
        }

        private mutating func members(
            from opening: UInt8, to closing: UInt8, each: (inout Reader) throws -> Void
        ) throws {
            try take(opening)
            output.append(opening)
            skipSpace()
            if position < bytes.count, bytes[position] == closing {
                position += 1
                output.append(closing)
                return
            }
            while true {
                skipSpace()
                try each(&self)
                skipSpace()
                guard position < bytes.count else { throw Malformed() }
                position += 1
                switch bytes[position - 1] {
                case UInt8(ascii: ","): continue
                case closing:
                    output.append(closing)
                    return
                default: throw Malformed()
                }
            }
        }

        /// Passes a value over.
        private mutating func skip() throws {
            var depth = 0
            repeat {
                skipSpace()
                guard position < bytes.count else { throw Malformed() }
                switch bytes[position] {
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    position += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    position += 1
                case UInt8(ascii: ","), UInt8(ascii: ":"): position += 1
                default: _ = try scalar()
                }
            } while depth > 0
        }

        /// Reads a text, a number, a Boolean or `null`, as it is written.
        private mutating func scalar() throws -> ArraySlice<UInt8> {
            guard position < bytes.count else { throw Malformed() }
            let start = position
            if bytes[start] == UInt8(ascii: "\"") {
                position += 1
                while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
                    position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
                }
                guard position < bytes.count else { throw Malformed() }
                position += 1
            } else {
                while position < bytes.count, Self.isOfNumberOrWord(bytes[position]) { position += 1 }
                guard position > start else { throw Malformed() }
            }
            return bytes[start..<position]
        }

        private static func isOfNumberOrWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
                UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }

        /// Reads a text, without its escape sequences.
        private mutating func text() throws -> String {
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else { throw Malformed() }
            guard let text = JSONEscapes.decoded(try scalar().dropFirst().dropLast()) else { throw Malformed() }
            return text
        }

        private mutating func take(_ byte: UInt8) throws {
            skipSpace()
            guard position < bytes.count, bytes[position] == byte else { throw Malformed() }
            position += 1
        }

        private mutating func skipSpace() {
            while position < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[position]) { position += 1 }
        }
    }
}
