import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamStorage
import PhotoStreamTestSupport

/// A file that several services hold, and what must be in it by the rules.
final class ModelWorld {
    /// One of the layouts that are requested.
    struct Layout {
        let configuration: LayoutConfiguration
        let key: LayoutKey
    }

    /// A difference from the model, in a sentence.
    struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    /// One of the services that use the file, like separate processes.
    struct Holder {
        var service: PhotoStreamService
        let access: FileAccess
        let chunkSize: ChunkSize
    }

    let gallery: Gallery
    let layouts: [Layout]
    var random: SplitMix64
    var stream: ModelStream
    var holders: [Holder] = []
    var chains: [ModelChain] = []
    /// The stream at some revisions, the newest last.
    var moments: [ModelMoment] = []
    /// The operations so far, the newest last.
    var history: [String] = []
    /// The most photos that are kept for long.
    let greatestCount: Int
    /// Names and times that were never used before.
    private var counter = 0
    private(set) var checkCounts: [String: Int] = [:]

    /// Makes a file.
    ///
    /// - Parameters:
    ///   - seed: Decides everything except the work of the `photostream` command with its clock, which is far ahead.
    ///   - chunkSize: The chunk size of most holders; one uses the standard size.
    ///   - greatestCount: The approximate maximum number of photos.
    ///   - log: The length of the change log.
    /// - Throws: The errors of opening a file.
    init(seed: UInt64, chunkSize: ChunkSize, greatestCount: Int, log: ChangeLog = .standard) throws {
        random = SplitMix64(seed: seed)
        self.greatestCount = greatestCount
        let order = random.element(of: StreamOrder.allCases)
        stream = ModelStream(order: order)
        gallery = try Gallery(order: order, chunkSize: chunkSize, log: log)
        layouts = try ModelLayouts.configurations.map { Layout(configuration: $0, key: try LayoutKey($0)) }
        let other = ChunkSize(minimum: 2, target: 5, maximum: 11)
        let kinds: [(FileAccess, ChunkSize)] = [
            (.existing, chunkSize), (.existing, chunkSize), (.existing, random.oneIn(2) ? .standard : other),
            (.readOnly, chunkSize),
        ]
        for (access, size) in kinds {
            holders.append(
                Holder(
                    service: try gallery.anotherService(access, chunkSize: size), access: access, chunkSize: size))
        }
        try gallery.service.createStream(StreamName(stored: "noise"))
    }

    /// One that may write.
    func writer() -> PhotoStreamService { holders[random.int(in: 0...2)].service }

    /// Any of them.
    func anyone() -> PhotoStreamService { random.element(of: holders).service }

    /// A number that was not given before.
    func fresh() -> Int {
        counter += 1
        return counter
    }

    func randomID() -> String { random.element(of: stream.photos).id }

    /// The order and the moves in the file, for cases that the rules leave open.
    func arbiter() throws -> (order: [String], moved: Set<String>) {
        count("arbitrated")
        let rows = try gallery.shellOutput(
            """
            SELECT movedTime IS NOT NULL AND movedFromOrderTime IS ownOrderTime, externalId
            FROM photo WHERE streamId = 1 ORDER BY orderTime DESC, orderRank DESC
            """
        ).split(separator: "\n").map { $0.split(separator: "|", maxSplits: 1).map(String.init) }
        return (rows.map { $0[1] }, Set(rows.filter { $0[0] == "1" }.map { $0[1] }))
    }

    /// Counts how often something was looked at: a test that looks at nothing finds nothing.
    func count(_ what: String) { checkCounts[what, default: 0] += 1 }

    func expect(_ isRight: Bool, _ description: @autoclosure () -> String) throws {
        guard !isRight else { return }
        throw Mismatch(description: description())
    }

    /// Runs the `photostream` command on the file.
    func command(_ arguments: String..., allowing statuses: Set<Int32> = [0]) throws {
        let process = Process()
        process.executableURL = BuiltCommand.url
        process.arguments = arguments + ["--database", gallery.temporary.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try expect(
            process.terminationReason == .exit && statuses.contains(process.terminationStatus),
            "photostream \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
    }
}

/// Every algorithm, in both directions, in sections and without.
enum ModelLayouts {
    static let configurations =
        SampleLayouts.configurations + [
            LayoutConfiguration(
                containerLength: 333, interitemSpacing: 3, lineSpacing: 2, captionExtent: 9,
                algorithm: .masonry(MasonryParameters(columns: .count(1)))),
            LayoutConfiguration(
                containerLength: 611, scrollDirection: .horizontal, layoutDirection: .rightToLeft, interitemSpacing: 3,
                lineSpacing: 4, captionExtent: 12,
                sections: SectionParameters(
                    sectioning: .month, inset: EdgeInsets(top: 1, left: 2, bottom: 3, right: 4),
                    headerReferenceSize: 21, footerReferenceSize: 8),
                algorithm: .masonry(MasonryParameters(columns: .count(3), columnChoice: .roundRobin))),
            LayoutConfiguration(
                containerLength: 900, layoutDirection: .rightToLeft, interitemSpacing: 5, lineSpacing: 5,
                algorithm: .masonry(MasonryParameters(columns: .count(5), spanWiderThan: 1.2, anchor: .end))),
            LayoutConfiguration(
                containerLength: 500, displayScale: 3, interitemSpacing: 2, lineSpacing: 3, captionExtent: 11,
                sections: SectionParameters(sectioning: .year, headerReferenceSize: 30, footerReferenceSize: 2),
                algorithm: .flow(FlowParameters(itemSize: .uniform(Size(width: 83, height: 61))))),
            LayoutConfiguration(
                containerLength: 720, layoutDirection: .rightToLeft, interitemSpacing: 4, lineSpacing: 6,
                captionExtent: 17,
                sections: SectionParameters(sectioning: .day, headerReferenceSize: 26, hasBackground: true),
                algorithm: .justified(
                    JustifiedParameters(targetLineHeight: 140, widows: .justify, breaks: .optimal))),
            LayoutConfiguration(
                containerLength: 480, scrollDirection: .horizontal, interitemSpacing: 1, lineSpacing: 1,
                algorithm: .grid(GridParameters(columns: .minimumWidth(90), aspectRatio: 1.5))),
        ]
}
