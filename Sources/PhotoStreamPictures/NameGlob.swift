/// A pattern of names or paths with `*`, `?` and `[a-z]`, which ignores case.
///
///     let pattern = NameGlob("img_*.jpg")
///     let isMatch = pattern?.matches(NameGlob.folded("IMG_1.JPG"))  // true
///
/// `*`, `?` and brackets match no slash. `**` at the start, at the end or between slashes matches any number of names.
/// A backslash takes the meaning of the next character. Brackets have ranges, `!` or `^` for all others, and classes such
/// as `[:digit:]`.
///
/// Source: fnmatch(3), gitignore(5), and for the cases that these leave open `wildmatch.c` of Git, which also takes two
/// stars for the start of a pattern if they are its first special characters. Git compares bytes, and this code points.
struct NameGlob: Hashable, Sendable {
    private enum Step: Hashable {
        case character(Unicode.Scalar)
        /// One character.
        case member(NameGlobSet)
        /// Any number of characters without slashes.
        case run
        /// Any number of characters.
        case path
        /// Nothing; the next two steps, which match folders and the slash after them, may be skipped.
        case optional
    }

    private var steps: [Step] = []
    /// The text at the start, which is compared first because most patterns fail there.
    private var prefix: [Unicode.Scalar] = []
    /// The same at the end.
    private var suffix: [Unicode.Scalar] = []

    /// Reads a pattern; `nil` if a bracket is not closed, a class is unknown or a backslash is the last character.
    init?(_ text: some StringProtocol) {
        var rest = Self.folded(text)[...]
        let firstSpecial = rest.firstIndex { ["*", "?", "[", "\\"].contains($0) }
        var isAfterSlash = true
        while let next = rest.popFirst() {
            let isAtStart = isAfterSlash || rest.startIndex - 1 == firstSpecial
            isAfterSlash = next == "/"
            switch next {
            case "*": isAfterSlash = addStars(before: &rest, areAtStart: isAtStart)
            case "?": steps.append(.member(.all))
            case "[":
                guard let set = NameGlobSet(from: &rest) else { return nil }
                steps.append(.member(set))
            case "\\":
                guard let escaped = rest.popFirst() else { return nil }
                isAfterSlash = escaped == "/"
                steps.append(.character(escaped))
            default: steps.append(.character(next))
            }
        }
        let texts = steps.map { step -> Unicode.Scalar? in
            if case .character(let scalar) = step { scalar } else { nil }
        }
        prefix = texts.prefix { $0 != nil }.compactMap(\.self)
        // The slash after folders that may be skipped is not always there.
        let firstCertain = steps.lastIndex(of: .optional).map { $0 + 3 } ?? 0
        suffix = texts[firstCertain...].reversed().prefix { $0 != nil }.reversed().compactMap(\.self)
    }

    /// Adds the steps of stars, after the first of them.
    ///
    /// - Returns: Whether they include a slash after the stars.
    private mutating func addStars(before rest: inout ArraySlice<Unicode.Scalar>, areAtStart: Bool) -> Bool {
        let others = rest.prefix { $0 == "*" }
        rest = rest.dropFirst(others.count)
        guard !others.isEmpty, areAtStart, rest.isEmpty || rest.first == "/" || rest.starts(with: ["\\", "/"]) else {
            steps.append(.run)
            return false
        }
        guard rest.first == "/" else {
            steps.append(.path)
            return false
        }
        rest.removeFirst()
        steps += [.optional, .path, .character("/")]
        return true
    }

    /// The form in which texts are compared: lower case.
    static func folded(_ text: some StringProtocol) -> [Unicode.Scalar] { Array(text.lowercased().unicodeScalars) }

