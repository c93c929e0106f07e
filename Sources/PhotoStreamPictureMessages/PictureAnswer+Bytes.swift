import PhotoStreamModel

extension PictureAnswer {
    /// The message.
    package var bytes: [UInt8] {
        var writer = MessageWriter()
        switch self {
        case .header(let header):
            writer.append(0 as UInt8)
            writer.append(header.format.rawValue)
            writer.append(header.size)
            writer.append(header.orientation.rawValue)
            writer.append(header.embedded)
            writer.append(header.sidecar) { $0.append($1) }
            writer.append(header.warnings) { $0.append($1) }
        case .decoded(let picture):
            writer.append(1 as UInt8)
            writer.append(picture.byteCount)
            writer.append(picture.modifiedNanoseconds)
            writer.append(picture.displayedSize)
            writer.append(picture.orientation.rawValue)
            writer.append(picture.measures) { writer, measures in
                writer.append(measures.contentHash)
                writer.append(measures.placeholder)
                writer.append(measures.color.rawValue)
            }
            writer.append(picture.thumbnails) { writer, thumbnail in
                writer.append(thumbnail.kind)
                writer.append(UInt32(thumbnail.width))
                writer.append(UInt32(thumbnail.height))
                writer.append(thumbnail.bytes)
            }
        case .hash(let hash):
            writer.append(2 as UInt8)
            writer.append(hash)
        case .failed(let failure):
            writer.append(3 as UInt8)
            writer.append(failure.kind.rawValue)
            writer.append(failure.reason)
        }
        return writer.bytes
    }

    /// Reads a message, and checks every value of it.
    ///
    /// - Throws: ``MessageError``.
    package init(bytes: [UInt8]) throws(MessageError) {
        var reader = MessageReader(bytes)
        switch try reader.integer(UInt8.self) {
        case 0: self = .header(try reader.header())
        case 1: self = .decoded(try reader.decoded())
        case 2: self = .hash(try reader.hash())
        case 3: self = .failed(PictureFailure(try reader.value(PictureFailure.Kind.self), reason: try reader.text()))
        default: throw MessageError()
        }
        try reader.end()
    }
}

extension MessageWriter {
    fileprivate mutating func append(_ size: PixelSize) {
        append(size.width)
        append(size.height)
    }

    fileprivate mutating func append(_ metadata: PictureMetadata) {
        append(metadata.takenAt) { writer, time in
            writer.append(time.milliseconds)
            writer.append(time.utcOffsetMinutes) { $0.append(Int16($1)) }
            writer.append(time.precision.rawValue)
        }
        append(metadata.title) { $0.append($1) }
        append(metadata.caption) { $0.append($1) }
        append(metadata.keywords) { $0.append($1) }
        append(metadata.rating) { $0.append(Int8($1)) }
        append(metadata.coordinate) { writer, coordinate in
            writer.append(coordinate.latitude)
            writer.append(coordinate.longitude)
        }
        append(metadata.camera) { $0.append($1) }
    }
}

extension MessageReader {
    fileprivate mutating func header() throws(MessageError) -> PictureHeader {
        let format = try value(PictureFormat.self)
        let size = try pixelSize()
        let orientation = try value(Orientation.self)
        let embedded = try metadata()
        let sidecar = try optional { reader throws(MessageError) in try reader.metadata() }
        let warnings = try list { reader throws(MessageError) in try reader.text() }
        return PictureHeader(
            format: format, size: size, orientation: orientation, embedded: embedded, sidecar: sidecar,
            warnings: warnings)
    }

    fileprivate mutating func decoded() throws(MessageError) -> DecodedPicture {
        let byteCount = try integer(Int64.self)
        let modified = try integer(Int64.self)
        let size = try pixelSize()
        let orientation = try value(Orientation.self)
        let measures = try optional { reader throws(MessageError) in try reader.measures() }
        let thumbnails = try list { reader throws(MessageError) in try reader.thumbnail() }
        guard byteCount >= 0 else { throw MessageError() }
        return DecodedPicture(
            byteCount: byteCount, modifiedNanoseconds: modified, displayedSize: size, orientation: orientation,
            measures: measures, thumbnails: thumbnails)
    }

    fileprivate mutating func hash() throws(MessageError) -> [UInt8] {
        let hash: [UInt8] = try list()
        guard hash.count == 32 else { throw MessageError() }
        return hash
    }

    private mutating func pixelSize() throws(MessageError) -> PixelSize {
        let (width, height) = (Int(try integer(Int32.self)), Int(try integer(Int32.self)))
        do {
            return try PixelSize(width: width, height: height)
        } catch {
            throw MessageError()
        }
    }

    private mutating func measures() throws(MessageError) -> PictureMeasures {
        let (hash, placeholder): ([UInt8], [UInt8]) = (try hash(), try list())
        guard placeholder.count <= 25 else { throw MessageError() }
        let color = RGBColor(rawValue: try integer(UInt32.self))
        return PictureMeasures(contentHash: hash, placeholder: placeholder, color: color)
    }

    private mutating func thumbnail() throws(MessageError) -> Thumbnail {
        let kind = try thumbnailKind()
        let (width, height) = (Int(try integer(UInt32.self)), Int(try integer(UInt32.self)))
        guard 1...Int(kind.size.rawValue) ~= width, 1...Int(kind.size.rawValue) ~= height else { throw MessageError() }
        return Thumbnail(kind: kind, width: width, height: height, bytes: try list())
    }

    private mutating func metadata() throws(MessageError) -> PictureMetadata {
        var metadata = PictureMetadata()
        metadata.takenAt = try optional { reader throws(MessageError) in try reader.time() }
        metadata.title = try optional { reader throws(MessageError) in try reader.text() }
        metadata.caption = try optional { reader throws(MessageError) in try reader.text() }
        metadata.keywords = try list { reader throws(MessageError) in try reader.text() }
        metadata.rating = try optional { reader throws(MessageError) in Int(try reader.integer(Int8.self)) }
        metadata.coordinate = try optional { reader throws(MessageError) in try reader.coordinate() }
        metadata.camera = try optional { reader throws(MessageError) in try reader.text() }
        guard metadata.rating.map({ -1...5 ~= $0 }) ?? true else { throw MessageError() }
        return metadata
    }

    private mutating func time() throws(MessageError) -> CaptureTime {
        let milliseconds = try integer(Int64.self)
        let offset = try optional { reader throws(MessageError) in Int(try reader.integer(Int16.self)) }
        let precision = try value(CaptureTime.Precision.self)
        do {
            return try CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: offset, precision: precision)
        } catch {
            throw MessageError()
        }
    }

    private mutating func coordinate() throws(MessageError) -> Coordinate {
        let (latitude, longitude) = (try double(), try double())
        do {
            return try Coordinate(latitude: latitude, longitude: longitude)
        } catch {
            throw MessageError()
        }
    }
}
