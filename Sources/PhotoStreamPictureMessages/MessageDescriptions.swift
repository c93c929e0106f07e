import PhotoStreamModel

extension PictureRequest {
    /// The message.
    package var bytes: [UInt8] { MessageCoder.bytes { coder throws(MessageError) in try coder.request(self) } }

    /// Reads a message.
    ///
    /// - Throws: ``MessageError``.
    package init(bytes: [UInt8]) throws(MessageError) {
        let coder = MessageCoder(reading: bytes)
        self = try coder.request(nil)
        try coder.end()
    }
}

extension PictureAnswer {
    /// The message.
    package var bytes: [UInt8] { MessageCoder.bytes { coder throws(MessageError) in try coder.answer(self) } }

    /// Reads a message and checks all values in it.
    ///
    /// - Throws: ``MessageError``.
    package init(bytes: [UInt8]) throws(MessageError) {
        let coder = MessageCoder(reading: bytes)
        self = try coder.answer(nil)
        try coder.end()
    }
}

// MARK: - Requests

extension MessageCoder {
    fileprivate func request(_ request: PictureRequest?) throws(MessageError) -> PictureRequest {
        var (number, decode) = (UInt8?.none, DecodeRequest?.none)
        var (name, names) = (PictureFileName?.none, [String]?.none)
        switch request {
        case .header(let file, let sidecars): (number, name, names) = (0, file, sidecars)
        case .decode(let request): (number, decode) = (1, request)
        case .hash(let file): (number, name) = (2, file)
        case nil: break
        }
        switch try self.number(number) {
        case 0: return .header(try fileName(name), sidecars: try list(names, of: text))
        case 1: return .decode(try decodeRequest(decode))
        case 2: return .hash(try fileName(name))
        default: throw MessageError()
        }
    }

    private func decodeRequest(_ request: DecodeRequest?) throws(MessageError) -> DecodeRequest {
        DecodeRequest(
            file: try fileName(request?.file), orientation: try orientation(request?.orientation),
            thumbnails: try list(request?.thumbnails, of: thumbnailKind), isMeasured: try flag(request?.isMeasured))
    }

    private func fileName(_ name: PictureFileName?) throws(MessageError) -> PictureFileName {
        PictureFileName(root: try text(name?.root), path: try text(name?.path))
    }

    /// An orientation; 0 for none.
    private func orientation(_ orientation: Orientation?) throws(MessageError) -> Orientation? {
        let value = try number(orientation?.rawValue)
        let orientation = Orientation(rawValue: value)
        return try checked(orientation, if: value == 0 || orientation != nil)
    }

    private func thumbnailKind(_ kind: ThumbnailKind?) throws(MessageError) -> ThumbnailKind {
        ThumbnailKind(try rawValue(kind?.size), as: try rawValue(kind?.format))
    }
}

// MARK: - Answers

extension MessageCoder {
    fileprivate func answer(_ answer: PictureAnswer?) throws(MessageError) -> PictureAnswer {
        var (number, header, picture) = (UInt8?.none, PictureHeader?.none, DecodedPicture?.none)
        var (content, failure) = (FileContent?.none, PictureFailure?.none)
        switch answer {
        case .header(let value): (number, header) = (0, value)
        case .decoded(let value): (number, picture) = (1, value)
        case .content(let value): (number, content) = (2, value)
        case .failed(let value): (number, failure) = (3, value)
        case nil: break
        }
        switch try self.number(number) {
        case 0: return .header(try self.header(header))
        case 1: return .decoded(try decoded(picture))
        case 2: return .content(try self.content(content))
        case 3: return .failed(PictureFailure(try rawValue(failure?.kind), reason: try text(failure?.reason)))
        default: throw MessageError()
        }
    }

    private func header(_ header: PictureHeader?) throws(MessageError) -> PictureHeader {
        PictureHeader(
            format: try rawValue(header?.format), size: try size(header?.size),
            orientation: try rawValue(header?.orientation), embedded: try metadata(header?.embedded),
            sidecar: try optional(header?.sidecar, of: metadata), preview: try optional(header?.preview, of: preview),
            film: try optional(header?.film, of: range), warnings: try list(header?.warnings, of: warning))
    }

    /// A range with at least one byte.
    private func range(_ range: Range<Int64>?) throws(MessageError) -> Range<Int64> {
        let (start, end) = (try number(range?.lowerBound), try number(range?.upperBound))
        return try checked(max(0, start)..<max(1, start, end), if: 0 <= start && start < end)
    }

    private func warning(_ warning: PictureWarning?) throws(MessageError) -> PictureWarning {
        PictureWarning(try rawValue(warning?.kind), reason: try text(warning?.reason))
    }

    private func preview(_ preview: PicturePreview?) throws(MessageError) -> PicturePreview {
        let preview = PicturePreview(
            placeholder: try list(preview?.placeholder), color: RGBColor(rawValue: try number(preview?.color.rawValue)))
        return try checked(preview, if: preview.placeholder.count <= 25)
    }

