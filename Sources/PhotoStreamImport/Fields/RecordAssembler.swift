import PhotoStreamModel

/// Makes a record of field values: checks id and size, drops what else cannot be read.
struct RecordAssembler {
    /// A value that was dropped, before its place is known as line and column.
    struct DroppedValue {
        let field: ImportField
        let reason: String
        let offset: Int
    }

    private let mapping: FieldMapping
    private let captureTimes: CaptureTimeReader
    /// What was dropped from the last record.
    private(set) var dropped: [DroppedValue] = []

    init(_ options: ImportOptions) {
        mapping = options.mapping
        captureTimes = CaptureTimeReader(zone: options.zone)
    }

    /// The record that the values describe, and whether they give a size.
    ///
    /// - Throws: ``RecordProblem`` when there is no usable id or the size is wrong.
    mutating func assemble(
        _ fields: RecordFields
    ) throws(RecordProblem) -> (record: PhotoRecord, hasSize: Bool) {
        try assemble(fields, of: try id(in: fields))
    }

    /// The record of a known photo, whose id the values may have, too.
    ///
    /// - Throws: ``RecordProblem`` when they have another id or the size is wrong.
    mutating func assemble(
        _ fields: RecordFields, as id: PhotoID
    ) throws(RecordProblem) -> (record: PhotoRecord, hasSize: Bool) {
        if fields[.id].kind != .absent {
            let own = try self.id(in: fields)
            guard own == id else {
                throw RecordProblem("the id is \"\(own)\", not that of the address", at: fields[.id].start, of: .id)
            }
        }
        return try assemble(fields, of: id)
    }

    private mutating func assemble(
        _ fields: RecordFields, of id: PhotoID
    ) throws(RecordProblem) -> (record: PhotoRecord, hasSize: Bool) {
        dropped.removeAll(keepingCapacity: true)
        var record = PhotoRecord(id: id)
        do {
            record.size = try SizeReader.size(in: fields)
        } catch {
            var problem = error
            problem.id = record.id.rawValue
            throw problem
        }
        record.orientation = read(.orientation, in: fields, Self.orientation)
        record.takenAt = takenAt(in: fields)
        record.caption = text(.caption, as: .caption, in: fields)
        record.alt = text(.alt, as: .alt, in: fields)
        record.tags = tags(in: fields)
        record.location = text(.location, as: .location, in: fields)
        record.coordinate = coordinate(in: fields)
        record.contentHash = text(.contentHash, as: .contentHash, in: fields)
        record.placeholder = text(.placeholder, as: .placeholder, in: fields)
        record.color = color(in: fields)
        if case .set = record.size { return (record, true) }
        return (record, false)
    }

    private func id(in fields: RecordFields) throws(RecordProblem) -> PhotoID {
        let value = fields[.id]
        guard !fields.isEmpty(value) else {
            let source = mapping.isExplicit(.id) ? " (it is read from \"\(mapping.path(of: .id))\")" : ""
            throw RecordProblem("the id is missing" + source, at: nil, of: .id)
        }
        switch value.kind {
        case .array, .object, .true, .false:
            throw RecordProblem("the id is \(fields.shown(value)), neither text nor a number", at: value.start, of: .id)
        default: break
        }
        do {
            return try PhotoID(fields.text(of: value))
        } catch {
            throw RecordProblem(error.description, at: value.start, of: .id)
        }
    }

    private mutating func takenAt(in fields: RecordFields) -> FieldChange<CaptureTime> {
        let reader = captureTimes
        return read(.takenAt, in: fields) { bytes throws(ModelError) in
            guard let time = try reader.time(bytes) else {
                throw ModelError("\"\(String(decoding: bytes, as: UTF8.self).shortened)\" is not a date")
            }
            return time
        }
    }

    private mutating func color(in fields: RecordFields) -> FieldChange<RGBColor> {
        read(.color, in: fields) { bytes throws(ModelError) in
            try RGBColor(String(decoding: bytes.trimmedBlanks, as: UTF8.self))
        }
    }

    /// Reads a scalar; what is none, or what `body` refuses, is dropped.
    private mutating func read<Value>(
        _ field: ImportField,
        in fields: RecordFields,
        _ body: (UnsafeRawBufferPointer) throws(ModelError) -> Value
    ) -> FieldChange<Value> {
        let value = fields[field]
        guard value.kind != .absent else { return .keep }
        guard !fields.isEmpty(value) else { return .clear }
        guard value.isScalar else { return drop(field, value, "the value is \(fields.shown(value))") }
        let result = fields.withContent(of: value) { bytes -> Result<Value, ModelError> in
            do throws(ModelError) {
                return .success(try body(bytes))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let value): return .set(value)
        case .failure(let error): return drop(field, value, error.description)
        }
    }

    private mutating func text(
        _ field: ImportField, as kind: PhotoText, in fields: RecordFields
    ) -> FieldChange<String> {
        let value = fields[field]
        guard value.kind != .absent else { return .keep }
        guard value.kind != .null else { return .clear }
        guard value.isScalar else { return drop(field, value, "the value is \(fields.shown(value)), not text") }
        let result = fields.withContent(of: value) { bytes -> Result<String, ModelError> in
            do throws(ModelError) {
                return .success(try Self.trimmedText(bytes, kind))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let text): return text.isEmpty ? .clear : .set(text)
        case .failure(let error): return drop(field, value, error.description)
        }
    }

    private mutating func tags(in fields: RecordFields) -> FieldChange<[String]> {
        let value = fields[.tags]
        guard value.kind != .absent else { return .keep }
        guard !fields.isEmpty(value) else { return .clear }
        guard value.kind != .object else { return drop(.tags, value, "the value is an object, not tags") }
        do {
            let tags = try TagReader.tags(of: value, in: fields)
            return tags.isEmpty ? .clear : .set(tags)
        } catch {
            return drop(.tags, value, error.description)
        }
    }

    private mutating func coordinate(in fields: RecordFields) -> FieldChange<Coordinate> {
        let (latitude, longitude) = (fields[.latitude], fields[.longitude])
        guard latitude.kind != .absent || longitude.kind != .absent else { return .keep }
        switch (fields.isEmpty(latitude), fields.isEmpty(longitude)) {
        case (true, true): return .clear
        case (true, false): return drop(.longitude, longitude, "longitude is given without latitude")
        case (false, true): return drop(.latitude, latitude, "latitude is given without longitude")
        case (false, false): break
        }
        guard let north = Self.degrees(latitude, in: fields) else {
            return drop(.latitude, latitude, "latitude \(fields.shown(latitude)) is not a number")
        }
        guard let east = Self.degrees(longitude, in: fields) else {
            return drop(.longitude, longitude, "longitude \(fields.shown(longitude)) is not a number")
        }
        do {
            return .set(try Coordinate(latitude: north, longitude: east))
        } catch {
            let isLatitude = !(-90.0...90.0).contains(north)
            return drop(isLatitude ? .latitude : .longitude, isLatitude ? latitude : longitude, error.description)
        }
    }

    private mutating func drop<Value>(
        _ field: ImportField,
        _ value: FieldValue,
        _ reason: String
    ) -> FieldChange<Value> {
        dropped.append(DroppedValue(field: field, reason: reason, offset: value.start))
        return .keep
    }
}