    /// Whether a text, in the form of ``folded(_:)``, matches as a whole.
    ///
    /// - Complexity: O(length of the text × length of the pattern); for most texts that do not match, O(1).
    func matches(_ text: [Unicode.Scalar]) -> Bool {
        guard prefix.count < steps.count else { return text == prefix }
        guard text.count >= prefix.count + suffix.count, text.starts(with: prefix),
            text.suffix(suffix.count).elementsEqual(suffix)
        else { return false }
        // The steps that may be next after the text so far.
        var reached = [Bool](repeating: false, count: steps.count + 1)
        reached[0] = true
        skipEmpty(&reached)
        for scalar in text {
            var next = [Bool](repeating: false, count: steps.count + 1)
            for (position, step) in steps.enumerated() where reached[position] {
                switch step {
                case .character(let own): if own == scalar { next[position + 1] = true }
                case .member(let set): if set.contains(scalar) { next[position + 1] = true }
                case .run: if scalar != "/" { next[position] = true }
                case .path: next[position] = true
                case .optional: break
                }
            }
            guard next.contains(true) else { return false }
            skipEmpty(&next)
            reached = next
        }
        return reached[steps.count]
    }

    /// Adds the steps that are reached without a character.
    private func skipEmpty(_ reached: inout [Bool]) {
        for (position, step) in steps.enumerated() where reached[position] {
            switch step {
            case .run, .path: reached[position + 1] = true
            case .optional: (reached[position + 1], reached[position + 3]) = (true, true)
            case .character, .member: break
            }
        }
    }
}

/// The characters that brackets or a question mark of a pattern match; never a slash.
struct NameGlobSet: Hashable, Sendable {
    /// All characters.
    static let all = NameGlobSet()

    private static let classes: Set<String> = [
        "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit",
    ]

    private var ranges: [ClosedRange<UInt32>] = []
    private var classes: Set<String> = []
    private var isNegated = true

    private init() {}

    /// Reads the rest of brackets, in lower case; `nil` if they are not closed or a class is unknown.
    init?(from rest: inout ArraySlice<Unicode.Scalar>) {
        isNegated = rest.first == "!" || rest.first == "^"
        if isNegated { rest.removeFirst() }
        var previous: UInt32?
        var isFirst = true
        while let next = rest.popFirst() {
            // A closing bracket in the first place is a member.
            if next == "]", !isFirst { return }
            isFirst = false
            if next == "-", let start = previous, let end = rest.first, end != "]" {
                rest.removeFirst()
                guard let last = end == "\\" ? rest.popFirst() : end else { return nil }
                if start <= last.value { ranges.append(start...last.value) }
                previous = nil
            } else if next == "[", rest.first == ":", let end = rest.dropFirst().firstIndex(of: "]"),
                end > rest.startIndex + 1, rest[end - 1] == ":"
            {
                var name = String.UnicodeScalarView()
                name.append(contentsOf: rest[rest.startIndex + 1..<end - 1])
                guard Self.classes.contains(String(name)) else { return nil }
                classes.insert(String(name))
                rest = rest[(end + 1)...]
                previous = nil
            } else {
                guard let member = next == "\\" ? rest.popFirst() : next else { return nil }
                ranges.append(member.value...member.value)
                previous = member.value
            }
        }
        return nil
    }

    /// Whether a character, in lower case, is one of them.
    func contains(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar != "/" else { return false }
        return (ranges.contains { $0.contains(scalar.value) } || classes.contains { Self.class($0, contains: scalar) })
            != isNegated
    }

    /// Whether an ASCII character is in a class; a letter is upper and lower case.
    private static func `class`(_ name: String, contains scalar: Unicode.Scalar) -> Bool {
        let (isLetter, isDigit) = ("a"..."z" ~= scalar, "0"..."9" ~= scalar)
        let isVisible = "!"..."~" ~= scalar
        return switch name {
        case "alnum": isLetter || isDigit
        case "alpha", "lower", "upper": isLetter
        case "blank": scalar == " " || scalar == "\t"
        case "cntrl": scalar.value < 0x20 || scalar.value == 0x7F
        case "digit": isDigit
        case "graph": isVisible
        case "print": isVisible || scalar == " "
        case "punct": isVisible && !isLetter && !isDigit
        case "space": scalar == " " || 0x09...0x0D ~= scalar.value
        default: isDigit || "a"..."f" ~= scalar
        }
    }
}
