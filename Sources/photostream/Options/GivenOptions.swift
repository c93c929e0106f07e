/// Which of some options were given, in the order of the help.
struct GivenOptions {
    private(set) var names: [String] = []

    /// Takes note of an option.
    mutating func add(_ name: String, _ isGiven: Bool) {
        if isGiven { names.append(name) }
    }
}
