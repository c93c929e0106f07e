import PhotoStreamLayout
import PhotoStreamModel

/// A naive flow layout: lines are filled item by item, then each line is spaced.
struct NaiveFlow: NaiveAlgorithm {
    let measures: NaiveMeasures
    let parameters: FlowParameters

    /// The cell of an item: its length along the line, the thickness of its picture, and the caption's height below it.
    private struct Cell {
        let length: Int64
        let thickness: Int64
        let below: Int64
        let caption: Int64
    }

    func place(_ items: [ItemMetrics]) -> NaiveBlock {
        let lines = lines(of: items.map(cell))
        var block = NaiveBlock()
        var top: Int64 = 0
        for (position, line) in lines.enumerated() {
            let thickest = line.map(\.thickness).max() ?? 0
            let xs = places(of: line, isLast: position == lines.count - 1)
            for (cell, x) in zip(line, xs) {
                let frame = NaiveFrame(
                    along: top + (thickest - cell.thickness) / 2, across: measures.leading + x,
                    alongExtent: cell.thickness + cell.below, acrossExtent: cell.length, caption: cell.caption)
                block.frames.append(frame)
                block.end = max(block.end, frame.along + frame.alongExtent)
            }
            top = block.end + measures.line
        }
        return block
    }

    private func lines(of cells: [Cell]) -> [[Cell]] {
        var lines: [[Cell]] = []
        var end: Int64 = 0
        for cell in cells {
            if lines.isEmpty || end + measures.interitem + cell.length > measures.available {
                lines.append([cell])
                end = cell.length
            } else {
                lines[lines.count - 1].append(cell)
                end += measures.interitem + cell.length
            }
        }
        return lines
    }

    /// Returns the leading edges of a line's cells.
    private func places(of line: [Cell], isLast: Bool) -> [Int64] {
        // On a section's last line, items of one size are positioned as if the line were full.
        var (count, total) = (Int64(line.count), line.reduce(0) { $0 + $1.length })
        if isLast, areAlike {
            while total + line[0].length + count * measures.interitem <= measures.available {
                (count, total) = (count + 1, total + line[0].length)
            }
        }
        let spare = max(0, measures.available - total)
        if count == 1 { return [spare / 2] }
        let isTight = isLast && !areAlike
        var before: Int64 = 0
        return line.indices.map { position in
            let gaps =
                isTight
                ? Int64(position) * measures.interitem : Int64(position) * spare / (count - 1)
            defer { before += line[position].length }
            return before + gaps
        }
    }

    /// Whether all items have one size.
    ///
    /// A caption that reduces the line makes sizes differ.
    private var areAlike: Bool {
        guard case .uniform = parameters.itemSize else { return false }
        return !(measures.isHorizontal && measures.caption > 0)
    }

    private func cell(_ item: ItemMetrics) -> Cell {
        let caption = item.hasCaption ? measures.caption : 0
        let (width, height) = size(item.pixelSize)
        return measures.isHorizontal
            ? Cell(length: height + caption, thickness: width, below: 0, caption: caption)
            : Cell(length: width, thickness: height, below: caption, caption: caption)
    }

    private func size(_ picture: PixelSize) -> (width: Int64, height: Int64) {
        switch parameters.itemSize {
        case .uniform(let size): return (max(1, measures.pixels(size.width)), max(1, measures.pixels(size.height)))
        case .height(let points):
            let height = max(1, measures.pixels(points))
            return (NaiveNumbers.scaled(height, by: picture.width, over: picture.height), height)
        case .own:
            return (
                max(1, measures.pixels(Double(picture.width))), max(1, measures.pixels(Double(picture.height)))
            )
        }
    }
}
