import ArgumentParser
import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream render`: draws a layout.
struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draw a layout with captions, indices, headers and badges, as SVG or PNG.",
        discussion: """
            Without --rect at most the first 20,000 points of the content are drawn. With --rect pinned headers \
            and footers are placed as if the rectangle were the visible bounds. A picture contains at most 5,000 \
            photos. PNG requires rsvg-convert (apt-get install librsvg2-bin); one pixel is one device pixel.

            With --pictures each photo is drawn from a thumbnail, cropped to its frame, where there is a file of it beneath a \
            root on this machine; thumbnails that are not stored are made. All others are drawn in their colour.

            EXAMPLES:
              photostream render --stream holiday --width 1200 --caption-extent 48 --output holiday.svg
              photostream render --stream holiday --height 600 --scroll-direction horizontal --algorithm justified \\
                --section-by month --header-size 40 --output strip.svg
              photostream render --stream holiday --width 390 --columns 2 --display-scale 2 \\
                --rect 0,4000,390,844 --output screen.png
              photostream render --stream holiday --width 1200 --pictures --output gallery.png
            """)

    /// The format of a picture.
    private enum Format: String {
        case svg
        case png
    }

    @OptionGroup var stream: StreamOption

    @Option(
        help: ArgumentHelp("The picture, ending in .svg or .png.", valueName: "file"),
        completion: .file(extensions: ["svg", "png"]))
    var output: String

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The part to draw, in content coordinates (points).", valueName: "x,y,width,height"),
        transform: Rect.init(text:))
    var rect: Rect?

    @Flag(help: "Draw the pictures themselves.")
    var pictures = false

    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        _ = try format
        try DatabaseFiles(common.database).check(output: output, option: "--output")
        let key = try layout.requiredKey()
        do {
            if let rect { _ = try key.displayScale.pixels(covering: rect) }
        } catch {
            throw ValidationError(error.description)
        }
    }

    func run() async throws {
        let key = try layout.requiredKey()
        let collector = PictureCollector(stream: stream.name, key: key)
        let service = try common.openForQuery()
        var picture = try service.read { session in
            try collector.picture(of: rect, maximumExtent: try maximumExtent(key), from: session)
        }
        if pictures { picture.thumbnails = try await CellThumbnails(of: picture, in: service).bytes }
        try write(picture)
        warn(about: picture)
        try print(picture)
        try common.end(service)
    }

    private var format: Format {
        get throws {
            guard let format = Format(rawValue: URL(filePath: output).pathExtension.lowercased()) else {
                throw ValidationError("--output is \"\(output)\", but must end in .svg or .png")
            }
            return format
        }
    }

    /// Returns the length of a layout to draw by default.
    private func maximumExtent(_ key: LayoutKey) throws -> Double {
        guard try format == .png else { return PictureCollector.maximumExtent }
        let container = key.displayScale.points(key.containerLength)
        // The footer is below the content, so it only reduces the height.
        let note = key.scrollDirection == .vertical ? SVGDrawing.footerHeight(width: container) : 0
        let drawable = Double(PNGConversion.maximumSide) / key.displayScale.rawValue - note
        return min(PictureCollector.maximumExtent, drawable.rounded(.down))
    }

    private func write(_ picture: LayoutPicture) throws {
        let drawing = SVGDrawing(picture)
        switch try format {
        case .svg:
            let file = try OutputFile(path: output, permissions: 0o644)
            try file.write(drawing.svg.utf8)
            try file.commit()
        case .png:
            let conversion = try PNGConversion(size: drawing.size, scale: picture.context.layoutKey.displayScale)
            let file = try OutputFile(path: output, permissions: 0o644)
            try conversion.convert(drawing.svg, to: file)
            try file.commit()
        }
    }

    private func warn(about picture: LayoutPicture) {
        let (key, region) = (picture.context.layoutKey, picture.region)
        let content = key.displayScale.points(picture.context.contentSize)
        let (shown, whole) =
            key.scrollDirection == .horizontal ? (region.width, content.width) : (region.height, content.height)
        if rect == nil, shown < whole {
            StandardError.write(
                sentence: "the picture shows the first \(Int(shown).grouped) points of "
                    + "\(picture.context.contentSizeText); --rect shows others")
        }
        if picture.isCut {
            StandardError.write(
                sentence: "the picture shows the first \(picture.items.count.grouped) photos of its rectangle")
        }
        let plainCount = picture.items.count - picture.thumbnails.count
        if pictures, plainCount > 0 {
            StandardError.write(
                sentence: "\(plainCount.counting("photo")) of \(picture.items.count.grouped) drawn as colours, "
                    + "without a thumbnail")
        }
    }

    private func print(_ picture: LayoutPicture) throws {
        let region = picture.region
        guard common.json else {
            return try StandardOutput.write(
                line: "wrote \(output): \(picture.items.count.counting("photo")), "
                    + (pictures ? "\(picture.thumbnails.count.counting("thumbnail")), " : "")
                    + (picture.elements.isEmpty ? "" : picture.elements.count.counting("other element") + ", ")
                    + "\(region.width.svg) × \(region.height.svg) points at \(region.x.svg), \(region.y.svg)")
        }
        try StandardOutput.write(json: { writer in
            writer.object { writer in
                writer.member("output", value: output)
                writer.member("stream", value: picture.context.stream.rawValue)
                writer.member("revision", value: picture.context.revision.rawValue)
                writer.member("state", value: picture.context.revision.state)
                writer.member("layoutKey", value: picture.context.layoutKey.description)
                writer.member("count", value: picture.items.count)
                writer.member("elementCount", value: picture.elements.count)
                writer.member("thumbnailCount", value: picture.thumbnails.count)
                writer.key("rect")
                writer.object { writer in
                    writer.member("x", value: region.x)
                    writer.member("y", value: region.y)
                    writer.member("width", value: region.width)
                    writer.member("height", value: region.height)
                }
                writer.member("truncated", value: picture.isCut)
            }
        })
    }
}
