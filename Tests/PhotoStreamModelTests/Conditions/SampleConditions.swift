import PhotoStreamModel
import PhotoStreamTestSupport

/// Texts of conditions and photos, drawn from so few words that conditions match some photos and not others.
enum SampleConditions {
    static let today = CivilDate(daysSince1970: 20_786)  // 2026-11-29

    private static let words = [
        "beach", "Zürich", "sun", "IMG_1234", "海", "上海", "ปี", "новый", "Straße", "it’s", "σοφός", "한국", "2024年", "שלום",
    ]
    private static let tags = ["beach", "New York", "C++", "Ünïcode", "a\"b", "海", "🎉"]
    private static let cameras = ["Apple iPhone 12 Pro", "Canon EOS R5", "SONY ILCE-7M4"]
    private static let locations = [
        "2019/Italy/IMG_1234.JPG", "/photos/2021/Screenshots/a.png", "https://example.org/x/Zürich%20HB.dng?v=1",
        "IMG_0001.PNG",
        "beach.mp4", "Italy/2025/sun.heic",
    ]
    private static let values: [ConditionQualifier: [String]] = [
        .tag: ["beach", "\"New York\"", "new*", "*", "\"C++\"", "unicode", "\"a\"\"b\"", "海", "\"🎉\""],
        .album: ["Italy", "italy/2025", "Ita*", "*", "Italy/*", "\"my best\""],
        .stream: ["archive", "ARCH*", "\"two words\""],
        .camera: ["iphone", "\"iPhone 12\"", "can*", "ilce-7m4"], .lens: ["35mm", "rf*"],
        .folder: ["Italy", "2019/italy", "screen*", "/x/", "*", "2019/*"],
        .name: ["img_1234", "IMG*", "png", "\"Zürich HB\""],
        .text: ["sun", "zur*", "\"上海\"", "beach"],
        .rating: [">=4", "5", "-1..2", "..3", ">-1", "<0", "0"],
        .taken: [
            "2019", "2019..2021-05", ">2020", "<=2021-02", "last-30d", "LAST-2w", "last-1m", "last-8y", "2020-02-29",
            "..2019",
        ],
        .added: ["2026", "last-1d", "last-30d", ">=2026-11-01"],
        .near: ["47.37,8.54,20km", "0,179.9,50km", "\"-90, 0, 15000km\"", "47.37,8.54,999m"],
        .place: ["zurich", "\"new york\"", "schw*"],
        .within: ["45.8,5.9,47.8,10.5", "-10,170,10,-170", "-90,-180,90,180"],
        .type: ["jpg", "png", "RAW", "video", "heif"], .ratio: [">1", "16/9", "4:3", "0.5..0.8", "<1"],
        .width: [">=4000", "1..100", "4032"], .height: ["<3000", "3024.."],
        .has: ["caption", "TAGS", "position", "takenAt", "rating", "people", "size", "location"],
        .is: ConditionState.allCases.map(\.rawValue),
    ]

    /// Returns the text of a term that is not a group.
    static func term(using random: inout SplitMix64) -> String {
        if random.oneIn(3) {
            let word = random.element(of: words)
            switch random.int(in: 0...4) {
            case 0: return "\"\(word) \(random.element(of: words))\"" + (random.oneIn(3) ? "*" : "")
            case 1: return word + (random.oneIn(2) ? "*" : "＊")
            case 2: return "“\(word)”"
            default: return word
            }
        }
        let qualifier = random.element(of: ConditionQualifier.allCases)
        let name = random.oneIn(5) ? qualifier.rawValue.uppercased() : qualifier.rawValue
        return name + (random.oneIn(8) ? "：" : ":") + random.element(of: values[qualifier] ?? [])
    }

