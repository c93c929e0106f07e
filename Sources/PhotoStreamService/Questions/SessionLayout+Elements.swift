public import PhotoStreamLayout
import PhotoStreamModel

extension SessionLayout {
    /// Returns the elements of one kind other than photos.
    ///
    /// - Parameters:
    ///   - kind: The kind, of elements that belong to a section, such as its header and background, or to items and
    ///     lines.
    ///   - section: The section; `nil` for all sections, which is possible only for elements that belong to a section.
    ///   - first: The section, or the item of the section, to begin with: the `next` of an earlier answer.
    ///   - limit: The maximum number of elements, 1 to ``PhotoStreamService/maximumLimit``.
    /// - Returns: The elements at their unpinned places; empty if the layout has none.
    /// - Throws: ``StreamServiceError/sectionOutOfRange(_:count:)``, ``StreamServiceError/missingSection(_:)``,
    ///   ``StreamServiceError/invalidLimit(_:maximum:)``.
    /// - Complexity: O(limit × log photos), and reading the elements' chunks, if the layout is cached.
    public func elements(
        ofKind kind: ElementKind, section: Int? = nil, from first: Int = 0,
        limit: Int = PhotoStreamService.defaultLimit
    ) throws -> ElementsAnswer {
        try session.checkLimit(limit)
        let placed = try placed()
        let count = placed.directory.sections.count
        if let section, !(0..<count).contains(section) {
            throw StreamServiceError.sectionOutOfRange(section, count: count)
        }
        let found: (elements: [LayoutAttributes], next: Int?)
        if kind.belongsToSection {
            let sections = section.map { $0..<$0 + 1 } ?? 0..<count
            found = try placed.sectionElements(kind, of: sections, from: first, limit: limit)
        } else {
            guard let section else { throw StreamServiceError.missingSection(kind.name) }
            found = try placed.itemElements(kind, of: section, from: first, limit: limit)
        }
        return ElementsAnswer(
            context: placed.context, elements: found.elements,
            headedSections: placed.directory.headedSections(of: found.elements), next: found.next)
    }
}

extension ElementKind {
    /// Whether a section has at most one element of the kind.
    fileprivate var belongsToSection: Bool {
        self == .sectionHeader || self == .sectionFooter || self == .sectionBackground
    }
}

extension PlacedStream {
    fileprivate func sectionElements(
        _ kind: ElementKind, of sections: Range<Int>, from first: Int, limit: Int
    ) throws -> (elements: [LayoutAttributes], next: Int?) {
        let range = max(first, sections.lowerBound)..<max(first, sections.upperBound)
        let elements = try range.prefix(limit).compactMap { section in
            let indexPath = IndexPath(section: section, item: 0)
            return kind == .sectionBackground
                ? try attributes(forDecoration: kind, at: indexPath)
                : try attributes(forSupplementary: kind, at: indexPath)
        }
        return (elements, range.count > limit ? range.lowerBound + limit : nil)
    }

    /// Returns the elements of consecutive items of a section, of at most as many items as the limit.
    fileprivate func itemElements(
        _ kind: ElementKind, of section: Int, from first: Int, limit: Int
    ) throws -> (elements: [LayoutAttributes], next: Int?) {
        let count = directory.sections[section].items.count
        let range = max(0, first)..<max(0, first, count)
        let source = SteppingSource(self)
        let elements = try range.prefix(limit).compactMap { item in
            let indexPath = IndexPath(section: section, item: item)
            return kind == .separator
                ? try source.attributes(forDecoration: kind, at: indexPath)
                : try source.attributes(forSupplementary: kind, at: indexPath)
        }
        return (elements, range.count > limit ? range.lowerBound + limit : nil)
    }
}
