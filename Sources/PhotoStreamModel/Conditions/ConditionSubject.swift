/// A photo with all that conditions know of it: the example by which every fast path is tested.
///
///     var subject = ConditionSubject(photo, in: stream, today: today)
///     subject.photo.albums = ["Italy/2025"]
///     try Condition(parsing: "album:italy").matches(subject)  // true
package struct ConditionSubject: Sendable {
    /// The photo.
    package var photo: Photo
    /// The name of its stream.
    package var stream: StreamName
    /// The current day in the time zone of the server.
    package var today: CivilDate
    /// The day of its import in the time zone of the server; `nil` if it is unknown.
    package var addedOn: CivilDate?
    /// Whether a person moved it in its stream.
    package var isMoved = false
    /// Whether its imported file is gone.
    package var isVanished = false
    /// Whether another photo has the same picture.
    package var isDuplicate = false
    /// Returns the names of the nearest city in each language, and of its country; none in the middle of an ocean.
    package var placeNames: @Sendable (Coordinate) -> [String] = { _ in [] }

    /// Creates a subject with values that are usual for a photo.
    package init(_ photo: Photo, in stream: StreamName, today: CivilDate) {
        (self.photo, self.stream, self.today) = (photo, stream, today)
    }

    /// The kind of the file.
    package var fileType: ConditionFileType? {
        ConditionFileType(fileName: photo.file.name, duration: photo.duration)
    }

    /// The texts in which words are found.
    ///
    /// - Parameter fields: The fields that hold them.
    /// - Returns: The texts; each tag and person is one, and so are the folder and the name of the file.
    package func texts(in fields: PhotoFields) -> [String] {
        WordColumn.allCases.flatMap { fields.contains($0.field) ? $0.texts(of: photo) : [] }
    }

    /// Whether the photo is in a state.
    package func isIn(_ state: ConditionState) -> Bool {
        switch state {
        case .favourite: photo.isFavourite
        case .archived: photo.isArchived
        case .edited: !photo.editedFields.isEmpty
        case .moved: isMoved
        case .portrait, .landscape, .square, .panorama:
            photo.metricsSource != .assumed && state.isShape(of: photo.pixelSize)
        case .screenshot: photo.file.isScreenshot
        case .vanished: isVanished
        case .duplicate: isDuplicate
        case .video: fileType == .video
        }
    }
}

extension ConditionState {
    /// Whether it is a shape that a displayed size has.
    func isShape(of size: PixelSize) -> Bool {
        switch self {
        case .portrait: !size.isNearlySquare && size.height > size.width
        case .landscape: !size.isNearlySquare && size.width > size.height
        case .square: size.isNearlySquare
        case .panorama: max(size.width, size.height) >= 2 * min(size.width, size.height)
        case .favourite, .archived, .edited, .moved, .screenshot, .vanished, .duplicate, .video: false
        }
    }
}

extension Photo {
    /// The folder and the name of its file.
    var file: LocationPath { LocationPath(self.location ?? "") }
}

/// The folder and the name of a picture's file, out of its path or address.
///
///     LocationPath("https://example.org/2019/Italy/caf%C3%A9.jpg?size=3")  // folder "2019/Italy", name "café.jpg"
package struct LocationPath: Hashable, Sendable {
    /// The path of the folder without slashes at its ends; `nil` if there is none.
    package let folder: String?
    /// The name of the file; `nil` if there is none.
    package let name: String?

    /// Divides a path, or the path of an address without its host, query and escape sequences.
    package init(_ location: String) {
        var path = location.unicodeScalars[...]
        guard !location.utf8.starts(with: "data:".utf8) else {
            (folder, name) = (nil, nil)
            return
        }
        if let colon = path.firstIndex(of: ":"), path[colon...].starts(with: "://".unicodeScalars) {
            path = path[path.index(colon, offsetBy: 3)...].drop { $0 != "/" }
            path = path.prefix { $0 != "?" && $0 != "#" }
            path = PercentEscapes.decoded(String(path)).map { $0.unicodeScalars[...] } ?? path
        }
        let names = path.split(separator: "/").map { String($0) }
        let isFolder = path.last == "/"
        name = isFolder ? nil : names.last
        let folders = isFolder ? names : names.dropLast()
        folder = folders.isEmpty ? nil : folders.joined(separator: "/")
    }

    /// Whether it is a picture of a screen, by its names.
    var isScreenshot: Bool { Screenshot.isNamed(name, in: folder) }
}

extension PixelSize {
    /// Whether the sides differ by 1 percent of the longer one at most.
    package var isNearlySquare: Bool { 100 * abs(Int(width) - Int(height)) <= Int(max(width, height)) }

    /// Width divided by height in hundredths, rounded.
    package var ratioInHundredths: Int { (Int(width) * 200 + Int(height)) / (Int(height) * 2) }
}
