import PhotoStreamModel
import Testing

@testable import PhotoStreamPictures

@Suite struct FileNameDateTests {
    @Test(arguments: [
        ("IMG_20231104_153012.jpg", "2023-11-04T15:30:12", CaptureTime.Precision.second),
        ("2023-11-04 15.30.12.jpg", "2023-11-04T15:30:12", .second),
        ("PXL_20231104_153012345.jpg", "2023-11-04T15:30:12.345", .millisecond),
        ("VID_20231104_153012.mp4", "2023-11-04T15:30:12", .second),
        ("Screenshot_2023-11-04-15-30-12.png", "2023-11-04T15:30:12", .second),
        ("a/b/20231104.jpg", "2023-11-04", .day), ("20240229.jpg", "2024-02-29", .day),
        ("IMG-20231104-WA0003.jpg", "2023-11-04", .day),
    ])
    func `a date in a file name is parsed`(name: String, text: String, precision: CaptureTime.Precision) throws {
        let time = try #require(FileNameDate.time(in: name, currentYear: 2026))
        #expect(time.description.hasPrefix(text))
        #expect(time.precision == precision)
        #expect(time.utcOffsetMinutes == nil)
    }

    @Test(arguments: [
        "DSC_1234.jpg", "1234567890.jpg", "20231304.jpg", "20230229.jpg", "19891231.jpg", "20280101.jpg",
        "202311045.jpg", "IMG_20231104_256012.jpg", "20231104/x.jpg", "2023-1104.jpg", "9920231104.jpg", "",
        "IMG_20231104_153012345678.jpg",
    ])
    func `other digits are not a date`(name: String) {
        #expect(FileNameDate.time(in: name, currentYear: 2026) == nil)
    }
}
