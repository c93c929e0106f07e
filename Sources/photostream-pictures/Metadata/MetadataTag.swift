/// A place in a file, outside XMP, from which a field can come.
///
/// Each has a name in exiftool; those that our own reader knows also have a place in EXIF or a dataset in IPTC-IIM. The
/// values of both readers are texts in the notation of `exiftool -n`: decimal numbers, dates with colons.
enum MetadataTag: CaseIterable {
    case make, model, imageDescription, windowsTitle, windowsComment, windowsKeywords, windowsRating, orientation
    case userComment, lens, fNumber, aperture, exposureTime, shutterSpeed, iso, focalLength
    case original, originalOffset, originalFraction
    case digitized, digitizedOffset, digitizedFraction
    case changed, changedOffset, changedFraction
    case latitude, latitudeReference, longitude, longitudeReference, satelliteDate, satelliteTime
    case headline, caption, keywords, createdDate, createdTime, digitalDate, digitalTime
    case pngTitle, pngDescription, pngTime, pngChanged
    case videoTitle, videoDescription, videoKeywords, videoLocation, videoTime, videoInstant
    case videoWidth, videoHeight, displayWidth, displayHeight, videoDuration, videoCodec
    case contentIdentifier, burstIdentifier

    /// A place in EXIF.
    struct ExifPlace {
        var directory: ExifBlock.Directory
        var tag: Int32
        var notation: ExifBlock.Notation
    }

    /// The groups of metadata that cameras wrote before EXIF, and of raw files that are not built like a TIFF.
    private static let groupsBesideEXIF = ["CanonRaw", "CIFF", "PictureInfo", "SigmaRaw"]

    private static func names(_ name: String, in group: String) -> [String] {
        ([group] + groupsBesideEXIF).map { "\($0):\(name)" }
    }

    /// The groups of texts in QuickTime files, strongest first: by Apple's names, by those of iTunes, and older ones.
    private static let groupsOfMovies = ["Keys", "ItemList", "UserData"]

    private static func names(ofMovies name: String) -> [String] { groupsOfMovies.map { "\($0):\(name)" } }

    /// The names of the tag in exiftool, strongest first: a group of its first family, or of family 0, and a name.
    var exifToolNames: [String] {
        switch self {
        case .make:
            Self.names("Make", in: "IFD0") + Self.names(ofMovies: "Make")
                + ["Keys:AndroidManufacturer", "Keys:AndroidMake", "H264:Make", "XML:DeviceManufacturer"]
        case .model:
            Self.names("Model", in: "IFD0") + Self.names(ofMovies: "Model")
                + ["Keys:AndroidModel", "H264:Model", "XML:DeviceModelName"]
        case .imageDescription: ["IFD0:ImageDescription"]
        case .windowsTitle: ["IFD0:XPTitle"]
        case .windowsComment: ["IFD0:XPComment"]
        case .windowsKeywords: ["IFD0:XPKeywords"]
        case .windowsRating: ["IFD0:Rating"]
        case .orientation: ["IFD0:Orientation"]
        case .userComment: ["ExifIFD:UserComment"]
        case .lens: ["ExifIFD:LensModel"]
        case .fNumber: Self.names("FNumber", in: "ExifIFD")
        case .aperture: ["ExifIFD:ApertureValue"]
        case .exposureTime: Self.names("ExposureTime", in: "ExifIFD")
        case .shutterSpeed: ["ExifIFD:ShutterSpeedValue"]
        case .iso: Self.names("ISO", in: "ExifIFD")
        case .focalLength: Self.names("FocalLength", in: "ExifIFD")
        case .original: Self.names("DateTimeOriginal", in: "ExifIFD")
        case .originalOffset: ["ExifIFD:OffsetTimeOriginal"]
        case .originalFraction: ["ExifIFD:SubSecTimeOriginal"]
        case .digitized: ["ExifIFD:CreateDate"]
        case .digitizedOffset: ["ExifIFD:OffsetTimeDigitized"]
        case .digitizedFraction: ["ExifIFD:SubSecTimeDigitized"]
        case .changed: ["IFD0:ModifyDate"]
        case .changedOffset: ["ExifIFD:OffsetTime"]
        case .changedFraction: ["ExifIFD:SubSecTime"]
        case .latitude: ["GPS:GPSLatitude"]
        case .latitudeReference: ["GPS:GPSLatitudeRef"]
        case .longitude: ["GPS:GPSLongitude"]
        case .longitudeReference: ["GPS:GPSLongitudeRef"]
        case .satelliteDate: ["GPS:GPSDateStamp"]
        case .satelliteTime: ["GPS:GPSTimeStamp"]
        case .headline: ["IPTC:ObjectName"]
        case .caption: ["IPTC:Caption-Abstract"]
        case .keywords: ["IPTC:Keywords"]
        case .createdDate: ["IPTC:DateCreated"]
        case .createdTime: ["IPTC:TimeCreated"]
        case .digitalDate: ["IPTC:DigitalCreationDate"]
        case .digitalTime: ["IPTC:DigitalCreationTime"]
        case .pngTitle: ["PNG:Title"]
        case .pngDescription: ["PNG:Description", "PNG:Comment"]
        case .pngTime: ["PNG:CreationTime"]
        case .pngChanged: ["PNG:ModifyDate"]
        case .videoTitle: Self.names(ofMovies: "Title") + ["Matroska:Title", "RIFF:Title"]
        case .videoDescription:
            Self.names(ofMovies: "Description") + ["Matroska:Description"] + Self.names(ofMovies: "Comment")
                + ["Matroska:Comment", "RIFF:Comment"]
        case .videoKeywords: ["Keys:Keywords", "ItemList:Keyword"]
        case .videoLocation: Self.names(ofMovies: "GPSCoordinates") + ["UserData:LocationInformation"]
        case .videoTime:
            ["Keys:CreationDate", "ItemList:ContentCreateDate", "UserData:ContentCreateDate"]
                + ["XML:CreationDateValue", "H264:DateTimeOriginal", "RIFF:DateTimeOriginal"]
        case .videoInstant: ["Matroska:DateTimeOriginal"]
        case .videoWidth: Self.sides("ImageWidth")
        case .videoHeight: Self.sides("ImageHeight")
        case .displayWidth: ["Matroska:DisplayWidth"]
        case .displayHeight: ["Matroska:DisplayHeight"]
        case .videoDuration: ["Matroska:Duration", "M2TS:Duration", "Composite:Duration"]
        case .videoCodec: ["Matroska:CodecID", "RIFF:VideoCodec"]
        // The second is the name in some versions of exiftool.
        case .contentIdentifier: ["Keys:ContentIdentifier", "Apple:MediaGroupUUID", "Apple:ContentIdentifier"]
        case .burstIdentifier: ["Apple:BurstUUID"]
        }
    }

