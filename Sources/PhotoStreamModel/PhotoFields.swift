/// A set of fields, such as those that a person edited: one bit for each.
public struct PhotoFields: Hashable, Sendable, OptionSet {
    /// A member of a set.
    public typealias Element = PhotoField
    /// A member of an array literal.
    public typealias ArrayLiteralElement = PhotoField

    /// The bits, each at its ``PhotoField/Row/bit``.
    ///
    /// A newer version of the program may have set bits that this one does not know; they are kept.
    public private(set) var rawValue: UInt32

    /// Creates a set from its bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Creates a set of one field.
    public init(_ field: PhotoField) {
        rawValue = 1 << UInt32(field.bit)
    }

    /// Whether the set contains a field.
    public func contains(_ field: PhotoField) -> Bool { rawValue & PhotoFields(field).rawValue != 0 }

    /// Adds a field.
    @discardableResult
    public mutating func insert(_ field: PhotoField) -> (inserted: Bool, memberAfterInsert: PhotoField) {
        let isNew = !contains(field)
        formUnion(PhotoFields(field))
        return (isNew, field)
    }

    /// Removes a field.
    @discardableResult
    public mutating func remove(_ field: PhotoField) -> PhotoField? {
        let found = contains(field) ? field : nil
        rawValue &= ~PhotoFields(field).rawValue
        return found
    }

    /// Adds a field; returns it if the set had it.
    @discardableResult
    public mutating func update(with field: PhotoField) -> PhotoField? {
        insert(field).inserted ? nil : field
    }
}
