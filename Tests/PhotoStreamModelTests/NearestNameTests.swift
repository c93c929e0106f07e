import PhotoStreamModel
import Testing

@Suite struct NearestNameTests {
    @Test(arguments: [
        ("laoyut", "layout", 1), ("", "abc", 3), ("abc", "", 3), ("--strem", "--stream", 1), ("kitten", "sitting", 3),
        ("ca", "abc", 3),
    ])
    func `the distance of words counts wrong, missing and exchanged letters`(word: String, other: String, distance: Int)
    {
        #expect(Array(word).editDistance(to: Array(other)) == distance)
    }

    @Test(
        arguments: [
            ("laoyut", "layout"), ("PAEG", "page"), ("scruber", "scrubber"), ("import-limits", "import-limit"),
            ("rct", "rect"), ("at", nil), ("xyz", nil), ("", nil), ("lay", nil),
        ] as [(String, String?)])
    func `the nearest name has at most one wrong letter in three`(word: String, name: String?) {
        let names = ["layout", "page", "scrubber", "import-limit", "rect", "import"]
        #expect(word.nearest(of: names) == name)
    }

    @Test func `in a tie, the first name is the nearest`() {
        #expect("bat".nearest(of: ["cat", "rat"]) == "cat")
        #expect("bat".nearest(of: ["rat", "cat"]) == "rat")
    }
}
