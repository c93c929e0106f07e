import PhotoStreamModel
import Testing

/// Applying records to stored photos.
@Suite struct PhotoApplyingTests {
    private let id: PhotoID
    /// A record that sets every field.
    private let full: PhotoRecord

    init() throws {
        id = try PhotoID("a")
        var record = PhotoRecord(id: id)
        record.size = .set(PhotoRecord.EncodedSize(try PixelSize(width: 400, height: 300)))
        record.orientation = .set(.up)
        record.takenAt = .set(try CaptureTime(milliseconds: 5, utcOffsetMinutes: nil, precision: .second))
        record.caption = .set("a caption")
        record.alt = .set("an alternative")
        record.tags = .set(["x", "y"])
        record.location = .set("a.jpg")
        record.coordinate = .set(try Coordinate(latitude: 1, longitude: 2))
        record.contentHash = .set("00ff")
        record.placeholder = .set("LEHV6n")
        record.color = .set(RGBColor(rawValue: 7))
        full = record
    }

    private func record(_ change: (inout PhotoRecord) -> Void) -> PhotoRecord {
        var record = PhotoRecord(id: id)
        change(&record)
        return record
    }

    /// A record that clears every field.
    private var clearing: PhotoRecord {
        record {
            $0.size = .clear
            $0.orientation = .clear
            $0.takenAt = .clear
            $0.caption = .clear
            $0.alt = .clear
            $0.tags = .clear
            $0.location = .clear
            $0.coordinate = .clear
            $0.contentHash = .clear
            $0.placeholder = .clear
            $0.color = .clear
        }
    }

    // MARK: Keep, set, clear

    @Test func `a record with only an id creates a photo of assumed size`() {
        let photo = Photo.applying(PhotoRecord(id: id), to: nil, by: .importer)
        #expect(photo == Photo(id: id))
        #expect(photo.pixelSize == .assumed && photo.metricsSource == .assumed)
        #expect(photo.orientation == .up && photo.tags.isEmpty && photo.captionSource == nil)
        #expect(photo.editedFields.isEmpty)
    }

    @Test func `every field of a record is set`() {
        let photo = Photo.applying(full, to: nil, by: .importer)
        #expect(photo.id == id)
        #expect(photo.pixelSize.description == "400x300" && photo.metricsSource == .measured)
        #expect(photo.takenAt?.milliseconds == 5)
        #expect(photo.caption == "a caption" && photo.captionSource == .imported)
        #expect(photo.alt == "an alternative" && photo.tags == ["x", "y"] && photo.location == "a.jpg")
        #expect(photo.coordinate?.longitude == 2 && photo.contentHash == "00ff" && photo.placeholder == "LEHV6n")
        #expect(photo.color == RGBColor(rawValue: 7))
    }

    @Test(arguments: [Photo.Author.importer, .person])
    func `a missing field keeps its value`(author: Photo.Author) {
        let stored = Photo.applying(full, to: nil, by: .importer)
        #expect(Photo.applying(PhotoRecord(id: id), to: stored, by: author) == stored)
    }

    @Test func `a cleared field equals that of a photo with only an id`() {
        let stored = Photo.applying(full, to: nil, by: .importer)
        #expect(Photo.applying(clearing, to: stored, by: .importer) == Photo(id: id))
        #expect(Photo.applying(clearing, to: nil, by: .importer) == Photo(id: id))
    }

    @Test(arguments: [Photo.Author.importer, .person])
    func `applying a record again changes nothing more`(author: Photo.Author) {
        for record in [full, clearing, PhotoRecord(id: id), record { $0.orientation = .set(.left) }] {
            let once = Photo.applying(record, to: nil, by: author)
            #expect(Photo.applying(record, to: once, by: author) == once)
        }
    }

    // MARK: Size and orientation

    @Test(arguments: Orientation.allCases)
    func `a record's size is that of the file, the photo's is as displayed`(orientation: Orientation) {
        var record = full
        record.orientation = .set(orientation)
        let photo = Photo.applying(record, to: nil, by: .importer)
        #expect(photo.pixelSize.description == (orientation.swapsSides ? "300x400" : "400x300"))
        #expect(photo.encodedSize.description == "400x300")
        #expect(photo.orientation == orientation)
    }

    @Test(arguments: Orientation.allCases, Orientation.allCases)
    func `a new orientation swaps the stored sides if it turns differently`(before: Orientation, after: Orientation) {
        var first = full
        first.orientation = .set(before)
        let stored = Photo.applying(first, to: nil, by: .importer)
        let photo = Photo.applying(record { $0.orientation = .set(after) }, to: stored, by: .importer)
        #expect(photo.pixelSize.description == (after.swapsSides ? "300x400" : "400x300"))
        #expect(photo.orientation == after && photo.metricsSource == .measured)
    }

