import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamModel

/// The table of fields, and every rule that holds for each of them.
@Suite struct PhotoFieldTests {
    private let id = PhotoID(stored: "a")

    @Test func `bits, names, members and columns are unique`() {
        let rows = PhotoField.allCases.map(\.row)
        #expect(Set(rows.map(\.bit)).count == rows.count)
        #expect(rows.allSatisfy { $0.bit < 32 })
        for names in [rows.map(\.name.description), rows.flatMap(\.members).map(\.description)] {
            #expect(Set(names).count == names.count)
        }
        let columns = rows.flatMap(\.columns).map(\.description)
        #expect(Set(columns).count == columns.count)
    }

    @Test func `each text, each number and each list has its own value`() {
        var texts = PerText(repeating: -1)
        var numbers = PerNumber(repeating: -1)
        for text in PhotoText.allCases { texts[text] = text.rawValue }
        for number in PhotoNumber.allCases { numbers[number] = number.rawValue }
        var lists = PerList(repeating: -1)
        for list in PhotoList.allCases { lists[list] = list.rawValue }
        #expect(PhotoList.allCases.map { lists[$0] } == Array(0..<PhotoList.count))
        #expect(Mirror(reflecting: lists).children.map(\.label) == PhotoList.allCases.map(\.name.description))
        #expect(PhotoText.allCases.map { texts[$0] } == Array(0..<PhotoText.count))
        #expect(PhotoNumber.allCases.map { numbers[$0] } == Array(0..<PhotoNumber.count))
        #expect(Mirror(reflecting: texts).children.map(\.label) == PhotoText.allCases.map(\.name.description))
        #expect(Mirror(reflecting: numbers).children.map(\.label) == PhotoNumber.allCases.map(\.name.description))
        #expect(PhotoText.count + PhotoNumber.count <= 15, "the bits of PackedPhotoFlags")
    }

    @Test(arguments: PhotoField.allCases)
    func `a record sets, keeps and clears the field`(field: PhotoField) throws {
        let bare = Photo.applying(PhotoRecord(id: id), to: nil, by: .importer)
        let first = try PhotoRecord(id: id, setting: field)
        let set = Photo.applying(first, to: bare, by: .importer)
        #expect(set != bare)
        #expect(set.editedFields.isEmpty)
        #expect(Photo.applying(first, to: set, by: .importer) == set)
        #expect(Photo.applying(PhotoRecord(id: id), to: set, by: .importer) == set)
        let second = try PhotoRecord(id: id, setting: field, isSecond: true)
        let changed = Photo.applying(second, to: set, by: .importer)
        // A Boolean has no third value.
        #expect(changed != set && (changed == bare) == (field.isFlag))
        #expect(Photo.applying(PhotoRecord(id: id, clearing: field), to: changed, by: .importer) == bare)
    }

    @Test(arguments: PhotoField.allCases)
    func `an edit marks only the field, and no import reverts it`(field: PhotoField) throws {
        let everything = try PhotoField.allCases.reduce(Photo(id: id)) { photo, field in
            Photo.applying(try PhotoRecord(id: id, setting: field), to: photo, by: .importer)
        }
        let edited = Photo.applying(
            try PhotoRecord(id: id, setting: field, isSecond: true), to: everything, by: .person)
        #expect(edited.editedFields == PhotoFields(field))
        let cleared = Photo.applying(PhotoRecord(id: id, clearing: field), to: everything, by: .person)
        #expect(cleared.editedFields == PhotoFields(field))
        for photo in [edited, cleared] {
            var last = photo
            for other in PhotoField.allCases {
                last = Photo.applying(try PhotoRecord(id: id, setting: other), to: last, by: .importer)
            }
            #expect(last == photo)
            last = Photo.applying(PhotoRecord(id: id, clearing: field), to: last, by: .importer)
            #expect(last == photo)
        }
    }