    /// Returns the text of a condition with a number of levels at most.
    static func text(depth: Int, using random: inout SplitMix64) -> String {
        guard depth > 0, !random.oneIn(3) else { return term(using: &random) }
        let parts = (0...random.int(in: 0...2)).map { _ in text(depth: depth - 1, using: &random) }
        switch random.int(in: 0...4) {
        case 0: return "-(\(parts.joined(separator: " ")))"
        case 1: return "（\(parts.joined(separator: "|"))）"
        case 2: return "(" + parts.joined(separator: " OR ") + " )"
        case 3: return parts.map { "(\($0))" }.joined(separator: " AND ")
        default: return "(" + parts.map { "－" + "(" + $0 + ")" }.joined(separator: "\u{3000}") + ")"
        }
    }

    /// Returns a photo with a context.
    static func subject(using random: inout SplitMix64) throws -> ConditionSubject {
        var photo = Photo(id: try PhotoID("photo"))
        func words(using random: inout SplitMix64) -> String {
            (0...random.int(in: 0...3)).map { _ in random.element(of: Self.words) }.joined(separator: " ")
        }
        if random.oneIn(2) { photo.title = words(using: &random) }
        if random.oneIn(2) { photo.caption = words(using: &random) }
        if random.oneIn(3) { photo.alt = words(using: &random) }
        if random.oneIn(2) { photo.tags = [random.element(of: tags), random.element(of: tags)] }
        if random.oneIn(4) { photo.people = [random.element(of: Self.words)] }
        if random.oneIn(2) { photo.camera = random.element(of: cameras) }
        if random.oneIn(2) { photo.lens = random.element(of: ["RF35mm F1.8", "35mm", "none"]) }
        if !random.oneIn(4) { photo.location = random.element(of: locations) }
        if random.oneIn(2) { photo.rating = random.int(in: -1...5) }
        if random.oneIn(6) { photo.duration = 1_500 }
        if !random.oneIn(4) { photo.takenAt = try time(using: &random) }
        if random.oneIn(2) {
            let places = [(47.3769, 8.5417), (40.7, -74), (0.1, 179.95), (-85, 20)]
            let place = random.element(of: places)
            photo.coordinate = try Coordinate(latitude: place.0, longitude: place.1)
        }
        let sizes = [(4032, 3024), (3024, 4032), (1000, 1005), (6000, 2000), (1920, 1080), (50, 60)]
        let size = random.element(of: sizes)
        if !random.oneIn(5) {
            photo.pixelSize = try PixelSize(width: size.0, height: size.1)
            photo.metricsSource = random.oneIn(5) ? .ratio : .measured
        }
        if random.oneIn(4) { photo.orientation = .right }
        if random.oneIn(4) { photo.editedFields.insert(.text(.title)) }
        var subject = ConditionSubject(
            photo, in: try StreamName(random.element(of: ["archive", "Archive", "two words"])), today: today)
        let albums = ["Italy", "Italy/2025", "My best", "italian"]
        if random.oneIn(2) { subject.photo.albums = [random.element(of: albums)] }
        if random.oneIn(2) { subject.addedOn = CivilDate(daysSince1970: 20_786 - random.int(in: 0...60)) }
        subject.photo.isFavourite = random.oneIn(3)
        subject.photo.isArchived = random.oneIn(4)
        subject.isMoved = random.oneIn(4)
        subject.isVanished = random.oneIn(4)
        subject.isDuplicate = random.oneIn(4)
        subject.placeNames = {
            $0.latitude > 45 ? ["Zürich", "Schweiz"] : $0.latitude > 40 ? ["New York", "USA"] : []
        }
        return subject
    }

    private static func time(using random: inout SplitMix64) throws -> CaptureTime {
        let day = random.oneIn(3) ? 20_786 - random.int(in: -2...40) : random.int(in: 17_800...20_800)
        let precision = random.element(of: [CaptureTime.Precision.year, .month, .day, .second])
        let date = CivilDate(daysSince1970: day)
        let first =
            switch precision {
            case .year: CivilDate(year: date.year, month: 1, day: 1)
            case .month: CivilDate(year: date.year, month: date.month, day: 1)
            default: date
            }
        let local = Int64(first?.daysSince1970 ?? day) * 86_400_000 + (precision == .second ? 82_800_000 : 0)
        return try CaptureTime(milliseconds: local, utcOffsetMinutes: nil, precision: precision)
    }
}
