import PhotoStreamModel

/// The position at which a chain of pages continues, with the state of the layout there.
///
///     let bytes = nextCursor.encoded  // to the client, and back
///     let resumed = try engine.cursor(decoding: bytes)
///     let items = photos[resumed.index..<resumed.index + 101]
///     let nextPage = engine.page(after: resumed, items, isEnd: false, limit: 100)
///
/// It contains no photo, so it stays valid after every change of the stream; its owner supplies the photos after it.
public struct LayoutCursor: Hashable, Sendable {
    /// The index of the next item.
    public let index: Int
    /// The origin of the state, in device pixels along the scroll axis.
    let origin: Int64
    /// The state of the layout at the position.
    let state: LayoutState
    /// The section that is open, or `nil` before the first.
    let section: CursorSection?
    /// The line that the previous page has begun, if it is longer than a page.
    let line: CursorLine?
    /// The extent of the content when the chain began: if content scrolls sideways from right to left, or packing
    /// begins with the last item, frames are measured from its end.
    let contentExtent: Int64
}

/// The open section of a cursor.
struct CursorSection: Hashable, Sendable {
    /// Its position among the sections.
    var position: Int
    /// The index of its first item.
    var firstIndex: Int
    /// The start of the section, in device pixels along the scroll axis.
    var origin: Int64
}

/// A line that continues after a page: its break and its thickness are already decided.
struct CursorLine: Hashable, Sendable {
    /// The line, with its top measured from the start of the content.
    var record: LineRecord
    /// The sums over its items when it was decided.
    var totals: LineTotals
    /// The progress of the items that were returned.
    var progress: LineProgress
}

extension LayoutCursor {
    /// The cursor as bytes, at most 2 KB.
    public var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendVariableLength(UInt64(index))
        bytes.appendVariableLength(UInt64(origin))
        bytes.appendVariableLength(UInt64(contentExtent))
        bytes.appendVariableLength(section == nil ? 0 : 1)
        if let section {
            for value in [UInt64(section.position), UInt64(section.firstIndex), UInt64(section.origin)] {
                bytes.appendVariableLength(value)
            }
        }
        bytes.appendVariableLength(line == nil ? 0 : 1)
        if let line {
            for value in line.numbers { bytes.appendVariableLength(value) }
        }
        return bytes + state.encoded
    }
}

extension LayoutEngine {
    /// Reads a cursor of this layout from the bytes of ``LayoutCursor/encoded``.
    ///
    /// - Throws: ``LayoutError/invalidState`` if the bytes are not a cursor of this layout.
    public func cursor(decoding bytes: some Collection<UInt8>) throws(LayoutError) -> LayoutCursor {
        var rest = Array(bytes)[...]
        func number(below limit: UInt64 = 1 << 60) throws(LayoutError) -> Int64 {
            guard let value = rest.popVariableLength(), value < limit else { throw .invalidState }
            return Int64(value)
        }
        let index = try number(below: 1 << 40)
        let origin = try number()
        let contentExtent = try number()
        var section: CursorSection?
        if try number(below: 2) == 1 {
            section = CursorSection(
                position: Int(try number(below: 1 << 40)), firstIndex: Int(try number(below: 1 << 40)),
                origin: try number())
        }
        var line: CursorLine?
        if try number(below: 2) == 1 {
            var numbers: [UInt64] = []
            for _ in 0..<CursorLine.numberCount { numbers.append(UInt64(try number())) }
            guard let found = CursorLine(numbers) else { throw .invalidState }
            line = found
        }
        let state = try state(decoding: rest)
        guard algorithm.resumes(state, at: Int(index), section: section, line: line),
            section.map({ $0.firstIndex <= index }) ?? true
        else { throw .invalidState }
        return LayoutCursor(
            index: Int(index), origin: origin, state: state, section: section, line: line, contentExtent: contentExtent)
    }

    /// Creates the cursor of a chain's first page.
    ///
    /// - Parameter contentExtent: The extent of the whole content along the scroll axis, in device pixels; used only if
    ///   ``framesNeedContentExtent`` is `true`.
    /// - Returns: The cursor.
    public func firstCursor(contentExtent: Int64) -> LayoutCursor {
        LayoutCursor(
            index: 0, origin: axes.insets(key.contentInset).before, state: initialState, section: nil, line: nil,
            contentExtent: contentExtent)
    }
}

extension LayoutAlgorithm {
    fileprivate func resumes(
        _ state: LayoutState, at index: Int, section: CursorSection?, line: CursorLine?
    ) -> Bool {
        resumes(state.of(State.self), at: index, section: section, line: line)
    }
}

extension CursorLine {
    fileprivate static let numberCount = 11

    fileprivate var numbers: [UInt64] {
        [
            UInt64(record.top), UInt64(record.extent), UInt64(record.flags.rawValue), UInt64(totals.count),
            totals.length,
            UInt64(totals.captionCount), UInt64(totals.thickest), UInt64(progress.count), progress.length,
            UInt64(progress.captionCount), UInt64(progress.edge),
        ]
    }

    /// - Returns: `nil` if no line has such numbers.
    fileprivate init?(_ numbers: [UInt64]) {
        let (count, served) = (numbers[3], numbers[7])
        // The returned items may be longer than the decided line, because photos change between two pages.
        guard numbers[2] <= UInt64(LineRecord.Flags.mask), served < count, count < 1 << 32, numbers[5] < 1 << 32,
            numbers[9] < 1 << 32,
            numbers[1] < 1 << 28, numbers[6] < 1 << 40, (count...1 << 53).contains(numbers[4]),
            numbers[8] <= 1 << 53
        else { return nil }
        record = LineRecord(
            top: Int64(numbers[0]), extent: Int64(numbers[1]), start: 0,
            flags: LineRecord.Flags(rawValue: UInt32(truncatingIfNeeded: numbers[2])))
        totals = LineTotals(
            count: Int(numbers[3]), length: numbers[4], captionCount: Int(numbers[5]), thickest: Int64(numbers[6]))
        progress = LineProgress(
            count: Int(numbers[7]), length: numbers[8], captionCount: Int(numbers[9]), edge: Int64(numbers[10]))
    }
}