    @Test(arguments: Orientation.allCases)
    func `a size without an orientation is turned by the stored one`(orientation: Orientation) throws {
        let stored = Photo.applying(record { $0.orientation = .set(orientation) }, to: nil, by: .importer)
        // Even an assumed size is the file's own.
        #expect(stored.pixelSize.description == (orientation.swapsSides ? "2x3" : "3x2"))
        let size = PhotoRecord.EncodedSize(try PixelSize(width: 85, height: 110), source: .ratio)
        let photo = Photo.applying(record { $0.size = .set(size) }, to: stored, by: .importer)
        #expect(photo.pixelSize.description == (orientation.swapsSides ? "110x85" : "85x110"))
        #expect(photo.metricsSource == .ratio)
    }

    @Test func `a cleared size is assumed, a cleared orientation is up`() {
        var turned = full
        turned.orientation = .set(.right)
        let stored = Photo.applying(turned, to: nil, by: .importer)
        let sizeless = Photo.applying(record { $0.size = .clear }, to: stored, by: .importer)
        #expect(sizeless.pixelSize.description == "2x3" && sizeless.metricsSource == .assumed)
        let upright = Photo.applying(record { $0.orientation = .clear }, to: stored, by: .importer)
        #expect(upright.pixelSize.description == "400x300" && upright.orientation == .up)
    }

    // MARK: Captions

    @Test(arguments: ["", " ", "\t\n", "\u{A0}\u{3000}", "\r\n"])
    func `a blank caption is removed`(caption: String) {
        let stored = Photo.applying(full, to: nil, by: .importer)
        for author in [Photo.Author.importer, .person] {
            let photo = Photo.applying(record { $0.caption = .set(caption) }, to: stored, by: author)
            #expect(photo.caption == nil && photo.captionSource == nil)
        }
    }

    @Test func `a caption's source names its author and is cleared with it`() {
        let stored = Photo.applying(full, to: nil, by: .importer)
        let edited = Photo.applying(record { $0.caption = .set(" mine ") }, to: stored, by: .person)
        #expect(edited.caption == " mine " && edited.captionSource == .person)
        let cleared = Photo.applying(record { $0.caption = .clear }, to: edited, by: .person)
        #expect(cleared.caption == nil && cleared.captionSource == nil)
    }

    // MARK: Precedence

    @Test func `a field edited by a person takes precedence over every import`() {
        let stored = Photo.applying(full, to: nil, by: .importer)
        let edited = Photo.applying(record { $0.caption = .set("mine") }, to: stored, by: .person)
        #expect(edited.editedFields == [.text(.caption)])
        var other = full
        other.caption = .set("theirs")
        other.alt = .set("new")
        let imported = Photo.applying(other, to: edited, by: .importer)
        #expect(imported.caption == "mine" && imported.captionSource == .person)
        #expect(imported.alt == "new")
        #expect(imported.editedFields == [.text(.caption)])
    }

    @Test func `an import that clears or sets everything keeps all edits by a person`() {
        let edited = Photo.applying(full, to: nil, by: .person)
        #expect(Photo.applying(clearing, to: edited, by: .importer) == edited)
        let cleared = Photo.applying(clearing, to: edited, by: .person)
        #expect(Photo.applying(full, to: cleared, by: .importer) == cleared)
    }

    @Test func `a field cleared by a person counts as edited`() {
        let stored = Photo.applying(full, to: nil, by: .importer)
        let cleared = Photo.applying(record { $0.tags = .clear }, to: stored, by: .person)
        #expect(cleared.tags.isEmpty && cleared.editedFields == [.list(.tags)])
        #expect(Photo.applying(full, to: cleared, by: .importer).tags.isEmpty)
    }

    @Test func `a person may edit a field again`() {
        let once = Photo.applying(record { $0.alt = .set("one") }, to: nil, by: .person)
        let twice = Photo.applying(record { $0.alt = .set("two") }, to: once, by: .person)
        #expect(twice.alt == "two" && twice.editedFields == [.text(.alt)])
    }

    @Test func `a size that a person set is still turned by an imported orientation`() {
        let stored = Photo.applying(record { $0.size = full.size }, to: nil, by: .person)
        let turned = Photo.applying(record { $0.orientation = .set(.left) }, to: stored, by: .importer)
        #expect(turned.pixelSize.description == "300x400" && turned.encodedSize.description == "400x300")
    }

    @Test func `an orientation that a person set turns an imported size`() {
        let stored = Photo.applying(record { $0.orientation = .set(.left) }, to: nil, by: .person)
        let sized = Photo.applying(full, to: stored, by: .importer)
        #expect(sized.orientation == .left && sized.pixelSize.description == "300x400")
    }
}
