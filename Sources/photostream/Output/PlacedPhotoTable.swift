import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

/// Photos of a layout as a table: index, id, frame and caption.
struct PlacedPhotoTable {
    private var table = TextTable([
        .number("index"), TextTable.Column(title: "photo"), .number("x"), .number("y"), .number("width"),
        .number("height"), TextTable.Column(title: "taken"), TextTable.Column(title: "caption", maximumWidth: 400),
    ])

    /// The next photos as text.
    mutating func text(_ items: [PlacedPhoto], _ scale: DisplayScale) -> String {
        table.text(
            items.map { item in
                let frame = item.attributes.frame
                return [String(item.attributes.index), item.photo.id.rawValue]
                    + [frame.x, frame.y, frame.width, frame.height].map { scale.pointsText($0) }
                    + [item.photo.takenAt?.description ?? "", item.photo.caption ?? ""]
            })
    }
}
