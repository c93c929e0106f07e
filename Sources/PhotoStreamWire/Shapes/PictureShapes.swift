import PhotoStreamModel
package import PhotoStreamService

extension PictureStatus: WireObject {
    package static let shape = Shape<PictureStatus>(
        nil,
        members: [
            .always("streams", about: "The streams, by name.") { $0.streams },
            .always("store", about: "The path of the file with the thumbnails.") { $0.storePath },
            .always("stored", about: "The pictures with stored thumbnails.") { $0.storedCount },
            .always("bytes", about: "The bytes that they take.") { $0.storedBytes },
            .always("budget", about: "The bytes that they may take without a setting.") { $0.standardBudget },
        ])
}

extension PictureStatus.Stream: WireObject {
    package static let shape = Shape<PictureStatus.Stream>(
        nil,
        members: [.always("stream", about: "The stream's name.") { $0.name.rawValue }]
            + StreamPictures.shape.members(of: \.pictures) + [
                .always("reasons", about: "The reasons of failures, the most frequent first.") { $0.reasons }
            ])
}

extension PictureStatus.Reason: WireObject {
    package static let shape = Shape<PictureStatus.Reason>(
        nil,
        members: [
            .always("reason", about: "One sentence.") { $0.text },
            .always("count", about: "The number of pictures.") { $0.count },
        ])
}

extension PictureProgress: WireObject {
    package static let shape = Shape<PictureProgress>(
        nil,
        members: [
            .always("made", about: "Pictures that were decoded.") { $0.madeCount },
            .always("failed", about: "Pictures that cannot be decoded.") { $0.failedCount },
            .always("skipped", about: "Photos that needed no decode, or have no file here.") { $0.skippedCount },
            .always("remaining", about: "Photos that were not looked at.") { $0.remainingCount },
        ])
}