    @Test(arguments: PhotoField.allCases)
    func `a record that replaces the photo clears every other field`(field: PhotoField) throws {
        let everything = try PhotoField.allCases.reduce(Photo(id: id)) { photo, field in
            Photo.applying(try PhotoRecord(id: id, setting: field), to: photo, by: .importer)
        }
        let whole = try PhotoRecord(id: id, setting: field)
        #expect(
            Photo.applying(whole.replacingAll, to: everything, by: .importer)
                == Photo.applying(whole, to: nil, by: .importer))
    }

    @Test(arguments: PhotoField.allCases)
    func `packing keeps the field`(field: PhotoField) throws {
        for isSecond in [false, true] {
            let record = try PhotoRecord(id: id, setting: field, isSecond: isSecond)
            let photo = Photo.applying(record, to: nil, by: .person)
            #expect(PackedPhoto(photo).photo == photo)
        }
    }

    @Test(arguments: PhotoNumber.allCases)
    func `a number out of range is refused`(number: PhotoNumber) throws {
        var record = PhotoRecord(id: id)
        for value in Set([number.range.lowerBound, 0, 1, number.range.upperBound]) where number.range.contains(value) {
            record[number] = .set(value)
            try record.check()
        }
        for value in [number.range.lowerBound - 1, number.range.upperBound + 1, .min, .max] {
            record[number] = .set(value)
            #expect(throws: ModelError.self) { try record.check() }
        }
        record.rating = .set(9)
        #expect(throws: ModelError("\"9\" is not a rating from -1 to 5")) { try record.check() }
    }

    @Test(
        arguments: [
            (.aperture, 178, "1.78"), (.aperture, 280, "2.8"), (.aperture, 1_600, "16"), (.aperture, 1, "0.01"),
            (.focalLength, 425, "4.25"), (.exposureTime, 125, "0.000125"), (.exposureTime, 4_000, "0.004"),
            (.exposureTime, 30_000_000, "30"), (.iso, 100, "100"), (.rating, -1, "-1"), (.aperture, 0, "0"),
            (.aperture, -5, "-0.05"), (.aperture, -1_250, "-12.5"),
        ] as [(PhotoNumber, Int, String)])
    func `a number is written as its shortest decimal`(number: PhotoNumber, value: Int, text: String) {
        #expect(number.text(of: value) == text)
    }

    @Test(arguments: PhotoNumber.allCases)
    func `the decimal of a number is its value`(number: PhotoNumber) throws {
        var random = SplitMix64(seed: UInt64(number.rawValue))
        for _ in 0..<500 {
            let value = random.int(in: number.range)
            let decimal = try #require(Double(number.text(of: value)))
            let unit = (0..<number.decimalPlaces).reduce(1.0) { unit, _ in unit * 10 }
            #expect(decimal == Double(value) / unit)
            #expect(!number.text(of: value).contains(".") || number.text(of: value).last != "0")
        }
    }

    @Test func `messages about numbers have the units of people`() {
        #expect(
            throws: ModelError("\"0\" is not an exposure time in seconds from 0.000001 to 2147")
        ) { try PhotoNumber.exposureTime.check(0) }
        #expect(throws: ModelError("\"1000.01\" is not an f-number from 0.01 to 1000")) {
            try PhotoNumber.aperture.check(100_001)
        }
    }

    @Test func `a set of fields behaves like a set`() {
        let all = PhotoField.allCases
        for (position, field) in all.enumerated() {
            var fields: PhotoFields = [field]
            #expect(fields.contains(field) && !fields.isEmpty)
            let other = all[(position + 1) % all.count]
            #expect(!fields.contains(other))
            #expect(fields.insert(other).inserted && !fields.insert(other).inserted)
            #expect(fields == [other, field])
            #expect(fields.subtracting([field]) == [other])
            #expect(fields.symmetricDifference([field]) == [other] && fields.intersection([field]) == [field])
            #expect(fields.remove(field) == field && fields.remove(field) == nil)
            #expect(fields == PhotoFields(other))
        }
        #expect(PhotoFields(rawValue: 1 << 31).union([.list(.tags)]).rawValue == 1 << 31 | 1 << 5)
    }
}