    private func decoded(_ picture: DecodedPicture?) throws(MessageError) -> DecodedPicture {
        let stamp = FileStamp(
            byteCount: try number(picture?.stamp.byteCount),
            modifiedNanoseconds: try number(picture?.stamp.modifiedNanoseconds))
        return DecodedPicture(
            stamp: try checked(stamp, if: stamp.byteCount >= 0), displayedSize: try size(picture?.displayedSize),
            orientation: try rawValue(picture?.orientation), measures: try optional(picture?.measures, of: measures),
            thumbnails: try list(picture?.thumbnails, of: thumbnail))
    }

    private func content(_ content: FileContent?) throws(MessageError) -> FileContent {
        FileContent(pictureHash: try hash(content?.pictureHash), fileHash: try hash(content?.fileHash))
    }

    private func hash(_ hash: [UInt8]?) throws(MessageError) -> [UInt8] {
        let hash = try list(hash)
        return try checked(hash, if: hash.count == FileContent.hashByteCount)
    }

    private func size(_ size: PixelSize?) throws(MessageError) -> PixelSize {
        let (width, height) = (try number(size?.width), try number(size?.height))
        return try made { try PixelSize(width: Int(width), height: Int(height)) }
    }

    private func measures(_ measures: PictureMeasures?) throws(MessageError) -> PictureMeasures {
        let measures = PictureMeasures(
            content: try content(measures?.content), placeholder: try list(measures?.placeholder),
            color: RGBColor(rawValue: try number(measures?.color.rawValue)))
        return try checked(measures, if: measures.placeholder.count <= 25)
    }

    private func thumbnail(_ thumbnail: Thumbnail?) throws(MessageError) -> Thumbnail {
        let thumbnail = Thumbnail(
            kind: try thumbnailKind(thumbnail?.kind), width: Int(try number(thumbnail.map { UInt32($0.width) })),
            height: Int(try number(thumbnail.map { UInt32($0.height) })), bytes: try list(thumbnail?.bytes))
        let sides = 1...Int(thumbnail.kind.size.rawValue)
        return try checked(thumbnail, if: sides ~= thumbnail.width && sides ~= thumbnail.height)
    }

    private func metadata(_ metadata: PictureMetadata?) throws(MessageError) -> PictureMetadata {
        var read = PictureMetadata()
        read.takenAt = try optional(metadata?.takenAt, of: time)
        read.title = try optional(metadata?.title, of: text)
        read.caption = try optional(metadata?.caption, of: text)
        read.keywords = try list(metadata?.keywords, of: text)
        read.rating = try optional(metadata?.rating, of: rating)
        read.coordinate = try optional(metadata?.coordinate, of: coordinate)
        read.camera = try optional(metadata?.camera, of: text)
        read.lens = try optional(metadata?.lens, of: text)
        read.aperture = try optional(metadata?.aperture, of: double)
        read.exposureTime = try optional(metadata?.exposureTime, of: double)
        read.iso = try optional(metadata?.iso, of: double)
        read.focalLength = try optional(metadata?.focalLength, of: double)
        read.people = try list(metadata?.people, of: text)
        read.duration = try optional(metadata?.duration, of: duration)
        read.codec = try optional(metadata?.codec) { codec throws(MessageError) in
            try text(codec, maximumByteCount: PictureMetadata.maximumCodecByteCount)
        }
        read.instant = try optional(metadata?.instant, of: number)
        read.contentIdentifier = try optional(metadata?.contentIdentifier, of: identifier)
        read.burstIdentifier = try optional(metadata?.burstIdentifier, of: identifier)
        return read
    }

    private func duration(_ duration: Double?) throws(MessageError) -> Double {
        let duration = try double(duration)
        return try checked(duration, if: duration.isFinite && duration > 0)
    }

    private func identifier(_ identifier: String?) throws(MessageError) -> String {
        try text(identifier, maximumByteCount: PictureMetadata.maximumIdentifierByteCount)
    }

    private func text(_ value: String?, maximumByteCount: Int) throws(MessageError) -> String {
        let text = try text(value)
        return try checked(text, if: text.utf8.count <= maximumByteCount)
    }

    private func rating(_ rating: Int?) throws(MessageError) -> Int {
        let rating = Int(try number(rating.map { Int8($0) }))
        return try checked(rating, if: -1...5 ~= rating)
    }

    private func time(_ time: CaptureTime?) throws(MessageError) -> CaptureTime {
        let milliseconds = try number(time?.milliseconds)
        let offset = try optional(time?.utcOffsetMinutes, of: minutes)
        let precision: CaptureTime.Precision = try rawValue(time?.precision)
        return try made {
            try CaptureTime(milliseconds: milliseconds, utcOffsetMinutes: offset, precision: precision)
        }
    }

    private func minutes(_ minutes: Int?) throws(MessageError) -> Int { Int(try number(minutes.map { Int16($0) })) }

    private func coordinate(_ coordinate: Coordinate?) throws(MessageError) -> Coordinate {
        let (latitude, longitude) = (try double(coordinate?.latitude), try double(coordinate?.longitude))
        return try made { try Coordinate(latitude: latitude, longitude: longitude) }
    }
}
