package import PhotoStreamLayout
package import PhotoStreamModel

/// A section of a naive layout.
package struct NaiveSection {
    /// The positions of its items.
    package let items: Range<Int>
    /// Where it begins along the scroll axis, its header first.
    package let origin: Int64
    /// Where it ends along the scroll axis, behind its footer.
    package let end: Int64
    /// Its header on the screen, where it has one.
    package private(set) var header: PixelRect?
    /// Its footer on the screen, where it has one.
    package private(set) var footer: PixelRect?
    /// Its background on the screen, where it has one.
    package private(set) var background: PixelRect?

    init(items: Range<Int>, origin: Int64, end: Int64) {
        self.items = items
        self.origin = origin
        self.end = end
    }

    /// Header and footer fill the content across the scroll axis, and so does what lies behind them.
    mutating func addElements(
        _ configuration: LayoutConfiguration, _ measures: NaiveMeasures, _ screen: NaiveScreen
    ) {
        func band(_ along: Int64, _ extent: Int64) -> PixelRect {
            screen.rect(
                NaiveFrame(
                    along: along, across: measures.contentInset.leading, alongExtent: extent,
                    acrossExtent: measures.container - measures.contentInset.leading - measures.contentInset.trailing))
        }
        if measures.header > 0 { header = band(origin, measures.header) }
        if measures.footer > 0 { footer = band(end - measures.footer, measures.footer) }
        if configuration.sections.hasBackground { background = band(origin, end - origin) }
    }
}

/// Cuts a stream into sections, photo by photo.
package enum NaiveSections {
    /// How many items each section has.
    package static func lengths(_ items: [ItemMetrics], _ sectioning: Sectioning) -> [Int] {
        if sectioning == .none { return [items.count] }
        var lengths: [Int] = []
        var last: [Int]?
        // The walk to a day is long, and photos of one day are many.
        var names: [OrderDate: [Int]] = [:]
        for item in items {
            let name = names[item.orderDate] ?? name(of: item, sectioning)
            names[item.orderDate] = name
            if name == last { lengths[lengths.count - 1] += 1 } else { lengths.append(1) }
            last = name
        }
        return lengths
    }

    /// What a section's photos have in common: what is known of its year, its month, its day, as far as sections tell them
    /// apart; nothing for those without a date.
    private static func name(of item: ItemMetrics, _ sectioning: Sectioning) -> [Int] {
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

    /// Walks from the year 1 to a day, counted from 1970, through years and months.
    package static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
        var rest = day + 719_162
        var year = 1
        while rest >= 146_097 { (rest, year) = (rest - 146_097, year + 400) }
        while rest >= length(ofYear: year) { (rest, year) = (rest - length(ofYear: year), year + 1) }
        var month = 1
        while rest >= length(ofMonth: month, year) { (rest, month) = (rest - length(ofMonth: month, year), month + 1) }
        return (year, month, rest + 1)
    }

    private static func length(ofYear year: Int) -> Int {
        length(ofMonth: 2, year) == 29 ? 366 : 365
    }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
    }
}
