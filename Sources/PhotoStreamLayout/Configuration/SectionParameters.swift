/// The sections of a stream, and the elements around their items, in points.
public struct SectionParameters: Hashable, Sendable {
    /// The unit of the dates that divide the stream.
    public var sectioning: Sectioning
    /// The margin around a section's items, between its header and its footer, each side 0 to 10,000 points.
    public var inset: EdgeInsets
    /// The header's extent along the scroll axis, 0 to 10,000 points; 0 for none.
    ///
    /// Its width is that of the content.
    public var headerReferenceSize: Double
    /// The footer's extent along the scroll axis, 0 to 10,000 points; 0 for none.
    ///
    /// Its width is that of the content.
    public var footerReferenceSize: Double
    /// Whether headers stay at the edge of the visible bounds while their section is in them.
    public var headersPinToVisibleBounds: Bool
    /// Whether footers stay at the far edge of the visible bounds while their section is in them.
    public var footersPinToVisibleBounds: Bool
    /// Whether each section has a background, underneath its header, items and footer.
    public var hasBackground: Bool
    /// The thickness of the separator between two lines of a section, 0 to 10,000 points; 0 for none.
    ///
    /// It lies in the middle of the line spacing. Masonry has no lines and so no separators.
    public var separatorThickness: Double

    /// Creates parameters.
    public init(
        sectioning: Sectioning = .none,
        inset: EdgeInsets = .zero,
        headerReferenceSize: Double = 0,
        footerReferenceSize: Double = 0,
        headersPinToVisibleBounds: Bool = false,
        footersPinToVisibleBounds: Bool = false,
        hasBackground: Bool = false,
        separatorThickness: Double = 0
    ) {
        self.sectioning = sectioning
        self.inset = inset
        self.headerReferenceSize = headerReferenceSize
        self.footerReferenceSize = footerReferenceSize
        self.headersPinToVisibleBounds = headersPinToVisibleBounds
        self.footersPinToVisibleBounds = footersPinToVisibleBounds
        self.hasBackground = hasBackground
        self.separatorThickness = separatorThickness
    }
}

/// The unit of the dates that divide a stream into sections.
///
/// Dates are those of the order time, so each section is contiguous in the stream, and a moved photo belongs to the
/// section at its position.
public enum Sectioning: String, Hashable, Sendable, CaseIterable {
    /// The stream is one section.
    case none
    /// One section per day; photos without a date form the last section.
    case day
    /// One section per month.
    case month
    /// One section per year.
    case year
}
