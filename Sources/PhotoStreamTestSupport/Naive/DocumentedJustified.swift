import PhotoStreamLayout
import PhotoStreamModel

/// A justified layout, written from `Documentation/Layouts/Justified.md` alone.
struct DocumentedJustified {
    private(set) var lines: [DocumentedLine] = []
    private let lengths: DocumentedLengths
    private let parameters: JustifiedParameters
    private let caption: Int128
    /// T, m and M of the page.
    private let target: Int128
    private let minimum: Int128
    private let maximum: Int128
    private let low: Int128
    private let high: Int128

    private static let one: Int128 = 1 << 32
    private static let penalty: Int128 = 1 << 40

    private struct Photo {
        let ratio: Int128
        let hasCaption: Bool
    }

    init(_ lengths: DocumentedLengths, parameters: JustifiedParameters, items: [ItemMetrics]) {
        (self.lengths, self.parameters) = (lengths, parameters)
        caption = lengths.isSideways ? min(lengths.caption, lengths.available - 1) : lengths.caption
        target = max(1, lengths.pixels(parameters.targetLineHeight))
        minimum = max(1, parameters.minimumLineHeight.map { lengths.pixels($0) } ?? target / 2)
        maximum = parameters.maximumLineHeight.map { lengths.pixels($0) } ?? 2 * target
        let million: Int128 = 1_000_000
        let tolerance = Int128((parameters.tolerance * 1_000_000).rounded(.toNearestOrAwayFromZero))
        let (length, divisor) = (lengths.available * Self.one, target * million)
        low = (length * (million - tolerance) + divisor - 1) / divisor
        high = length * (million + tolerance) / divisor
        let photos = items.map { item in
            let (width, height) = (Int128(item.pixelSize.width), Int128(item.pixelSize.height))
            let ratio =
                lengths.isSideways ? Self.ratio(across: height, along: width) : Self.ratio(across: width, along: height)
            return Photo(ratio: ratio, hasCaption: item.hasCaption)
        }
        place(parameters.breaks == .greedy ? greedy(photos) : optimal(photos))
    }

    /// Returns across × 2^32 / along, rounded to the nearest integer, ties to even.
    private static func ratio(across: Int128, along: Int128) -> Int128 {
        let (quotient, rest) = (across * one).quotientAndRemainder(dividingBy: along)
        return 2 * rest > along || 2 * rest == along && quotient % 2 == 1 ? quotient + 1 : quotient
    }

    private func sum(_ photos: some Collection<Photo>) -> Int128 { photos.reduce(0) { $0 + $1.ratio } }

    private func room(_ photos: some Collection<Photo>) -> Int128 {
        let captions = Int128(photos.count { $0.hasCaption })
        return lengths.available - Int128(photos.count - 1) * lengths.spacing
            - (lengths.isSideways ? captions * caption : 0)
    }

    private func extent(_ photos: some Collection<Photo>) -> Int128 {
        DocumentedLengths.nearest(max(1, room(photos)) * Self.one, over: sum(photos))
    }

    /// Whether a photo at the start of a line is a breakout, after a number of lines.
    private func isBreakout(_ photo: Photo, lines: Int) -> Bool {
        parameters.breakoutEvery > 0 && (lines + 1) % parameters.breakoutEvery == 0 && photo.ratio >= Self.one
    }

    // MARK: Breaks

    private func greedy(_ photos: [Photo]) -> [[Photo]] {
        var (found, line): ([[Photo]], [Photo]) = ([], [])
        for photo in photos {
            if !line.isEmpty, !takes(photo, after: line) {
                found.append(line)
                line = []
            }
            line.append(photo)
            if sum(line) >= low || line.count == 1 && isBreakout(photo, lines: found.count) {
                found.append(line)
                line = []
            }
        }
        return line.isEmpty ? found : found + [line]
    }

    private func takes(_ photo: Photo, after line: [Photo]) -> Bool {
        let more = line + [photo]
        guard room(more) >= more.count else { return false }
        let isFurther = target * (sum(line) + sum(more)) > (room(line) + room(more)) * Self.one
        return !(sum(more) > high && isFurther && maximum * sum(line) >= room(line) * Self.one)
    }

    private func optimal(_ photos: [Photo]) -> [[Photo]] {
        var (lines, first): ([[Photo]], Int) = ([], 0)
        while first < photos.count {
            var ends = [first + 1]
            if !isBreakout(photos[first], lines: lines.count) { ends = searched(photos, from: first) }
            for end in ends {
                lines.append(Array(photos[first..<end]))
                first = end
                if first < photos.count, isBreakout(photos[first], lines: lines.count) { break }
            }
        }
        return lines
    }

