extension LayoutOption {
    /// The description of the option, which names other options as on a command line.
    public var summary: String {
        switch self {
        case .width: "The width to fill, in points, insets included."
        case .height: "The height to fill where content scrolls horizontally, in points."
        case .algorithm: "The layout; options named after another one are refused. (default: masonry)"
        case .columns: "Masonry and grid: how many columns, 1 to 128. (default: 4)"
        case .minimumColumnWidth: "Masonry and grid, instead of --columns: as many as fit at this width or more."
        case .columnChoice: "Masonry: the column that takes the next photo. (default: shortest)"
        case .orderTolerance:
            """
            Masonry: the first column in reading order takes the next photo if it ends at most this far below the \
            shortest. (default: 0)
            """
        case .spanWiderThan:
            """
            Masonry: photos whose width is more than this many times their height take two columns. (default: none)
            """
        case .anchor:
            """
            Masonry: the side from which photos are packed; packed from the end, a photo inserted before all others \
            does not move them relative to each other. (default: start)
            """
        case .aspectRatio: "Grid: a picture's width divided by its height. (default: 1)"
        case .itemSize: "Flow and map: the size of every picture, 1 to 10000 points. (default: 50,50; of a map 44,44)"
        case .itemHeight: "Flow, instead of --item-size: one height in points, the width from the ratio."
        case .ownSizes: "Flow, instead of --item-size: each picture's own size, one point per pixel."
        case .targetLineHeight: "Justified: the height that lines should have, in points. (default: 240)"
        case .tolerance:
            """
            Justified: the accepted distance of a line from the target height, as a fraction of it, 0 to 1. (default: \
            0.25)
            """
        case .minimumLineHeight: "Justified: the minimum height of lines, in points. (default: half the target)"
        case .maximumLineHeight: "Justified: the maximum height of lines, in points. (default: twice the target)"
        case .widows: "Justified: the treatment of a section's last line if it is not full. (default: natural)"
        case .breaks: "Justified: how photos are divided into lines. (default: greedy)"
        case .breakoutEvery:
            """
            Justified: every nth line of a section is a single photo, unless its height exceeds its width. (default: \
            0, never)
            """
        case .zoom:
            """
            Map: the size of the world, 0 to 20; its side has 256 points at 0 and doubles with each step. (default: 2)
            """
        case .interitemSpacing:
            """
            The space between columns, or the minimum between photos of a line, in points. (default: 0)
            """
        case .lineSpacing: "The space between lines, or between photos of a column, in points. (default: 0)"
        case .contentInset: "The margin around all content, in points. (default: 0,0,0,0)"
        case .cellPadding:
            """
            Instead of inset and spacings: a margin around every photo and around all of them, in points.
            """
        case .displayScale: "Device pixels in a point, 0.5 to 8. (default: 1)"
        case .captionExtent: "The height of captions, under the photos that have one, in points. (default: 0)"
        case .badgeSize: "The size of the badge in the trailing top corner of every photo, in points. (default: none)"
        case .scrollDirection: "The axis along which content grows. (default: vertical)"
        case .layoutDirection: "The reading direction; right-to-left is the mirror image. (default: left-to-right)"
        case .sectionBy: "The unit of sections; without it, there is one section. (default: none)"
        case .sectionInset: "The margin around a section's photos, in points. (default: 0,0,0,0)"
        case .headerSize: "A section header's extent along the scroll axis, in points. (default: 0)"
        case .footerSize: "A section footer's extent along the scroll axis, in points. (default: 0)"
        case .pinHeaders: "Keep headers in the requested rectangle while their section is in it."
        case .pinFooters: "Keep footers in the requested rectangle while their section is in it."
        case .sectionBackground: "Add a background to each section."
        case .separatorThickness:
            "Not masonry, not map: the thickness of the separators between lines, in points. (default: 0)"
        case .layoutKey: "Instead of all layout options: the layout key of an earlier answer."
        }
    }

    /// The placeholder of the value in the help; `nil` for the option's own name, and for options without a value.
    public var valueName: String? {
        switch self {
        case .width, .minimumColumnWidth: "w"
        case .height, .itemHeight, .targetLineHeight, .minimumLineHeight, .maximumLineHeight: "h"
        case .algorithm: "name"
        case .columns, .breakoutEvery: "n"
        case .columnChoice: "rule"
        case .orderTolerance: "points"
        case .spanWiderThan: "ratio"
        case .anchor: "edge"
        case .aspectRatio: "r"
        case .itemSize, .badgeSize: "w,h"
        case .ownSizes, .breaks, .pinHeaders, .pinFooters, .sectionBackground: nil
        case .tolerance: "t"
        case .widows: "policy"
        case .zoom: "z"
        case .interitemSpacing, .lineSpacing: "s"
        case .contentInset, .sectionInset: "t,l,b,r"
        case .cellPadding: "p"
        case .displayScale: "k"
        case .captionExtent, .headerSize, .footerSize, .separatorThickness: "e"
        case .scrollDirection: "axis"
        case .layoutDirection: "way"
        case .sectionBy: "unit"
        case .layoutKey: "key"
        }
    }
}
