import PhotoStreamModel
import Testing

@Suite struct ConditionParsingTests {
    @Test(arguments: [
        ("", ""), (" \t\n", ""), ("()", ""), ("a ()", "a"), ("a OR ()", ""), ("-()", "-()"), ("a -()", "-()"),
        ("a OR -()", "a"),
        ("Beach", "beach"), ("beach sun", "beach sun"), ("beach AND sun", "beach sun"),
        ("beach OR sun", "beach OR sun"),
        ("beach|sun | sea", "beach OR sun OR sea"), ("a b OR c d", "a b OR c d"), ("a (b OR c) d", "a (b OR c) d"),
        ("(a b) OR (c d)", "a b OR c d"), ("a (b (c))", "a b c"), ("((a))", "a"), ("a OR (b OR c)", "a OR b OR c"),
        ("-a", "-a"), ("--a", "a"), ("-(a)", "-a"), ("-(a b)", "-(a b)"), ("-(a OR -b)", "-(a OR -b)"),
        ("(a)-b", "a -b"),
        ("−a －b", "-a -b"), ("or and not", "or and not"), ("well-known", "\"well known\""),
        ("“two words”", "\"two words\""),
        ("„Zürich“", "zurich"), ("\"two words\"*", "\"two words\"*"), ("wor*", "wor*"), ("IMG_12*", "\"img 12\"*"),
        ("\"say \"\"hi\"\"\"", "\"say hi\""), ("\"OR\"", "or"), ("\"http://example.org\"", "\"http example org\""),
        ("上海夜景", "上海夜景"),
        ("上海2024年 ปีใหม่", "上海2024年 ปีใหม่"), ("“上海 in 海”", "上海in海"), ("（a｜b）　－c", "(a OR b) -c"),
    ])
    func `words, operators and parentheses have one canonical text`(text: String, canonical: String) throws {
        #expect(try Condition(parsing: text).canonicalText == canonical)
    }

    @Test(arguments: [
        ("TAG:Beach", "tag:beach"), ("tag:\"New  York\"", "tag:\"new york\""), ("tag:“New York”*", "tag:\"new york\"*"),
        ("tag：海", "tag:海"), ("tag:C++", "tag:\"c++\""), ("tag:\"a\"\"b\"", "tag:\"a\"\"b\""),
        ("tag:a:b", "tag:\"a:b\""), ("tag:*", "tag:*"),
        ("tag:a|tag:b", "tag:a OR tag:b"), ("tag:-x", "tag:-x"), ("album:/Italy/2025/", "album:italy/2025"),
        ("folder:\"Italy / Roma\"", "folder:italy/roma"), ("album:Italy/*", "album:italy/*"), ("folder:/*", "folder:*"),
        ("camera:\"iPhone 12\"", "camera:\"iphone 12\""), ("name:IMG_1*", "name:\"img 1\"*"),
        ("rating:>=4", "rating:4.."), ("rating:>4", "rating:5.."), ("rating:<=4", "rating:..4"),
        ("rating:<0", "rating:..-1"),
        ("rating:2..2", "rating:2"), ("rating:-1..3", "rating:-1..3"), ("rating:\"4\"", "rating:4"),
        ("ratio:1.50", "ratio:1.5"),
        ("ratio:16/9", "ratio:1.78"), ("ratio:4:3..2", "ratio:1.33..2"), ("ratio:>2", "ratio:2.01.."),
        ("ratio:0.005", "ratio:0.01"),
        ("width:>=4000", "width:4000.."), ("height:..1000000", "height:..1000000"), ("taken:2019", "taken:2019"),
        ("taken:2019-01..2019-12", "taken:2019"), ("taken:2021-05-01..2021-05-31", "taken:2021-05"),
        ("taken:2020-02-29", "taken:2020-02-29"),
        ("taken:2019..2021-05", "taken:2019..2021-05"), ("taken:>2020", "taken:2021.."),
        ("taken:<=2020-02", "taken:..2020-02"),
        ("taken:>2020-02", "taken:2020-03.."), ("taken:<2020-03", "taken:..2020-02"),
        ("taken:..2020-12", "taken:..2020"),
        ("taken:2021-01..2021-02", "taken:2021..2021-02"), ("taken:LAST-030D", "taken:last-30d"),
        ("added:last-1y", "added:last-1y"),
        ("near:47.370000,8.54,20KM", "near:47.37,8.54,20km"), ("near:\"-1.5, 2, 1.5km\"", "near:-1.5,2,1500m"),
        ("near:0.12345678,0,2000m", "near:0.123457,0,2km"), ("within:-1,-2,3,4.5", "within:-1,-2,3,4.5"),
        ("type:JPG", "type:jpeg"),
        ("has:TAKENAT -has:caption", "has:takenAt -has:caption"), ("is:Favourite", "is:favourite"),
    ])
    func `qualifiers have one canonical text`(text: String, canonical: String) throws {
        let condition = try Condition(parsing: text)
        #expect(condition.canonicalText == canonical)
        #expect(try Condition(parsing: canonical) == condition)
    }

