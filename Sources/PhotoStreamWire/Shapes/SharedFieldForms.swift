package import PhotoStreamModel

extension PhotoText {
    /// The form in which a share shows the text.
    var sharedForm: SharedForm? {
        switch self {
        // A client must know whether it can play a video.
        case .title, .caption, .alt, .placeholder, .codec: .plain
        // Names of files, and texts that describe the owner or the owner's devices.
        case .location, .contentHash, .camera, .lens: nil
        }
    }
}

extension PhotoNumber {
    /// The form in which a share shows the number.
    var sharedForm: SharedForm? {
        switch self {
        // A photo with a duration is a video.
        case .duration: .plain
        // They describe the owner's judgement and devices.
        case .rating, .iso, .aperture, .exposureTime, .focalLength: nil
        }
    }
}

extension PhotoList {
    /// The form in which a share shows the list.
    package var sharedForm: SharedForm? {
        switch self {
        case .tags: .plain
        // The names of others than the owner, and how the owner sorts.
        case .people, .albums: nil
        }
    }
}

extension PhotoField {
    /// The form in which a share shows the field.
    private var sharedForm: SharedForm? {
        switch self {
        case .size, .orientation, .takenAt, .color: .plain
        case .coordinate: .position
        case .stack: .photoID
        case .text(let text): text.sharedForm
        case .number(let number): number.sharedForm
        case .list(let list): list.sharedForm
        // The owner's judgement, as a rating is.
        case .flag: nil
        }
    }

    /// Whether a share shows the field.
    fileprivate func isShown(to audience: ShareAudience) -> Bool { sharedForm.map(audience.shows) ?? false }
}

extension ShareAudience {
    /// The values on which the share answers conditions.
    package var readable: ConditionInputs {
        ConditionInputs(PhotoFields(PhotoField.allCases.filter { $0.isShown(to: self) }))
    }
}
