import PhotoStreamModel
import Testing

@Suite struct PixelSizeTests {
    private func error(_ width: Int, _ height: Int) -> String? {
        do throws(ModelError) {
            let size = try PixelSize(width: width, height: height)
            #expect(Int(size.width) == width && Int(size.height) == height)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        (1, 1), (3, 2), (4_032, 3_024), (1, 1_000), (1_000, 1), (1_000_000, 1_000), (1_000, 1_000_000),
        (1_000_000, 1_000_000), (999_999, 1_000),
    ])
    func `sides up to a million and ratios up to a thousand are accepted`(width: Int, height: Int) {
        #expect(error(width, height) == nil)
    }

    @Test(
        arguments: [
            (0, 5, "width 0 is not positive"),
            (5, 0, "height 0 is not positive"),
            (0, 0, "width 0 is not positive"),
            (-1, 5, "width -1 is not positive"),
            (5, -7, "height -7 is not positive"),
            (.min, 1, "width -9223372036854775808 is not positive"),
            (1_000_001, 5_000, "width 1000001 is over 1000000 pixels"),
            (5_000, 1_000_001, "height 1000001 is over 1000000 pixels"),
            (.max, .max, "width 9223372036854775807 is over 1000000 pixels"),
            (1_000_001, 0, "width 1000001 is over 1000000 pixels"),
            (1_001, 1, "1001 by 1 is a ratio over 1000 to 1"),
            (1, 1_001, "1 by 1001 is a ratio over 1000 to 1"),
            (1_000_000, 999, "1000000 by 999 is a ratio over 1000 to 1"),
            (999, 1_000_000, "999 by 1000000 is a ratio over 1000 to 1"),
        ] as [(Int, Int, String)])
    func `other sizes are rejected with the invalid side`(width: Int, height: Int, message: String) {
        #expect(error(width, height) == message)
    }

    @Test(arguments: Orientation.allCases)
    func `orientations 5 to 8 swap the sides, twice restores them`(orientation: Orientation) throws {
        let size = try PixelSize(width: 4_032, height: 3_024)
        let isTurned = (5...8).contains(orientation.rawValue)
        #expect(orientation.swapsSides == isTurned)
        #expect(size.applying(orientation).description == (isTurned ? "3024x4032" : "4032x3024"))
        #expect(size.applying(orientation).applying(orientation) == size)
    }

    @Test func `the orientations are the eight of Exif`() {
        #expect(Orientation.allCases.map(\.rawValue) == Array(1...8))
        #expect(Orientation(rawValue: 0) == nil && Orientation(rawValue: 9) == nil)
    }

    @Test func `an assumed size is three by two`() {
        #expect(PixelSize.assumed.description == "3x2")
    }
}
