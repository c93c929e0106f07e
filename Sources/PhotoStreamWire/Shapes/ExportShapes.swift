import PhotoStreamModel
package import PhotoStreamService

/// The first line of an export.
private struct ExportHeaderLine: WireObject {
    let order: StreamOrder

    static func describe(_ members: inout some MemberList<ExportHeaderLine>) {
        members.always(ExportFormat.name, about: "The version of the format.") { _ in ExportFormat.version }
        members.always("order", about: "The order of the stream.") { $0.order.rawValue }
    }
}

/// A moved photo in an export.
private struct MovedPhoto: WireObject {
    let photo: PackedPhotoFields
    let place: String

    static func describe(_ members: inout some MemberList<MovedPhoto>) {
        members.include { $0.photo }
        members.always("movedTo", about: "The date of the photo's place, or `undated`.") { $0.place }
    }
}

extension JSONWriter {
    /// Writes a line of an export, without its line ending.
    package mutating func value(_ line: ExportLine) {
        let context = WireContext.plain
        switch line {
        case .header(let order): ExportHeaderLine(order: order).write(to: &self, in: context)
        case .photo(let photo): value(photo)
        case .moved(let photo, let date):
            let place = date?.description ?? ExportFormat.undated
            PackedPhoto(photo).withFields { MovedPhoto(photo: $0, place: place).write(to: &self, in: context) }
        }
    }
}
