import PhotoStreamModel
import PhotoStreamTestSupport

/// The value that one record gives for one field, as ``FieldChange``.
enum ModelChange<Value: Sendable>: Sendable {
    case keep, clear
    case set(Value)

    func text(_ name: String, _ value: (Value) -> String) -> String {
        switch self {
        case .keep: ""
        case .clear: ",\"\(name)\":null"
        case .set(let new): ",\"\(name)\":\(value(new))"
        }
    }

    func change<Other: Hashable & Sendable>(_ convert: (Value) throws -> Other) rethrows -> FieldChange<Other> {
        switch self {
        case .keep: .keep
        case .clear: .clear
        case .set(let new): .set(try convert(new))
        }
    }
}

/// A capture time: UTC milliseconds, the minutes that the local clock is ahead, and the smallest unit that is known.
struct ModelTime: Hashable {
    var milliseconds: Int64
    var offset: Int?
    var precision = CaptureTime.Precision.millisecond

    /// The order time of a photo of that time.
    var local: Int64 { milliseconds + Int64(offset ?? 0) * 60_000 }

    func captureTime() throws -> CaptureTime {
        try CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: offset, precision: precision)
    }
}

/// The sides of a picture in pixels.
struct ModelSize: Hashable {
    var width: Int
    var height: Int

    var turned: ModelSize { ModelSize(width: height, height: width) }
}

/// A place in quarters of a degree, which every number and text holds exactly.
struct ModelPlace: Hashable {
    var north: Int
    var east: Int

    func coordinate() throws -> Coordinate {
        try Coordinate(latitude: Double(north) / 4, longitude: Double(east) / 4)
    }
}

/// The values that an import or a person gives for a photo.
struct ModelRecord {
    var id: String
    var size = ModelChange<ModelSize>.keep
    var isTurned = ModelChange<Bool>.keep
    var time = ModelChange<ModelTime>.keep
    var caption = ModelChange<String>.keep
    var alt = ModelChange<String>.keep
    var place = ModelChange<ModelPlace>.keep

    init(id: String) {
        self.id = id
    }

    /// The record as the product takes it.
    func photoRecord() throws -> PhotoRecord {
        var record = PhotoRecord(id: try PhotoID(id))
        record.size = try size.change {
            PhotoRecord.EncodedSize(try PixelSize(width: Int($0.width), height: Int($0.height)))
        }
        record.orientation = isTurned.change { $0 ? .right : .up }
        record.takenAt = try time.change { try $0.captureTime() }
        record.caption = caption.change { $0 }
        record.alt = alt.change { $0 }
        record.coordinate = try place.change { try $0.coordinate() }
        return record
    }

    /// The record as a line of JSON.
    func json() throws -> String {
        let taken = try time.change { try $0.captureTime().description }
        let time: ModelChange<String> =
            switch taken {
            case .keep: .keep
            case .clear: .clear
            case .set(let text): .set(text)
            }
        return "{\"id\":\"\(id)\"" + size.text("width") { "\($0.width)" } + size.text("height") { "\($0.height)" }
            + isTurned.text("orientation") { $0 ? "6" : "1" } + time.text("takenAt") { "\"\($0)\"" }
            + caption.text("caption") { "\"\($0)\"" } + alt.text("alt") { "\"\($0)\"" }
            + place.text("latitude") { "\(Double($0.north) / 4)" }
            + place.text("longitude") { "\(Double($0.east) / 4)" }
            + "}"
    }
}

/// The fields that a person may have edited.
enum ModelField: Hashable {
    case size, turn, time, caption, alt, place
}

/// A photo as the rules of an upsert and of an edit make it; nothing of it is read back from the file.
struct ModelPhoto: Hashable {
    var id: String
    /// The displayed size.
    var size = ModelSize(width: 3, height: 2)
    var isTurned = false
    var time: ModelTime?
    var caption: String?
    /// Whether its row has a caption of nothing but spaces, which every answer leaves out.
    var hasBlankCaption = false
    var alt: String?
    var place: ModelPlace?
    var edited: Set<ModelField> = []

    init(id: String) {
        self.id = id
    }

