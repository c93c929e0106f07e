import ArgumentParser
import Foundation
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService
import PhotoStreamWire

/// `photostream render`: draws a layout.
struct RenderCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Draw the boxes of a layout, with indices, captions and sections, as SVG or PNG.",
        discussion: """
            Without --rect at most the first 20,000 points of the content are drawn. With --rect pinned headers \
            and footers are placed as if the rectangle were the visible bounds. A picture contains at most 5,000 \
            photos. PNG requires rsvg-convert (apt-get install librsvg2-bin); one pixel is one device pixel.

            With --pictures each photo is drawn from a thumbnail, cropped to its frame, if its file is beneath a root on this \
            machine; thumbnails that are not stored are made. All others are drawn in their colour.

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

    @OptionGroup var view: ViewOption
    @OptionGroup(title: "Layout options") var layout: LayoutOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        _ = try format
        try DatabaseFiles(common.database).check(output: output, option: "--output")
        let key = try layout.requiredKey()
        if let rect { _ = try asUsageError { try key.displayScale.pixels(covering: rect) } }
    }

    func report(of service: PhotoStreamService) async throws -> Report {
        let key = try layout.requiredKey()
        let collector = PictureCollector(stream: stream.name, condition: try view.condition(), key: key)
        var picture = try service.read { session in
            try collector.picture(of: rect, maximumExtent: try maximumExtent(key), from: session)
        }
        if pictures { picture.thumbnails = try await CellThumbnails(of: picture, in: service).bytes }
        try write(picture)
        return report(on: picture)
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
        let drawable = Double(PNGConversion.maximumSide) / key.displayScale.rawValue
        return min(PictureCollector.maximumExtent, drawable.rounded(.down))
    }

    private func write(_ picture: LayoutPicture) throws {
        let svg = SVGDrawing(picture).svg
        switch try format {
        case .svg:
            let file = try OutputFile(path: output, permissions: 0o644)
            try file.write(svg.utf8)
            try file.commit()
        case .png:
            let (region, scale) = (picture.region, picture.context.layoutKey.displayScale)
            let conversion = try PNGConversion(
                size: Size(width: region.width, height: region.height), scale: scale)
            let file = try OutputFile(path: output, permissions: 0o644)
            try conversion.convert(svg, to: file)
            try file.commit()
        }
    }

    private func warnings(about picture: LayoutPicture) -> [String] {
        let (key, region) = (picture.context.layoutKey, picture.region)
        let content = key.displayScale.points(picture.context.contentSize)
        let (shown, whole) =
            key.scrollDirection == .horizontal ? (region.width, content.width) : (region.height, content.height)
        var warnings: [String] = []
        if rect == nil, shown < whole {
            warnings.append(
                "the picture shows the first \(Int(shown).grouped) points of \(picture.context.contentSizeText); --rect "
                    + "shows others")
        }
        if picture.isCut {
            warnings.append("the picture shows the first \(picture.items.count.grouped) photos of its rectangle")
        }
        let plainCount = picture.items.count - picture.thumbnails.count
        if pictures, plainCount > 0 {
            warnings.append(
                "\(plainCount.counting("photo")) of \(picture.items.count.grouped) drawn as colours, without a thumbnail"
            )
        }
        return warnings
    }

    private func report(on picture: LayoutPicture) -> Report {
        let (context, region) = (picture.context, picture.region)
        let frame: JSONMembers = ["x": region.x, "y": region.y, "width": region.width, "height": region.height]
        var members: JSONMembers = [
            "output": output, "stream": context.stream.rawValue, "revision": context.revision.rawValue,
            "state": context.revision.state, "layoutKey": context.layoutKey.description,
            "count": picture.items.count, "elementCount": picture.elements.count,
            "thumbnailCount": picture.thumbnails.count, "rect": frame, "truncated": picture.isCut,
        ]
        members.add("where", value: context.condition?.canonicalText)
        var report = Report(
            members,
            line: "wrote \(output): \(picture.items.count.counting("photo")), "
                + (pictures ? "\(picture.thumbnails.count.counting("thumbnail")), " : "")
                + (picture.elements.isEmpty ? "" : picture.elements.count.counting("other element") + ", ")
                + "\(region.width.svg) × \(region.height.svg) points at \(region.x.svg), \(region.y.svg)")
        report.warnings = warnings(about: picture)
        return report
    }
}
