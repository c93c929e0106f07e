import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// Real sizes of pictures; the collections lie next to the repository, not in it.
@Suite(.enabled(if: RealData.isAvailable(), "../shared/data is not there"))
struct RealDataTests {
    static let files = ["bl-flickr/1894_medium.tsv", "bl-flickr/1876_small.tsv", "coco/captions_val2017.json"]

    @Test(arguments: files)
    func `every frame of a real collection equals the reference`(file: String) throws {
        let items = try items(in: file)
        #expect(items.count >= 5_000)
        for width in [375.0, 1_200, 2_560] {
            for columnCount in [2, 4, 7] {
                for choice in MasonryParameters.ColumnChoice.allCases {
                    let configuration = LayoutConfiguration.masonry(
                        columnCount, width: width, choice: choice, spacing: 8)
                    let snapshot = LayoutSnapshot(try LayoutKey(configuration), items: items)
                    let expected = NaiveLayout(configuration, items: items)
                    let isEqual = snapshot.shownFrames == expected.frames
                    #expect(isEqual, "\(columnCount) columns, \(choice), on \(width)")
                    #expect(snapshot.directory.contentSize == expected.contentSize)
                }
            }
        }
    }

    private func items(in file: String) throws -> [ItemMetrics] {
        let data = try Data(contentsOf: RealData.directory().appending(path: file))
        let sizes = file.hasSuffix(".tsv") ? try tableSizes(data) : try imageSizes(data)
        return sizes.compactMap { width, height in
            (try? PixelSize(width: width, height: height)).map { ItemMetrics(pixelSize: $0) }
        }
    }

    /// Tab-separated cells under a header, lines end with CR LF, nothing is quoted.
    private func tableSizes(_ data: Data) throws -> [(Int, Int)] {
        let lines = data.split(separator: UInt8(ascii: "\n")).map { line in
            line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { cell in
                String(decoding: cell, as: UTF8.self).trimmingCharacters(in: .newlines)
            }
        }
        let header = try #require(lines.first)
        let width = try #require(header.firstIndex(of: "flickr_original_width"))
        let height = try #require(header.firstIndex(of: "flickr_original_height"))
        return try lines.dropFirst().map { (try #require(Int($0[width])), try #require(Int($0[height]))) }
    }

    private func imageSizes(_ data: Data) throws -> [(Int, Int)] {
        struct File: Decodable {
            struct Image: Decodable {
                let width: Int
                let height: Int
            }
            let images: [Image]
        }
        return try JSONDecoder().decode(File.self, from: data).images.map { ($0.width, $0.height) }
    }
}
