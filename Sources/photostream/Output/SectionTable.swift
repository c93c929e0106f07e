import PhotoStreamLayout
import PhotoStreamService

/// Sections of a layout as a table: id, photos and frame.
struct SectionTable {
    private var table = TextTable([
        TextTable.Column(title: "section"), .number("first"), .number("photos"), .number("x"), .number("y"),
        .number("width"), .number("height"),
    ])

    /// Sections as text.
    mutating func text(_ sections: [SectionAnswer], _ scale: DisplayScale) -> String {
        table.text(
            sections.map { section in
                let frame = section.frame
                return [section.id, String(section.firstIndex), section.count.grouped]
                    + [frame.x, frame.y, frame.width, frame.height].map { scale.pointsText($0) }
            })
    }
}
