import Foundation
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

@testable import PhotoStreamPictures

@Suite struct FileNameDateTests {
    /// India, half an hour off the others.
    private static let kolkata = TimeZone(secondsFromGMT: 19_800) ?? .gmt

    private func parsed(_ name: String) -> CaptureTime? {
        FileNameDate.time(in: name, zone: Self.kolkata, currentYear: 2026)
    }

    @Test(arguments: [
        ("IMG_20231104_153012.jpg", "2023-11-04T15:30:12"), ("IMG_20231104_153012_123.jpg", "2023-11-04T15:30:12"),
        ("IMG_20231104_153012~2.jpg", "2023-11-04T15:30:12"), ("MVIMG_20231104_153012.jpg", "2023-11-04T15:30:12"),
        ("PANO_20231104_153012.jpg", "2023-11-04T15:30:12"), ("VID_20231104_153012.mp4", "2023-11-04T15:30:12"),
        ("20231104_153012.jpg", "2023-11-04T15:30:12"), ("20231104_153012(0).jpg", "2023-11-04T15:30:12"),
        ("2023-11-04 15.30.12.jpg", "2023-11-04T15:30:12"), ("2023-11-04 15.30.12-1.jpg", "2023-11-04T15:30:12"),
        ("WIN_20231104_15_30_12_Pro.jpg", "2023-11-04T15:30:12"),
        ("WhatsApp Image 2023-11-04 at 15.30.12.jpeg", "2023-11-04T15:30:12"),
        ("WhatsApp Image 2023-11-04 at 3.30.12 PM.jpeg", "2023-11-04T15:30:12"),
        ("WhatsApp Image 2023-11-04 at 15.30.12 (1).jpeg", "2023-11-04T15:30:12"),
        ("WhatsApp Image 2023-11-04 at 3.30.12 PM (1).jpeg", "2023-11-04T15:30:12"),
        ("WhatsApp Video 2023-11-04 at 12.30.12 AM.mp4", "2023-11-04T00:30:12"),
        ("20231104_153012 am See.jpg", "2023-11-04T15:30:12"),
        ("2023-11-04 12.30.12 am See.jpg", "2023-11-04T12:30:12"),
        ("2023-11-04 at 3.30.12 PM copy.jpg", "2023-11-04T15:30:12"),
        ("2023-11-04 at 3.30.12 AM copy.jpg", "2023-11-04T03:30:12"),
        ("Screen Shot 2023-11-04 at 3.30.12 PM.png", "2023-11-04T15:30:12"),
        ("Screenshot 2023-11-04 at 3.30.12\u{202F}PM.png", "2023-11-04T15:30:12"),
        ("Screenshot 2023-11-04 at 12.30.12 p.m..png", "2023-11-04T12:30:12"),
        ("Screenshot 2023-11-04 at 15.30.12.png", "2023-11-04T15:30:12"),
        ("Bildschirmfoto 2023-11-04 um 15.30.12.png", "2023-11-04T15:30:12"),
        ("Capture d\u{2019}écran 2023-11-04 à 15.30.12.png", "2023-11-04T15:30:12"),
        ("Screenshot_20231104-153012.png", "2023-11-04T15:30:12"),
        ("Screenshot_20231104_153012_Chrome.jpg", "2023-11-04T15:30:12"),
        ("Screenshot_2023-11-04-15-30-12.png", "2023-11-04T15:30:12"),
        ("Screenshot_2023-11-04-15-30-12-345_com.app.jpg", "2023-11-04T15:30:12.345"),
        ("signal-2023-11-04-153012.jpg", "2023-11-04T15:30:12"),
        ("signal-2023-11-04-15-30-12-345.jpg", "2023-11-04T15:30:12.345"),
        ("photo_2023-11-04_15-30-12.jpg", "2023-11-04T15:30:12"),
        ("C360_2023-11-04-15-30-12-345.jpg", "2023-11-04T15:30:12.345"),
        ("C360_2023-11-04-15-30-12.jpg", "2023-11-04T15:30:12"),
        ("DSC_0001_BURST20230709220904977.JPG", "2023-07-09T22:09:04.977"),
        ("00100lrPORTRAIT_00100_BURST20230709220904977_COVER.jpg", "2023-07-09T22:09:04.977"),
        ("img_20231104_153012345.JPG", "2023-11-04T15:30:12.345"), ("a/b/20231104.jpg", "2023-11-04"),
        ("20240229.jpg", "2024-02-29"), ("IMG-20231104-WA0001.jpg", "2023-11-04"),
        ("VID-20231104-WA0001.mp4", "2023-11-04"), ("1987-06-21 Holiday.jpg", "1987-06-21"),
        ("1826-01-01.jpg", "1826-01-01"), ("19900101.jpg", "1990-01-01"), ("20271231.jpg", "2027-12-31"),
        ("2023.11.04.jpg", "2023-11-04"), ("2023_11_04 15:30:12.jpg", "2023-11-04T15:30:12"),
        // The hour could be one of twelve, so the day alone is known.
        ("WhatsApp Image 2023-11-04 at 3.30.12.jpeg", "2023-11-04"),
        ("20231104_153012 Amsterdam.jpg", "2023-11-04T15:30:12"),
    ])
    func `a date in a file name is parsed, as the time of a local clock`(name: String, text: String) throws {
        let time = try #require(parsed(name))
        #expect(time.description == text)
        #expect(time.precision == (text.count == 10 ? .day : text.contains(".") ? .millisecond : .second))
        #expect(time.utcOffsetMinutes == nil)
    }