    /// Returns the ends of the lines that a search decides which begins at a photo and knows of no breakouts.
    private func searched(_ photos: [Photo], from first: Int) -> [Int] {
        // The cost of the cheapest path to the break before each photo, in units of 1/128, and its last line's start.
        var (costs, starts) = ([first: Int128(0)], [Int: Int]())
        func path(to end: Int) -> [Int] {
            var ends = [end]
            while let start = starts[ends[ends.count - 1]], start > first { ends.append(start) }
            return end == first ? [] : ends.reversed()
        }
        var (open, decided) = ([first], [Int]())
        for photo in photos.indices[first...] {
            let since = decided.last ?? first
            if photo - since == 1_024 {
                let lines = path(to: photo).filter { $0 > since }
                return decided + lines.prefix((lines.count + 1) / 2)
            }
            open = open.filter { isAllowed(photos[$0...photo]) }
            var best: (cost: Int128, start: Int)?
            for start in open {
                let total = (costs[start] ?? 0) + cost(extent(photos[start...photo])) * 128 + 1
                if best.map({ total < $0.cost }) ?? true { best = (total, start) }
            }
            guard let best else { return [] }
            (costs[photo + 1], starts[photo + 1]) = (best.cost, best.start)
            open.append(photo + 1)
            var common = path(to: open[0])
            for other in open.dropFirst() { common = zip(common, path(to: other)).prefix { $0 == $1 }.map(\.0) }
            decided = common
        }
        let last = open.filter { $0 < photos.count }
            .map { (start: $0, cost: (costs[$0] ?? 0) + lastCost(photos[$0...]) * 128) }
        guard var best = last.first else { return [] }
        for other in last where other.cost < best.cost { best = other }
        return path(to: best.start) + [photos.count]
    }

    private func isAllowed(_ line: ArraySlice<Photo>) -> Bool {
        line.count == 1 || room(line) >= line.count && (extent(line) >= minimum || extent(line.dropLast()) > maximum)
    }

    /// Returns the cost of a section's last line without its 1/128.
    private func lastCost(_ line: ArraySlice<Photo>) -> Int128 {
        guard sum(line) < low else { return cost(extent(line)) }
        switch parameters.widows {
        case .natural:
            let below = max(0, target - extent(line))
            return below * below
        case .justify: return cost(min(extent(line), maximum))
        case .hide: return Self.penalty
        }
    }

    private func cost(_ extent: Int128) -> Int128 {
        let distance = extent > target ? extent - target : target - extent
        guard extent < minimum || extent > maximum else { return distance * distance }
        let bounded = min(distance, 1 << 17)
        return Self.penalty + bounded * bounded
    }

    // MARK: Places

    private mutating func place(_ broken: [[Photo]]) {
        var previous = target
        for (number, line) in broken.enumerated() {
            let isAlone = line.count == 1 && isBreakout(line[0], lines: number)
            let isWidow = number == broken.count - 1 && sum(line) < low && !isAlone
            let fitting = extent(line)
            if isAlone {
                append(line, height: max(1, fitting), isStretched: true)
                previous = target
            } else if !isWidow {
                previous = min(max(fitting, minimum), maximum)
                append(line, height: previous, isStretched: true)
            } else {
                switch parameters.widows {
                case .natural: append(line, height: max(1, min(previous, fitting)), isStretched: false)
                case .justify where fitting <= maximum:
                    append(line, height: max(fitting, minimum), isStretched: true)
                case .justify: append(line, height: maximum, isStretched: false)
                case .hide:
                    lines.append(DocumentedLine(frames: line.map { _ in DocumentedLine.Frame() }, isHidden: true))
                }
            }
        }
    }

    private mutating func append(_ photos: [Photo], height: Int128, isStretched: Bool) {
        let count = Int128(photos.count)
        let (room, ratios) = (max(count, room(photos)), sum(photos))
        var line = DocumentedLine()
        var (edge, sum, captions): (Int128, Int128, Int128) = (0, 0, 0)
        for (position, photo) in photos.enumerated() {
            let k = Int128(position) + 1
            sum += photo.ratio
            let wanted =
                isStretched
                ? DocumentedLengths.nearest(room * sum, over: ratios)
                : DocumentedLengths.nearest(height * sum, over: Self.one)
            let next = max(edge + 1, min(wanted, room - (count - k)))
            let own = photo.hasCaption ? caption : 0
            line.frames.append(
                DocumentedLine.Frame(
                    across: edge + (k - 1) * lengths.spacing + (lengths.isSideways ? captions : 0),
                    alongExtent: height + (lengths.isSideways ? 0 : own),
                    acrossExtent: next - edge + (lengths.isSideways ? own : 0)))
            edge = next
            captions += own
        }
        line.thickness = height + (!lengths.isSideways && photos.contains { $0.hasCaption } ? caption : 0)
        lines.append(line)
    }
}