    @Test(
        arguments: [
            ("bea", "bea*"), ("sun bea", "sun bea*"), ("sun bea ", "sun bea"), ("-bea", "-bea*"), ("\"sun\"", "sun"),
            ("bea*", "bea*"),
            ("(a OR bea", nil), ("(bea)", "bea"), ("tag:bea", "tag:bea"), ("img_12", "\"img 12\"*"), ("海", "海*"),
            ("", ""),
        ] as [(String, String?)])
    func `while typing, the word at the end is the beginning of one`(text: String, canonical: String?) {
        #expect((try? Condition(parsing: text, isTyping: true))?.canonicalText == canonical)
    }

    /// Returns the error of a text.
    private func error(_ text: String) -> ConditionError? {
        do throws(ConditionError) {
            _ = try Condition(parsing: text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a condition has 1,000 bytes at most`() {
        #expect(error("tag:" + String(repeating: "é", count: 498)) == nil)
        let long = error("tag:" + String(repeating: "é", count: 498) + "x")
        #expect(long?.description == "Column 503: The condition has 1001 bytes. Expected at most 1000.")
        #expect(error(String(repeating: " ", count: 1_000)) == nil)
        #expect(error(String(repeating: " ", count: 1_001))?.column == 1_001)
    }

    @Test func `the canonical text of a condition has 1,000 bytes at most`() {
        // U+FDFA becomes 18 letters.
        #expect(error(String(repeating: "ﷺ ", count: 20)) == nil)
        let long = error(String(repeating: "ﷺ ", count: 60))
        #expect(long?.column == 1)
        #expect(long?.problem.hasPrefix("The canonical text of the condition has ") == true)
    }

    @Test func `a condition has 64 terms at most`() {
        let terms = (0..<64).map { $0 % 2 == 0 ? "a" : "tag:b" }.joined(separator: " ")
        #expect(error(terms) == nil)
        let more = error(terms + " c")
        #expect(
            more?.description == "Column \(terms.count + 2): The condition has too many terms. Expected at most 64.")
    }

    @Test(arguments: ["(", "-", "-("])
    func `parentheses and minus signs are nested 16 deep at most`(mark: String) {
        let count = 16 / mark.count
        func text(_ count: Int) -> String {
            String(repeating: mark, count: count) + "a" + String(repeating: ")", count: mark.contains("(") ? count : 0)
        }
        #expect(error(text(count)) == nil)
        #expect(error(text(count + 1))?.column == 17)
        #expect(error(text(count + 1))?.problem == "The parentheses and minus signs are nested too deeply")
        #expect(error(String(repeating: mark, count: 1_000 / mark.count))?.column == 17)
    }

    @Test func `archived photos are included if the condition mentions them`() throws {
        for text in ["is:archived", "-is:archived", "has:archived", "beach (a OR -(b is:archived))"] {
            #expect(try Condition(parsing: text).includesArchived)
        }
        for text in ["", "beach", "archived", "is:edited"] { #expect(try !Condition(parsing: text).includesArchived) }
    }
}
