/// The state of a condition for each of some consecutive photos before their rows are read: met, not met, or open.
package struct ConditionVerdict: Hashable, Sendable {
    /// The photos that meet the condition.
    package private(set) var met: PhotoMask
    /// The photos that do not.
    package private(set) var unmet: PhotoMask

    /// Creates the verdict that is known for all photos.
    package init(met: PhotoMask) {
        (self.met, unmet) = (met, met.inverted)
    }

    /// Creates a verdict that is open for photos in neither mask.
    package init(met: PhotoMask, unmet: PhotoMask) {
        (self.met, self.unmet) = (met, unmet)
    }

    /// Creates the verdict that is open for all photos.
    package static func open(count: Int) -> ConditionVerdict {
        ConditionVerdict(met: PhotoMask(count: count), unmet: PhotoMask(count: count))
    }

    /// The positions of the photos whose rows must be read.
    package var open: [Int] {
        var decided = met
        decided.formUnion(unmet)
        return decided.inverted.positions
    }

    /// The verdict about the negation.
    fileprivate var negated: ConditionVerdict { ConditionVerdict(met: unmet, unmet: met) }

    fileprivate mutating func formIntersection(_ other: ConditionVerdict) {
        met.formIntersection(other.met)
        unmet.formUnion(other.unmet)
    }
}

/// Facts about consecutive photos without their rows.
package protocol ConditionFacts {
    /// The number of photos.
    var count: Int { get }
    /// Returns the verdict about a term.
    func verdict(of term: ConditionTerm) throws -> ConditionVerdict
    /// Returns the verdict about words in some fields.
    func verdict(of words: SearchPhrase, in fields: PhotoFields) throws -> ConditionVerdict
}

extension Condition {
    /// Returns what some facts tell about the condition.
    ///
    /// - Parameter facts: The facts.
    /// - Returns: The verdict. A photo is open only if facts about it are missing that could change the verdict.
    /// - Throws: The errors of `facts`.
    /// - Complexity: O(terms × photos / 64), and the work of `facts`.
    package func verdict(from facts: some ConditionFacts) throws -> ConditionVerdict {
        try root.verdict(from: facts)
    }
}

extension Condition.Node {
    fileprivate func verdict(from facts: some ConditionFacts) throws -> ConditionVerdict {
        switch self {
        case .all: return ConditionVerdict(met: PhotoMask(count: facts.count, isFull: true))
        case .words(let words, let fields): return try facts.verdict(of: words, in: fields)
        case .term(let term): return try facts.verdict(of: term)
        case .not(let inner): return try inner.verdict(from: facts).negated
        case .and(let parts):
            var verdict = ConditionVerdict(met: PhotoMask(count: facts.count, isFull: true))
            for part in parts {
                verdict.formIntersection(try part.verdict(from: facts))
                guard !verdict.unmet.isFull else { break }
            }
            return verdict
        // By De Morgan's law.
        case .or(let parts):
            return try Condition.Node.and(parts.map(\.negated)).verdict(from: facts).negated
        }
    }
}
