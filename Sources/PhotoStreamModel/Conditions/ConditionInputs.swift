/// The values of a photo that a condition reads.
///
/// A share answers a condition only if it shows all of them: otherwise the answers would tell the hidden values.
public struct ConditionInputs: Hashable, Sendable {
    /// A value that is not a field of the photo.
    public enum Context: String, CaseIterable, Sendable {
        /// The name of the photo's stream.
        case stream
        /// The day of its import.
        case added
        /// The fields that a person edited.
        case edits
        /// Whether a person moved it.
        case move
        /// Whether its file is gone.
        case file
        /// Whether another photo has the same picture.
        case duplicates
    }

    /// The fields.
    public private(set) var fields: PhotoFields
    /// The other values.
    public private(set) var context: Set<Context>

    /// Creates a set of values.
    public init(_ fields: PhotoFields = [], context: Context...) {
        (self.fields, self.context) = (fields, Set(context))
    }

    /// All values.
    public static let all: ConditionInputs = {
        var all = ConditionInputs(PhotoField.allCases.reduce(into: []) { $0.insert($1) })
        all.context = Set(Context.allCases)
        return all
    }()

    /// Whether other values contain all of these.
    package func isSubset(of other: ConditionInputs) -> Bool {
        fields.isSubset(of: other.fields) && context.isSubset(of: other.context)
    }

    /// Adds other values.
    package mutating func formUnion(_ other: ConditionInputs) {
        fields.formUnion(other.fields)
        context.formUnion(other.context)
    }
}
