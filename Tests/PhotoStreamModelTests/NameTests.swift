import PhotoStreamModel
import Testing

@Suite struct NameTests {
    private func idError(_ text: String) -> String? {
        do throws(ModelError) {
            #expect(try PhotoID(text).rawValue == text)
            return nil
        } catch {
            return error.description
        }
    }

    private func streamError(_ text: String) -> String? {
        do throws(ModelError) {
            #expect(try StreamName(text).rawValue == text)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        "a", "0", "...", ".a", "a.", "IMG_0001.JPG", "2026-11-21", "a:b", "\\", "\"", "é", "e\u{301}", "日本", "👨‍👩‍👧‍👦",
        "\u{FEFF}", "\u{200B}", "~", " a", "a ", "\u{C0}", "\u{BF}", "\u{10FFFF}",
    ])
    func `a text without control characters is valid as an id and as a stream name`(text: String) {
        #expect(idError(text) == nil)
        #expect(streamError(text) == nil)
    }

    @Test(arguments: ["/", "a/b", "/etc/passwd", "https://example.org/a?b=c#d", "a/", "../x"])
    func `a slash is allowed in an id, but not in a stream name`(text: String) {
        #expect(idError(text) == nil)
        #expect(streamError(text) == "the stream name \"\(text)\" contains a slash")
    }

    @Test func `a slash is found before a combining mark`() {
        // One character to Swift, a slash and a mark to every path.
        #expect(streamError("a/\u{301}b") != nil)
    }

    @Test(arguments: [".", ".."])
    func `the names . and .. are rejected`(text: String) {
        #expect(idError(text) == "the id \"\(text)\" is not allowed: no address can end with it")
        #expect(streamError(text) == "the stream name \"\(text)\" is not allowed")
    }

    @Test(arguments: [" ", "  ", "\u{A0}", "\u{3000}", "\u{2003}"])
    func `white space is valid as an id, but not as a stream name`(text: String) {
        #expect(idError(text) == nil)
        #expect(streamError(text) == "the stream name is blank")
    }

    @Test func `an empty text is rejected`() {
        #expect(idError("") == "the id is empty")
        #expect(streamError("") == "the stream name is empty")
    }

    @Test func `limits count bytes of UTF-8`() {
        for (character, bytes) in [("a", 1), ("é", 2), ("日", 3), ("😀", 4)] {
            let id = String(repeating: character, count: 512 / bytes)
            let idRest = String(repeating: "x", count: 512 % bytes)
            #expect(idError(id + idRest) == nil)
            #expect(idError(id + idRest + "x") == "the id has 513 bytes, more than 512")
            let name = String(repeating: character, count: 128 / bytes)
            let nameRest = String(repeating: "x", count: 128 % bytes)
            #expect(streamError(name + nameRest) == nil)
            #expect(streamError(name + nameRest + "x") == "the stream name has 129 bytes, more than 128")
        }
        #expect(idError(String(repeating: "é", count: 300)) == "the id has 600 bytes, more than 512")
        #expect(PhotoID.maximumByteCount == 512 && StreamName.maximumByteCount == 128)
    }

    @Test func `every control character is rejected at any position, and no other scalar is`() throws {
        for value in UInt32(1)...0x2FF {
            let scalar = try #require(Unicode.Scalar(value))
            let isControl = value < 0x20 || (0x7F...0x9F).contains(value)
            for text in ["\(scalar)", "a\(scalar)", "\(scalar)b", "é\(scalar)é"] {
                guard text != ".", !text.unicodeScalars.contains("/") else { continue }
                #expect(idError(text) == (isControl ? "the id contains a control character" : nil))
                let isBlank = !isControl && scalar.properties.isWhitespace && text == "\(scalar)"
                #expect(
                    streamError(text)
                        == (isControl
                            ? "the stream name contains a control character"
                            : isBlank ? "the stream name is blank" : nil))
            }
        }
        #expect(idError("a\0b") == "the id contains a control character")
        #expect(idError("a\r\nb") == "the id contains a control character")
    }

    @Test func `names are described by their text`() throws {
        #expect(try PhotoID("a/b").description == "a/b")
        #expect(try StreamName("holiday").description == "holiday")
    }

    @Test func `names with different bytes differ, even if Unicode considers them equivalent`() throws {
        // Files keep both apart, and so does the database.
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed)
        #expect(try PhotoID(composed) != PhotoID(decomposed))
        #expect(try StreamName(composed) != StreamName(decomposed))
        #expect(try Set([PhotoID(composed), PhotoID(decomposed), PhotoID(composed)]).count == 2)
        #expect(try Set([StreamName(composed), StreamName(decomposed), StreamName(composed)]).count == 2)
    }
}
