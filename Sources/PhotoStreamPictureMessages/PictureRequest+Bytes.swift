import PhotoStreamModel

extension PictureRequest {
    /// The message.
    package var bytes: [UInt8] {
        var writer = MessageWriter()
        switch self {
        case .header(let file, let sidecars):
            writer.append(0 as UInt8)
            writer.append(file)
            writer.append(sidecars) { $0.append($1) }
        case .decode(let request):
            writer.append(1 as UInt8)
            writer.append(request.file)
            writer.append(request.orientation?.rawValue ?? 0)
            writer.append(request.thumbnails) { $0.append($1) }
            writer.append(request.isMeasured ? 1 as UInt8 : 0)
        case .hash(let file):
            writer.append(2 as UInt8)
            writer.append(file)
        }
        return writer.bytes
    }

    /// Reads a message.
    ///
    /// - Throws: ``MessageError``.
    package init(bytes: [UInt8]) throws(MessageError) {
        var reader = MessageReader(bytes)
        switch try reader.integer(UInt8.self) {
        case 0:
            let file = try reader.fileName()
            self = .header(file, sidecars: try reader.list { reader throws(MessageError) in try reader.text() })
        case 1:
            let file = try reader.fileName()
            let orientation = try reader.orientation()
            let thumbnails = try reader.list { reader throws(MessageError) in try reader.thumbnailKind() }
            let isMeasured = try reader.integer(UInt8.self) != 0
            self = .decode(
                DecodeRequest(file: file, orientation: orientation, thumbnails: thumbnails, isMeasured: isMeasured))
        case 2: self = .hash(try reader.fileName())
        default: throw MessageError()
        }
        try reader.end()
    }
}

extension MessageWriter {
    mutating func append(_ file: PictureFileName) {
        append(file.root)
        append(file.path)
    }

    mutating func append(_ kind: ThumbnailKind) {
        append(kind.size.rawValue)
        append(kind.format.rawValue)
    }
}

extension MessageReader {
    mutating func fileName() throws(MessageError) -> PictureFileName {
        PictureFileName(root: try text(), path: try text())
    }

    mutating func thumbnailKind() throws(MessageError) -> ThumbnailKind {
        ThumbnailKind(try value(ThumbnailSize.self), as: try value(ThumbnailFormat.self))
    }

    /// An orientation; 0 for none.
    mutating func orientation() throws(MessageError) -> Orientation? {
        let value = try integer(UInt8.self)
        guard value != 0 else { return nil }
        guard let orientation = Orientation(rawValue: value) else { throw MessageError() }
        return orientation
    }
}
