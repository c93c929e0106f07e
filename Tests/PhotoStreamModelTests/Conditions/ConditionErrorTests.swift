import PhotoStreamModel
import Testing

@Suite struct ConditionErrorTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let text: String
        let column: Int
        let problem: String
        var suggestion: String?
        var testDescription: String { text }
    }

    private static let examples = [
        Example(text: "sun tga:beach", column: 5, problem: "\"tga:\" is not a qualifier", suggestion: "tag:"),
        Example(text: "é👨‍👩‍👧a camara:x", column: 5, problem: "\"camara:\" is not a qualifier", suggestion: "camera:"),
        Example(text: "e\u{301} Ratign:5", column: 3, problem: "\"Ratign:\" is not a qualifier", suggestion: "rating:"),
        Example(text: "-(subject:x)", column: 3, problem: "\"subject:\" is not a qualifier"),
        Example(text: "12:30", column: 1, problem: "\"12:\" is not a qualifier"),
        Example(text: ":x", column: 1, problem: "\":\" is not a qualifier"),
        Example(text: "see http://example.org/a", column: 5, problem: "An address is not a word"),
        Example(text: "tag:", column: 1, problem: "tag: has an empty value"),
        Example(text: "a tag: b", column: 3, problem: "tag: has an empty value"),
        Example(text: "tag:\"\"", column: 1, problem: "tag: has an empty value"),
        Example(text: "tag:\" \"", column: 5, problem: "tag: has an empty value"),
        Example(text: "folder:///", column: 8, problem: "folder: has an empty value"),
        Example(text: "tag:(a OR b)", column: 1, problem: "tag: has an empty value"),
        Example(text: "camera:&", column: 8, problem: "\"&\" has no letter or digit"),
        Example(text: "a & b", column: 3, problem: "\"&\" has no letter or digit"),
        Example(text: "\"\"", column: 1, problem: "\"\" has no letter or digit"),
        Example(text: "*", column: 1, problem: "\"\" has no letter or digit"),
        Example(text: "is:favorite", column: 4, problem: "\"favorite\" is not a value of is:", suggestion: "favourite"),
        Example(text: "is:nice", column: 4, problem: "\"nice\" is not a value of is:"),
        Example(text: "has:captoin", column: 5, problem: "\"captoin\" is not a value of has:", suggestion: "caption"),
        Example(text: "type:jepg", column: 6, problem: "\"jepg\" is not a value of type:", suggestion: "jpeg"),
        Example(text: "rating:6", column: 8, problem: "\"6\" is not a value of rating:"),
        Example(text: "rating:4.5", column: 8, problem: "\"4.5\" is not a value of rating:"),
        Example(text: "rating:>5", column: 8, problem: "\">5\" is not a value of rating:"),
        Example(text: "rating:5..2", column: 8, problem: "\"5..2\" is not a value of rating:"),
        Example(text: "rating:..", column: 8, problem: "\"..\" is not a value of rating:"),
        Example(text: "rating:>=", column: 8, problem: "\">=\" is not a value of rating:"),
        Example(text: "rating:4*", column: 8, problem: "rating: takes no asterisk"),
        Example(text: "width:0", column: 7, problem: "\"0\" is not a value of width:"),
        Example(
            text: "width:99999999999999999999", column: 7, problem: "\"99999999999999999999\" is not a value of width:"),
        Example(text: "ratio:1/0", column: 7, problem: "\"1/0\" is not a value of ratio:"),
        Example(text: "ratio:nan", column: 7, problem: "\"nan\" is not a value of ratio:"),
        Example(text: "taken:2021-13", column: 7, problem: "\"2021-13\" is not a value of taken:"),
        Example(text: "taken:2021-02-29", column: 7, problem: "\"2021-02-29\" is not a value of taken:"),
        Example(text: "taken:0000", column: 7, problem: "\"0000\" is not a value of taken:"),
        Example(text: "taken:>9999", column: 7, problem: "\">9999\" is not a value of taken:"),
        Example(text: "taken:2021..2019", column: 7, problem: "\"2021..2019\" is not a value of taken:"),
        Example(text: "taken:2021..last-1d", column: 7, problem: "\"2021..last-1d\" is not a value of taken:"),
        Example(text: "taken:last-0d", column: 7, problem: "\"last-0d\" is not a value of taken:"),
        Example(text: "taken:last-10000d", column: 7, problem: "\"last-10000d\" is not a value of taken:"),
        Example(text: "taken:last-3h", column: 7, problem: "\"last-3h\" is not a value of taken:"),
        Example(text: "near:47,8", column: 6, problem: "\"47,8\" is not a value of near:"),
        Example(text: "near:91,8,1km", column: 6, problem: "\"91,8,1km\" is not a value of near:"),
        Example(text: "near:47,8,20", column: 6, problem: "\"47,8,20\" is not a value of near:"),
        Example(text: "near:47,8,0.4m", column: 6, problem: "\"47,8,0.4m\" is not a value of near:"),
        Example(text: "within:3,0,1,1", column: 8, problem: "\"3,0,1,1\" is not a value of within:"),
        Example(text: "(a OR b", column: 1, problem: "A parenthesis is not closed"),
        Example(text: "a (b (c)", column: 3, problem: "A parenthesis is not closed"),
        Example(text: "(a))", column: 4, problem: "A parenthesis is closed but not opened"),
        Example(text: "a(b)", column: 2, problem: "A parenthesis is in the middle of a word"),
        Example(text: "name:IMG(1)", column: 9, problem: "A parenthesis is in the middle of a word"),
        Example(text: "a \"b", column: 3, problem: "A quotation mark is not closed"),
        Example(text: "tag:“b\"", column: 5, problem: "A quotation mark is not closed"),
        Example(text: "5\"x", column: 2, problem: "A quotation mark is in the middle of a word"),
        Example(text: "\"a\"b", column: 4, problem: "A quotation mark ends in the middle of a word"),
        Example(text: "a*b", column: 2, problem: "An asterisk is in the middle of a word"),
        Example(text: "OR", column: 1, problem: "OR needs a term before and after it"),
        Example(text: "a OR", column: 3, problem: "OR needs a term before and after it"),
        Example(text: "a OR OR b", column: 3, problem: "OR needs a term before and after it"),
        Example(text: "(OR a)", column: 2, problem: "OR needs a term before and after it"),
        Example(text: "a |", column: 3, problem: "OR needs a term before and after it"),
        Example(text: "a AND OR b", column: 3, problem: "AND needs a term before and after it"),
        Example(text: "AND a", column: 1, problem: "AND needs a term before and after it"),
        Example(text: "a NOT b", column: 3, problem: "NOT is not an operator"),
        Example(text: "sun - beach", column: 5, problem: "A minus sign is alone"),
        Example(text: "-", column: 1, problem: "A minus sign is alone"),
        Example(text: "(-)", column: 2, problem: "A minus sign is alone"),
        Example(text: "-OR b", column: 1, problem: "A minus sign is alone"),
    ]

    @Test(arguments: examples)
    func `an error names its column, the problem and the nearest name`(example: Example) {
        do throws(ConditionError) {
            let condition = try Condition(parsing: example.text)
            Issue.record("\(condition)")
        } catch {
            #expect(error.column == example.column)
            #expect(error.problem == example.problem)
            #expect(error.suggestion == example.suggestion)
            #expect(!error.expected.isEmpty)
        }
    }

    @Test(arguments: [
        (
            "sun tga:beach",
            "Column 5: \"tga:\" is not a qualifier. Expected a qualifier such as tag:, or quotation marks around the words."
                + " Did you mean \"tag:\"?"
        ),
        ("http://a", "Column 1: An address is not a word. Expected quotation marks around it."),
        (
            "taken:x",
            "Column 7: \"x\" is not a value of taken:. Expected a date such as 2021, 2021-05 or 2021-05-17, a range such as"
                + " 2019..2021-05 or >=2020, or last-30d."
        ),
        (
            "rating:x",
            "Column 8: \"x\" is not a value of rating:. Expected a number from -1 to 5, or a range such as 2..4, 2.. or >=2."
        ),
        (
            "type:x",
            "Column 6: \"x\" is not a value of type:. Expected one of jpeg, png, gif, webp, heic, avif, tiff, bmp, jxl, raw,"
                + " video."
        ),
        ("tag:", "Column 1: tag: has an empty value. Expected a value, such as tag:beach."),
    ])
    func `an error is described by sentences`(text: String, description: String) {
        #expect(throws: ConditionError.self) { try Condition(parsing: text) }
        do { _ = try Condition(parsing: text) } catch { #expect(error.description == description) }
    }

    @Test func `long values are shortened in messages`() {
        let long = String(repeating: "x", count: 900)
        do { _ = try Condition(parsing: "is:\(long)") } catch {
            #expect(error.problem == "\"\(String(repeating: "x", count: 39))…\" is not a value of is:")
        }
    }

    @Test func `no text of one qualifier's values is that of words`() throws {
        // A value that its qualifier refuses never becomes words.
        for qualifier in ConditionQualifier.allCases {
            switch qualifier.row.takes {
            // Any text is a value, or its words are.
            case .text, .path, .words: continue
            case .number, .days, .circle, .box, .fileType, .field, .state: break
            }
            #expect(throws: ConditionError.self) { try Condition(parsing: "\(qualifier.rawValue):§") }
        }
    }
}
