/// The place of a photo in a stack: pictures that a stream shows as one.
///
/// The photo with rank 0 is the cover. Layouts, lists, counts and searches contain it and none of the others.
public struct StackPlace: Hashable, Sendable {
    /// The greatest number of photos in a stack.
    public static let maximumCount = 500

    /// The name of the stack, which its photos share: 1 to 512 bytes of UTF-8.
    public let stack: String
    /// 0 for the cover, and for the others their order, at most ``maximumCount``.
    public let rank: Int
    /// The reason for which the photo is in the stack.
    public let kind: StackKind

    /// Whether layouts leave the photo out.
    public var isHidden: Bool { rank > 0 }

    /// Creates a place.
    ///
    /// - Throws: ``ModelError`` for a name that is empty, too long or contains U+0000, and for a rank out of range.
    public init(stack: String, rank: Int, kind: StackKind) throws(ModelError) {
        guard !stack.isEmpty else { throw ModelError("the name of a stack is empty") }
        guard stack.utf8.count <= 512 else {
            throw ModelError("the name of a stack has \(stack.utf8.count) bytes, more than 512")
        }
        guard !stack.utf8.contains(0) else { throw ModelError("the name of a stack contains U+0000") }
        guard (0...Self.maximumCount).contains(rank) else {
            throw ModelError("\"\(rank)\" is not a rank in a stack from 0 to \(Self.maximumCount)")
        }
        (self.stack, self.rank, self.kind) = (stack, rank, kind)
    }

    /// Creates a place from stored values.
    package init(stored stack: String, rank: Int, kind: StackKind) {
        (self.stack, self.rank, self.kind) = (stack, rank, kind)
    }
}

/// The reason for which a photo is in a stack.
public enum StackKind: UInt8, CaseIterable, Sendable {
    /// A picture and the film of the same moment.
    case live = 0
    /// A raw file and the picture that the camera made of it.
    case raw = 1
    /// A picture and its edited version.
    case edited = 2
    /// Pictures that a camera took in one burst.
    case burst = 3
    /// A person, or a record, put them together.
    case manual = 4

    /// The name in JSON.
    public var name: String {
        switch self {
        case .live: "live"
        case .raw: "raw"
        case .edited: "edited"
        case .burst: "burst"
        case .manual: "manual"
        }
    }

    /// Returns the kind with a name.
    ///
    /// - Throws: ``ModelError`` if there is none.
    package init(name: String) throws(ModelError) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else {
            let names = Self.allCases.map(\.name).joined(separator: ", ")
            throw ModelError("\"\(name)\" is not a kind of stack: \(names)")
        }
        self = kind
    }
}

/// The stack of a photo, as answers show it.
public struct StackSummary: Hashable, Sendable {
    /// The number of its photos, with the cover.
    public var count: Int
    /// The reasons for which its photos are together, in the order of ``StackKind``.
    public var kinds: [StackKind]

    /// Creates a summary.
    public init(count: Int, kinds: [StackKind]) {
        (self.count, self.kinds) = (count, kinds)
    }
}