    @Test(
        arguments: [
            ("PXL_20231104_153012345.jpg", 1_699_111_812_345), ("PXL_20231104_153012345.MP.jpg", 1_699_111_812_345),
            ("PXL_20231104_153012345.RAW-01.COVER.jpg", 1_699_111_812_345),
            ("FB_IMG_1699111812345.jpg", 1_699_111_812_345),
        ] as [(String, Int64)])
    func `a name in UTC is an instant, as the clock of the time zone showed it`(name: String, instant: Int64) throws {
        let time = try #require(parsed(name))
        #expect(time.milliseconds == instant && time.utcOffsetMinutes == 330 && time.precision == .millisecond)
        #expect(time.description.hasPrefix("2023-11-04T21:00:12.345"))
    }

    @Test(arguments: [
        "DSC_1234.jpg", "1234567890.jpg", "20231304.jpg", "20230229.jpg", "19891231.jpg", "20280101.jpg",
        "202311045.jpg", "IMG_20231104_256012.jpg", "20231104/x.jpg", "2023-1104.jpg", "9920231104.jpg", "",
        "IMG_20231104_153012345678.jpg", "20231345.jpg", "1920x1080.jpg", "3840-2160.jpg", "wallpaper-1920x1080.png",
        "1825-12-31.jpg", "2028-01-01.jpg", "received_1699111812345.jpeg", "received_10155555555555555.jpeg",
        "FB_IMG_169911181234.jpg", "FB_IMG_16991118123456.jpg", "FB_IMG_0999111812345.jpg",
        "FB_IMG_1999111812345.jpg", "Photo 04-11-2023, 15 30 12.jpg", "04112023.jpg", "Snapchat-1234567890.jpg",
        "Snapchat-12345678.jpg", "app-2023.11.04.1.jpg", "v2023.11.04.jpg", "2023-13-04 15.30.12.jpg",
        "2023-02-30 Holiday.jpg", "WhatsApp Image 2023-11-04 at 15.30.12 PM.jpeg",
        "Screen Shot 2023-11-04 at 0.30.12 PM.png", "Screen Shot 2023-11-04 at 3.60.12 PM.png",
        "WIN_20231104_15_60_12_Pro.jpg", "signal-2023-11-04-15-30-60-345.jpg", "C360_2023-11-04-24-30-12-345.jpg",
        "PXL_20231104_153099345.jpg", "DSC_0001_BURST2023070922090497.JPG", "DSC_0001_BURST20231309220904977.JPG",
        "00100lrPORTRAIT_00100_BURST202307092209049771_COVER.jpg", "IMG-20231104123-WA0001.jpg", "2023-11-4.jpg",
        "23-11-04.jpg", "20231104_1530121.jpg", "IMG20231104.jpg", "my20231104.jpg", "a b c 2023-11-04.jpg",
        "2023 11 04.jpg", "2023-11_04.jpg", "1699111812345.jpg", "20231104_15301234567890.jpg", "IMG_8.jpg",
    ])
    func `other digits are not a date`(name: String) {
        #expect(parsed(name) == nil)
    }

    @Test(arguments: FileNameForm.all.indices)
    func `the example of each form has that form first, and a date`(index: Int) throws {
        let form = FileNameForm.all[index]
        #expect(FileNameForm.all.firstIndex { $0.fields(of: form.example) != nil } == index)
        #expect(parsed(form.example) != nil, "\(form.name)")
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `every second of every form is read, and only real ones`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let numbers = [1..<2_100, 0..<14, 0..<33, 0..<26, 0..<62, 0..<62].map { Int.random(in: $0, using: &random) }
            let digits = numbers.enumerated().map { index, number in
                String(repeating: "0", count: (index == 0 ? 4 : 2) - String(number).count) + String(number)
            }
            let (date, clock) = (digits[..<3], digits[3...])
            let isTime = numbers[3] < 24 && numbers[4] < 60 && numbers[5] < 60
            let text = date.joined(separator: "-") + "T" + clock.joined(separator: ":")
            // An independent calendar.
            let formatter = ISO8601DateFormatter()
            let instant = isTime ? formatter.date(from: text + "Z") : nil
            let isReal = instant.map { formatter.string(from: $0) == text + "Z" } ?? false
            for (name, first) in [
                ("IMG_" + date.joined() + "_" + clock.joined(), 1990),
                ("photo_" + date.joined(separator: "-") + "_" + clock.joined(separator: "-"), 1826),
                ("Screenshot " + date.joined(separator: "-") + " at " + clock.joined(separator: "."), 1826),
            ] {
                let found = parsed(name + ".jpg")?.description
                #expect(found == (isReal && first...2027 ~= numbers[0] ? text : nil), "\(name)")
            }
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a name without the digits of a date has none`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let parts = ["IMG", "_", "-", ".", " ", "at", "FB_IMG_", "PXL_", "BURST", "PM", "x", "é"]
        for _ in 0..<2_000 {
            let name = (0..<Int.random(in: 1...8, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? parts.randomElement(using: &random) ?? ""
                    : String(
                        UInt64.random(in: 0..<100_000_000, using: &random) >> UInt64.random(in: 0..<27, using: &random))
            }.joined()
            guard name.firstMatch(of: #/\d{4}[\-_.]?\d\d[\-_.]?\d\d|\d{13}/#) == nil else { continue }
            #expect(parsed(name) == nil, "\(name)")
        }
    }
}