    private static func sides(_ name: String) -> [String] {
        ["Matroska", "RIFF", "H264", "MPEG"].map { "\($0):\(name)" }
    }

    /// The place in EXIF; `nil` for tags of other blocks.
    var exifPlace: ExifPlace? {
        func place(_ directory: ExifBlock.Directory, tag: Int32, as notation: ExifBlock.Notation = .text) -> ExifPlace {
            ExifPlace(directory: directory, tag: tag, notation: notation)
        }
        return switch self {
        case .make: place(.picture, tag: 0x010F)
        case .model: place(.picture, tag: 0x0110)
        case .imageDescription: place(.picture, tag: 0x010E)
        case .windowsTitle: place(.picture, tag: 0x9C9B, as: .wideText)
        case .windowsComment: place(.picture, tag: 0x9C9C, as: .wideText)
        case .windowsKeywords: place(.picture, tag: 0x9C9E, as: .wideText)
        case .windowsRating: place(.picture, tag: 0x4746, as: .number)
        case .orientation: place(.picture, tag: 0x0112, as: .number)
        case .userComment: place(.exif, tag: 0x9286, as: .comment)
        case .lens: place(.exif, tag: 0xA434)
        case .fNumber: place(.exif, tag: 0x829D, as: .fraction)
        case .aperture: place(.exif, tag: 0x9202, as: .apertureLogarithm)
        case .exposureTime: place(.exif, tag: 0x829A, as: .fraction)
        case .shutterSpeed: place(.exif, tag: 0x9201, as: .timeLogarithm)
        case .iso: place(.exif, tag: 0x8827, as: .number)
        case .focalLength: place(.exif, tag: 0x920A, as: .fraction)
        case .original: place(.exif, tag: 0x9003)
        case .originalOffset: place(.exif, tag: 0x9011)
        case .originalFraction: place(.exif, tag: 0x9291)
        case .digitized: place(.exif, tag: 0x9004)
        case .digitizedOffset: place(.exif, tag: 0x9012)
        case .digitizedFraction: place(.exif, tag: 0x9292)
        case .changed: place(.picture, tag: 0x0132)
        case .changedOffset: place(.exif, tag: 0x9010)
        case .changedFraction: place(.exif, tag: 0x9290)
        case .latitude: place(.gps, tag: 0x02, as: .degrees)
        case .latitudeReference: place(.gps, tag: 0x01)
        case .longitude: place(.gps, tag: 0x04, as: .degrees)
        case .longitudeReference: place(.gps, tag: 0x03)
        case .satelliteDate: place(.gps, tag: 0x1D)
        case .satelliteTime: place(.gps, tag: 0x07, as: .clock)
        case .headline, .caption, .keywords, .createdDate, .createdTime, .digitalDate, .digitalTime: nil
        case .pngTitle, .pngDescription, .pngTime, .pngChanged: nil
        case .contentIdentifier: place(.exif, tag: 0x927C, as: .appleText(0x0011))
        case .burstIdentifier: place(.exif, tag: 0x927C, as: .appleText(0x000B))
        case .videoTitle, .videoDescription, .videoKeywords, .videoLocation, .videoTime, .videoInstant: nil
        case .videoWidth, .videoHeight, .displayWidth, .displayHeight, .videoDuration, .videoCodec: nil
        }
    }

    /// The dataset in record 2 of IPTC-IIM; `nil` for tags of other blocks.
    var dataset: IPTCBlock.Dataset? {
        switch self {
        case .headline: IPTCBlock.Dataset(5)
        case .caption: IPTCBlock.Dataset(120)
        case .keywords: IPTCBlock.Dataset(25)
        case .createdDate: IPTCBlock.Dataset(55, notation: .date)
        case .createdTime: IPTCBlock.Dataset(60, notation: .time)
        case .digitalDate: IPTCBlock.Dataset(62, notation: .date)
        case .digitalTime: IPTCBlock.Dataset(63, notation: .time)
        default: nil
        }
    }
}

/// The values of tags, as texts.
typealias MetadataTags = [MetadataTag: [String]]
