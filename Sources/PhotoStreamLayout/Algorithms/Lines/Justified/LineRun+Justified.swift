/// Closes the open line of a justified layout, however its break was found.
extension LineRun {
    /// Closes a line that is filled.
    mutating func closeFull(_ kernel: JustifiedRule, isBreakout: Bool = false) {
        let room = kernel.room(count: open.count, captionCount: open.captionCount)
        let fitting = kernel.extent(filling: max(1, room), open.length)
        let parameters = kernel.parameters
        let extent =
            isBreakout
            ? max(1, fitting) : min(max(fitting, parameters.minimumLineHeight), parameters.maximumLineHeight)
        close(kernel, extent: extent, flags: [])
    }

    /// Closes the last line of a section, which is not full.
    mutating func closeWidow(_ kernel: JustifiedRule) {
        let parameters = kernel.parameters
        let room = kernel.room(count: open.count, captionCount: open.captionCount)
        // At this extent the line would be full.
        let fitting = kernel.extent(filling: room, open.length)
        switch parameters.widows {
        case .hide: hide()
        case .justify where fitting <= parameters.maximumLineHeight:
            close(kernel, extent: max(fitting, parameters.minimumLineHeight), flags: .last)
        case .justify: close(kernel, extent: parameters.maximumLineHeight, flags: [.last, .natural])
        case .natural:
            let wanted = open.previousExtent > 0 ? open.previousExtent : parameters.targetLineHeight
            close(kernel, extent: max(1, min(wanted, fitting)), flags: [.last, .natural])
        }
    }

    private mutating func close(_ kernel: JustifiedRule, extent: Int64, flags: LineRecord.Flags) {
        let captionCount = open.captionCount
        let next = kernel.open(behind: extent, open.count, open.length, from: open)
        close(
            extent: extent, thickness: kernel.thickness(extent, captionCount: captionCount),
            flags: captionCount > 0 ? flags.union(.caption) : flags)
        open = next
    }

    /// Leaves the last line of a section out: it takes no room, and neither does the spacing before it.
    private mutating func hide() {
        hasItems = open.previousExtent > 0
        hideLine(at: sectionEnd)
    }
}
