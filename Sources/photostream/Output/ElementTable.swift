import PhotoStreamLayout

/// Elements of a layout that are no photos, as a table: kind, index path, frame and zIndex.
struct ElementTable {
    private var table = TextTable([
        TextTable.Column(title: "element"), .number("section"), .number("item"), .number("x"), .number("y"),
        .number("width"), .number("height"), .number("zIndex"),
    ])

    /// Elements as text.
    mutating func text(_ elements: [LayoutAttributes], _ scale: DisplayScale) -> String {
        table.text(
            elements.map { element in
                let (frame, path) = (element.frame, element.indexPath)
                return [element.elementKind.name, String(path.section), String(path.item)]
                    + [frame.x, frame.y, frame.width, frame.height].map { scale.pointsText($0) }
                    + [String(element.zIndex)]
            })
    }
}
