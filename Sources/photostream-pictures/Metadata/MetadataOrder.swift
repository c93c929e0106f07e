/// A place in a file or a sidecar from which a field can come.
enum MetadataPlace {
    /// A property of XMP.
    case xmp(XMPName)
    /// A tag outside XMP.
    case tag(MetadataTag)
}

/// The places of each field in a file, strongest first; Importing.md has the same table.
///
/// It follows the Metadata Working Group's "Guidelines for Handling Image Metadata" 2.0 (2010), sections 3.3 and 5, except
/// that XMP precedes the other blocks for texts, as in exiftool: programs that write only one of them write XMP.
enum MetadataOrder {
    static let title: [MetadataPlace] = [
        .xmp(.title), .tag(.headline), .tag(.windowsTitle), .tag(.pngTitle), .tag(.videoTitle),
    ]
    static let caption: [MetadataPlace] = [
        .xmp(.description), .tag(.caption), .tag(.imageDescription), .tag(.windowsComment), .tag(.userComment),
        .tag(.pngDescription), .tag(.videoDescription),
    ]
    /// The values of all these places together.
    static let keywords: [MetadataPlace] = [
        .xmp(.hierarchicalSubject), .xmp(.tagsList), .xmp(.lastKeyword), .xmp(.lastKeywordOld), .xmp(.subject),
        .tag(.keywords), .tag(.windowsKeywords), .tag(.videoKeywords),
    ]
    static let rating: [MetadataPlace] = [.xmp(.rating), .tag(.windowsRating)]
    static let make: [MetadataPlace] = [.tag(.make), .xmp(.make)]
    static let model: [MetadataPlace] = [.tag(.model), .xmp(.model)]
    static let lens: [MetadataPlace] = [.tag(.lens), .xmp(.lensModel), .xmp(.lens)]
    static let aperture: [MetadataPlace] = [.tag(.fNumber), .xmp(.fNumber), .tag(.aperture)]
    static let exposureTime: [MetadataPlace] = [.tag(.exposureTime), .xmp(.exposureTime), .tag(.shutterSpeed)]
    static let iso: [MetadataPlace] = [.tag(.iso), .xmp(.sensitivity), .xmp(.iso)]
    static let focalLength: [MetadataPlace] = [.tag(.focalLength), .xmp(.focalLength)]
    static let contentIdentifier: [MetadataPlace] = [.tag(.contentIdentifier)]
    static let burstIdentifier: [MetadataPlace] = [.tag(.burstIdentifier), .xmp(.burstID)]

    /// A time, with the tags that contain its parts.
    struct Time {
        var date: MetadataPlace
        var clock: MetadataTag?
        var offset: MetadataTag?
        var fraction: MetadataTag?

        init(_ date: MetadataPlace, clock: MetadataTag? = nil, offset: MetadataTag? = nil, fraction: MetadataTag? = nil)
        {
            (self.date, self.clock, self.offset, self.fraction) = (date, clock, offset, fraction)
        }
    }

    /// The times by rank: when the picture was taken, and when it was digitized.
    ///
    /// The first rank with a time counts. Within it, the first time counts, refined by later ones that agree with it and
    /// are more precise.
    static let times: [[Time]] = [
        [
            Time(.tag(.videoTime)), Time(.tag(.original), offset: .originalOffset, fraction: .originalFraction),
            Time(.xmp(.dateCreated)),
            Time(.xmp(.dateTimeOriginal)), Time(.tag(.createdDate), clock: .createdTime),
        ],
        [
            Time(.tag(.digitized), offset: .digitizedOffset, fraction: .digitizedFraction), Time(.xmp(.createDate)),
            Time(.xmp(.dateTimeDigitized)), Time(.tag(.digitalDate), clock: .digitalTime),
        ],
    ]
    /// The times that count if there are no others, not even that of satellites: when the file was made or changed.
    static let laterTimes: [[Time]] = [
        [Time(.tag(.pngTime))],
        [Time(.tag(.changed), offset: .changedOffset, fraction: .changedFraction), Time(.tag(.pngChanged))],
    ]
}
