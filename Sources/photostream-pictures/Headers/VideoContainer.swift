/// The container formats of videos.
enum VideoContainer: CaseIterable {
    /// ISO base media and QuickTime: MP4, MOV, 3GP.
    case iso
    /// Matroska and WebM.
    case matroska
    /// AVI.
    case avi
    /// MPEG-2 transport streams, also with the time codes of cameras (M2TS).
    case transportStream
    /// MPEG programme streams.
    case programStream
    /// MPEG-1 and MPEG-2 video without a container.
    case elementaryStream

    /// The number of packets of a transport stream that must begin as such.
    private static let packetCount = 5

    /// Recognizes a container by the first bytes of a file.
    ///
    /// - Parameter head: The bytes; those of pictures in ISO files are recognized, too.
    init?(_ head: [UInt8]) {
        if head.has("ftyp", at: 4) || Self.isOldQuickTime(head) {
            self = .iso
        } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = .matroska
        } else if head.has("RIFF", at: 0), head.has("AVI ", at: 8) {
            self = .avi
        } else if Self.isTransportStream(head, packetByteCount: 188, offset: 0)
            || Self.isTransportStream(head, packetByteCount: 192, offset: 4)
        {
            self = .transportStream
        } else if head.starts(with: [0, 0, 1, 0xBA]) {
            self = .programStream
        } else if head.starts(with: [0, 0, 1, 0xB3]) {
            self = .elementaryStream
        } else {
            return nil
        }
    }

    /// Whether the file begins with a box of QuickTime before the standard; a text that contains its name at the same
    /// place does not begin with a zero.
    private static func isOldQuickTime(_ head: [UInt8]) -> Bool {
        if head.has("mdat", at: 4) { return true }
        return head.first == 0
            && (head.has("moov", at: 4) || head.has("wide", at: 4) || head.has("free", at: 4)
                || head.has("skip", at: 4))
    }

    private static func isTransportStream(_ head: [UInt8], packetByteCount: Int, offset: Int) -> Bool {
        (0..<packetCount).allSatisfy {
            head.number(at: offset + $0 * packetByteCount, count: 1, isBigEndian: true) == 0x47
        }
    }

    /// The name of its reader in ffmpeg.
    var demuxer: String {
        switch self {
        case .iso: "mov"
        case .matroska: "matroska"
        case .avi: "avi"
        case .transportStream: "mpegts"
        case .programStream: "mpeg"
        case .elementaryStream: "mpegvideo"
        }
    }
}
