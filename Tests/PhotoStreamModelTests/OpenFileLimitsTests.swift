import PhotoStreamModel
import Testing

@Suite struct OpenFileLimitsTests {
    @Test func `a server with few files has some for each of its parts`() {
        for all in Array(64...2_048) + [4_096, 65_536, 1 << 20] {
            let limits = OpenFileLimits(all: all)
            #expect(limits.connections >= 6 && limits.sentPictures >= 8, "\(all)")
            #expect(limits.databaseReaders >= 2 && limits.pictureReaders >= 1, "\(all)")
            let used = limits.connections + limits.sentPictures + 2 * (limits.databaseReaders + limits.pictureReaders)
            #expect(used < all - 32, "\(all)")
        }
    }
}