    /// Takes a record in.
    mutating func apply(_ record: ModelRecord, byPerson: Bool) {
        func isOpen(_ field: ModelField) -> Bool { byPerson || !edited.contains(field) }
        var own = isTurned ? size.turned : size
        if isOpen(.size) {
            switch record.size {
            case .keep: break
            case .clear: own = ModelSize(width: 3, height: 2)
            case .set(let new): own = new
            }
        }
        if isOpen(.turn) { take(record.isTurned, into: &isTurned, cleared: false) }
        size = isTurned ? own.turned : own
        if isOpen(.time) { take(record.time.optional, into: &time, cleared: nil) }
        if isOpen(.caption) {
            take(record.caption.optional, into: &caption, cleared: nil)
            if let text = caption, text.allSatisfy({ $0 == " " }) { caption = nil }
        }
        if isOpen(.alt) { take(record.alt.optional, into: &alt, cleared: nil) }
        if isOpen(.place) { take(record.place.optional, into: &place, cleared: nil) }
        if byPerson { edited.formUnion(record.named) }
    }

    private func take<Value>(_ change: ModelChange<Value>, into value: inout Value, cleared: Value) {
        switch change {
        case .keep: break
        case .clear: value = cleared
        case .set(let new): value = new
        }
    }

    /// Its order time by its own date: the undated come last, and in manual order a time means nothing.
    func ownOrderTime(_ order: StreamOrder) -> Int64 {
        if order == .manual { return 0 }
        guard let time else { return Int64.min }
        let known: Int64 = time.precision == .year ? 0 : time.precision == .month ? 1 : 2
        return (order == .oldest ? -1 : 1) * (time.local * 4 + known)
    }

    /// The metrics that a layout reads of it with that order time.
    func metrics(orderTime: Int64, _ order: StreamOrder) -> ItemMetrics {
        ItemMetrics(
            pixelSize: PixelSize(uncheckedWidth: Int32(size.width), height: Int32(size.height)),
            hasCaption: caption != nil, orderDate: Self.date(orderTime: orderTime, order) ?? .undated,
            position: place.flatMap { try? $0.coordinate() }.map(WorldPosition.init))
    }

    /// The date of an order time, to the unit that is known.
    private static func date(orderTime: Int64, _ order: StreamOrder) -> OrderDate? {
        if order == .manual { return .unordered }
        if orderTime == Int64.min { return nil }
        let value = Int(order == .oldest ? -orderTime : orderTime)
        let precision = (value % 4 + 4) % 4
        let milliseconds = (value - precision) / 4
        let rest = (milliseconds % 86_400_000 + 86_400_000) % 86_400_000
        let day = (milliseconds - rest) / 86_400_000
        let date = NaiveSections.date(ofDay: day)
        guard rest == 0, precision < 2, date.day == 1 else { return OrderDate(day: day) }
        return precision == 0 && date.month == 1
            ? OrderDate(year: date.year) : OrderDate(year: date.year, month: date.month)
    }

    /// The difference between a photo that an answer shows and this one; `nil` if there is none.
    func difference(from photo: Photo) -> String? {
        var found = ModelPhoto(id: photo.id.rawValue)
        found.size = ModelSize(width: Int(photo.pixelSize.width), height: Int(photo.pixelSize.height))
        found.isTurned = photo.orientation.swapsSides
        found.time = photo.takenAt.map {
            ModelTime(milliseconds: $0.milliseconds, offset: $0.utcOffsetMinutes, precision: $0.precision)
        }
        (found.caption, found.alt, found.hasBlankCaption) = (photo.caption, photo.alt, hasBlankCaption)
        found.place = photo.coordinate.map {
            ModelPlace(north: Int($0.latitude * 4), east: Int($0.longitude * 4))
        }
        let fields: [(PhotoField, ModelField)] = [
            (.size, .size), (.orientation, .turn), (.takenAt, .time), (.text(.caption), .caption), (.text(.alt), .alt),
            (.coordinate, .place),
        ]
        found.edited = Set(fields.filter { photo.editedFields.contains($0.0) }.map(\.1))
        return found == self ? nil : "\(found), not \(self)"
    }
}

extension ModelChange {
    /// The same change of a value that may be missing.
    fileprivate var optional: ModelChange<Value?> {
        switch self {
        case .keep: .keep
        case .clear: .clear
        case .set(let new): .set(new)
        }
    }

    fileprivate var isNamed: Bool {
        if case .keep = self { return false }
        return true
    }
}

extension ModelRecord {
    fileprivate var named: Set<ModelField> {
        var fields: Set<ModelField> = []
        if size.isNamed { fields.insert(.size) }
        if isTurned.isNamed { fields.insert(.turn) }
        if time.isNamed { fields.insert(.time) }
        if caption.isNamed { fields.insert(.caption) }
        if place.isNamed { fields.insert(.place) }
        if alt.isNamed { fields.insert(.alt) }
        return fields
    }
}
