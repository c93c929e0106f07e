/// The change of one element between two layouts.
public struct ElementUpdate: Hashable, Sendable {
    /// The place where it stood in the layout before; `nil` for one that was not there.
    public let old: LayoutAttributes?
    /// The place where it stands in the layout afterwards; `nil` for one that is not there any more.
    public let new: LayoutAttributes?
    /// The attributes that its view appears with, before it takes on ``new``: those with an alpha of 0, unless the
    /// layout changes them.
    ///
    /// Only where a view appears: of an element that is inserted or reloaded.
    public var initial: LayoutAttributes?
    /// The attributes that its view disappears with, coming from ``old``: those with an alpha of 0, unless the layout
    /// changes them.
    ///
    /// Only where a view disappears: of an element that is deleted or reloaded.
    public var final: LayoutAttributes?

    /// An element that stands elsewhere, or looks different.
    static func move(_ old: LayoutAttributes, _ new: LayoutAttributes) -> ElementUpdate {
        ElementUpdate(old: old, new: new, initial: nil, final: nil)
    }

    /// An element of which a view disappears, another appears, or both.
    static func change(from old: LayoutAttributes?, to new: LayoutAttributes?) -> ElementUpdate {
        ElementUpdate(old: old, new: new, initial: new?.faded, final: old?.faded)
    }
}

extension LayoutAttributes {
    /// The same where nothing is seen of it.
    fileprivate var faded: LayoutAttributes {
        var attributes = self
        attributes.alpha = 0
        return attributes
    }

    /// Whether it looks the same at the same place, whatever its index path.
    func looksLike(_ other: LayoutAttributes, ignoringLevel: Bool) -> Bool {
        var other = other
        if ignoringLevel { other.zIndex = zIndex }
        (other.index, other.indexPath) = (index, indexPath)
        return self == other
    }
}
