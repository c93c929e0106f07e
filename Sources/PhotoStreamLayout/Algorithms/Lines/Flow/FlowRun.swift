import PhotoStreamModel

/// A run of a flow.
struct FlowRun: PlacementRun {
    private let kernel: FlowAlgorithm
    private let items: PackedMetrics
    private var run: LineRun

    init(_ kernel: FlowAlgorithm, _ fold: ChunkFold, from state: OpenLine) {
        self.kernel = kernel
        items = fold.items
        run = LineRun(fold, from: state)
    }

    mutating func openSection(at origin: Int64) {
        run.openSection(at: origin)
    }

    mutating func place(_ range: Range<Int>) {
        run.hasItems = true
        for index in range {
            let metrics = items[index]
            let item = kernel.sizes.size(of: metrics)
            let spacing = Int64(run.open.count) * kernel.interitemSpacing
            if run.open.count > 0, Int64(run.open.length) + spacing + item.length > kernel.available {
                close(flags: [])
            }
            run.open.count += 1
            run.open.length += UInt64(item.length)
            run.open.thickest = max(run.open.thickest, item.extent)
            if metrics.hasCaption {
                run.open.captionCount += 1
                run.open.thickestWithCaption = max(run.open.thickestWithCaption, item.extent)
            }
        }
    }

    mutating func closeSection() -> Int64 {
        if run.open.count > 0 { close(flags: .last) }
        return run.sectionEnd
    }

    func result() -> PlacementResult<OpenLine, LineFrames> { run.result(run.open) }

    private mutating func close(flags: LineRecord.Flags) {
        let thickness = kernel.thickness(of: run.open)
        run.close(extent: thickness, thickness: thickness, flags: flags)
        run.open = OpenLine()
    }
}
