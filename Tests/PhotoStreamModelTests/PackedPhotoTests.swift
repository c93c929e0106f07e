import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamModel

/// A photo as bytes is the photo.
@Suite struct PackedPhotoTests {
    private func text(_ generator: inout SplitMix64) -> String? {
        generator.element(of: [
            nil, "", "a", "\"quoted\\\"\n\u{0}\u{1F}", "Über dem Fluss", "👩‍👩‍👧‍👦", "e\u{301}",
            String(repeating: "x", count: 254), String(repeating: "y", count: 255), String(repeating: "ü", count: 128),
        ])
    }

    private func photo(_ generator: inout SplitMix64) throws -> Photo {
        var photo = Photo(id: PhotoID(stored: text(&generator) ?? "id"))
        photo.pixelSize = PixelSize(
            uncheckedWidth: Int32(generator.int(in: 1...1_000_000)), height: generator.element(of: [1, 7, .max, .min]))
        photo.metricsSource = generator.element(of: [.measured, .ratio, .assumed])
        photo.orientation = generator.element(of: Orientation.allCases)
        if !generator.oneIn(3) {
            photo.takenAt = try CaptureTime(
                milliseconds: Int64(generator.int(in: -60_000_000_000_000...250_000_000_000_000)),
                utcOffsetMinutes: generator.element(of: [nil, 0, -1_080, 1_080, 61]),
                precision: generator.element(of: [.year, .month, .day, .minute, .second, .millisecond]))
            photo.takenAtSource = generator.element(of: [nil] + CaptureTimeSource.allCases)
        }
        if generator.oneIn(2) {
            photo.coordinate = try Coordinate(
                latitude: generator.element(of: [-90, 0, 12.5, 1e-9]),
                longitude: generator.element(of: [-180, 0.1, 180]))
        }
        if generator.oneIn(2) { photo.color = RGBColor(rawValue: UInt32(generator.int(in: 0...0xFF_FFFF))) }
        if generator.oneIn(2) { photo.editedFields = PhotoFields(rawValue: UInt32(generator.int(in: 0...0xFFFF_FFFF))) }
        if generator.oneIn(2) { photo.fileFields = PhotoFields(rawValue: UInt32(generator.int(in: 0...0xFFFF_FFFF))) }
        if generator.oneIn(3) {
            photo.clearedFields = PhotoFields(rawValue: UInt32(generator.int(in: 0...0xFFFF_FFFF)))
        }
        photo.caption = text(&generator)
        photo.captionSource = generator.element(of: [nil, .imported, .person])
        for item in PhotoText.allCases where item != .caption { photo[item] = text(&generator) }
        for number in PhotoNumber.allCases {
            photo[number] = generator.element(of: [nil, number.range.lowerBound, 0, number.range.upperBound])
        }
        for list in PhotoList.allCases {
            photo[list] = (0..<generator.element(of: [0, 0, 1, 3, 5])).map { _ in text(&generator) ?? "tag" }
        }
        for flag in PhotoFlag.allCases { photo[flag] = generator.oneIn(3) }
        if generator.oneIn(3) {
            photo.stack = StackPlace(
                stored: text(&generator).flatMap { $0.isEmpty ? nil : $0 } ?? "stack", rank: generator.int(in: 0...500),
                kind: generator.element(of: StackKind.allCases))
        }
        return photo
    }

    @Test func `packing and unpacking restores any photo`() throws {
        var generator = SplitMix64(seed: 11)
        // Consecutive in one block of memory, as they are cached.
        var (all, ends): ([UInt8], [Int]) = ([], [0])
        var photos: [Photo] = []
        for _ in 0..<400 {
            let photo = try photo(&generator)
            photos.append(photo)
            PackedPhoto.append(photo, to: &all)
            ends.append(all.count)
        }
        for (position, photo) in photos.enumerated() {
            let part = PackedPhoto(packed: all[ends[position]..<ends[position + 1]])
            #expect(part.photo == photo)
            #expect(part.id == photo.id && part.isInStack == (photo.stack != nil))
            #expect(part == PackedPhoto(photo), "wherever it stands")
            #expect(part.hashValue == PackedPhoto(photo).hashValue)
        }
    }

    @Test func `long texts and many tags are unpacked unchanged`() throws {
        var photo = Photo(id: try PhotoID("long"))
        (photo.caption, photo.placeholder) = (String(repeating: "ü", count: 40_000), "after it")
        photo.tags = (0..<300).map { "tag \($0)" }
        photo.people = (0..<300).map { "person \($0)" }
        #expect(PackedPhoto(photo).photo == photo)
    }

    @Test func `a photo with an id and a time takes about forty bytes`() throws {
        var photo = Photo(id: try PhotoID("qne5as6ctwbn"))
        photo.takenAt = try CaptureTime(milliseconds: 1, utcOffsetMinutes: 60, precision: .second)
        var bytes: [UInt8] = []
        PackedPhoto.append(photo, to: &bytes)
        #expect(bytes.count == 36)
    }
}
