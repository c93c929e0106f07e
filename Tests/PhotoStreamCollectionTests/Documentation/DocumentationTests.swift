import PhotoStreamTestSupport
import Testing

/// The catalog of the library.
@Suite struct DocumentationTests {
    @Test func `every example is tested, and every tested example is shown`() throws {
        let library = try DocumentedLibrary("PhotoStreamCollection")
        #expect(library.shown.count > 10)
        #expect(library.differences == [], "\(library.differences.joined(separator: "\n\n"))")
    }

    @Test func `each main type opens with an example`() throws {
        let library = try DocumentedLibrary("PhotoStreamCollection")
        #expect(
            library.typesWithExamples == [
                "AdjustedLayout", "CollectionLayout", "InvalidationContext", "LayoutAdjustment", "PlacedLayout",
            ])
    }

    @Test func `the landing page lists every public type once`() throws {
        let library = try DocumentedLibrary("PhotoStreamCollection")
        #expect(library.topics.sorted() == library.types.sorted())
    }
}
