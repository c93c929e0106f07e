package import PhotoStreamLayout
package import PhotoStreamModel

/// A section of a naive layout.
package struct NaiveSection {
    /// The positions of its items.
    package let items: Range<Int>
    /// The start along the scroll axis, before its header.
    package let origin: Int64
    /// The end along the scroll axis, after its footer.
    package let end: Int64
    /// The header's frame on screen, if any.
    package private(set) var header: PixelRect?
    /// The footer's frame on screen, if any.
    package private(set) var footer: PixelRect?
    /// The background's frame on screen, if any.
    package private(set) var background: PixelRect?

    /// Adds the header, the footer and the background, which all fill the content across the scroll axis.
    mutating func addElements(
        _ configuration: LayoutConfiguration, measures: NaiveMeasures, screen: NaiveScreen
    ) {
        func band(along: Int64, extent: Int64) -> PixelRect {
            screen.rect(
                NaiveFrame(
                    along: along, across: measures.contentInset.leading, alongExtent: extent,
                    acrossExtent: measures.container - measures.contentInset.leading - measures.contentInset.trailing))
        }
        if measures.header > 0 { header = band(along: origin, extent: measures.header) }
        if measures.footer > 0 { footer = band(along: end - measures.footer, extent: measures.footer) }
        if configuration.sections.hasBackground { background = band(along: origin, extent: end - origin) }
    }
}

/// Divides a stream into sections, photo by photo.
package enum NaiveSections {
    /// Returns the number of items in each section.
    package static func lengths(_ items: [ItemMetrics], by sectioning: Sectioning) -> [Int] {
        if sectioning == .none { return [items.count] }
        var lengths: [Int] = []
        var last: [Int]?
        // Counting days is slow, and many photos have the same day.
        var names: [OrderDate: [Int]] = [:]
        for item in items {
            let name = names[item.orderDate] ?? name(of: item, by: sectioning)
            names[item.orderDate] = name
            if name == last { lengths[lengths.count - 1] += 1 } else { lengths.append(1) }
            last = name
        }
        return lengths
    }

    /// Returns the known date components of a photo to the precision of the sections; empty for a photo without a date.
    private static func name(of item: ItemMetrics, by sectioning: Sectioning) -> [Int] {
        guard let day = item.orderDay, let unit = item.orderDate.unit else { return [] }
        let date = date(ofDay: day)
        let known =
            switch unit {
            case .day: [date.year, date.month, date.day]
            case .month: [date.year, date.month]
            case .year: [date.year]
            }
        switch sectioning {
        case .none: return []
        case .day: return known
        case .month: return Array(known.prefix(2))
        case .year: return Array(known.prefix(1))
        }
    }

    /// Returns the date of a day since 1970, by counting years and months from the year 1.
    package static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        var rest = day + 719_162
        var year = 1
        while rest >= 146_097 { (rest, year) = (rest - 146_097, year + 400) }
        while rest >= length(ofYear: year) { (rest, year) = (rest - length(ofYear: year), year + 1) }
        var month = 1
        while rest >= length(ofMonth: month, in: year) {
            (rest, month) = (rest - length(ofMonth: month, in: year), month + 1)
        }
        return (year, month, rest + 1)
    }

    private static func length(ofYear year: Int) -> Int {
        length(ofMonth: 2, in: year) == 29 ? 366 : 365
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
    }
}
