/// The small properties of a photo that conditions read: its edits, the origin of its size, and its file.
struct AttributeTraits: Hashable, Sendable {
    /// Whether a person edited a field.
    let isEdited: Bool
    /// The origin of the size.
    let sizeSource: MetricsSource
    /// Whether it is a picture of a screen.
    let isScreenshot: Bool
    /// The kind of the file.
    let fileType: ConditionFileType?

    init(_ photo: Photo, file: LocationPath) {
        isEdited = !photo.editedFields.isEmpty
        sizeSource = photo.metricsSource
        isScreenshot = file.isScreenshot
        fileType = ConditionFileType(fileName: file.name, duration: photo.duration)
    }
}

// Stored as a number of 16 bits: from the lowest, the origin of the size (2 bits), the edits (1 bit), the picture of a
// screen (1 bit), and from the ninth bit on the kind of the file, counted from 1.
extension AttributeTraits {
    var packed: UInt16 {
        let type = fileType.flatMap { ConditionFileType.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        return UInt16(sizeSource.rawValue) | (isEdited ? 4 : 0) | (isScreenshot ? 8 : 0) | UInt16(type) << 8
    }

    /// Returns `nil` for a number that is not of traits.
    init?(packed: UInt16) {
        let type = Int(packed >> 8)
        guard packed & 0xF0 == 0, let source = MetricsSource(rawValue: UInt8(packed & 3)),
            type <= ConditionFileType.allCases.count
        else { return nil }
        (sizeSource, isEdited, isScreenshot) = (source, packed & 4 != 0, packed & 8 != 0)
        fileType = type > 0 ? ConditionFileType.allCases[type - 1] : nil
    }
}
