import ArgumentParser
import PhotoStreamLayout
public import PhotoStreamWire

/// The layout of a stream: options in points, or the layout key of an earlier answer.
///
/// The options are those of ``LayoutOption``: the parser finds them by reflection, so the mirror declares them.
struct LayoutOptions: ParsableArguments, CustomReflectable {
    private var values = LayoutOptionValues()
    private var error: LayoutOptionError?

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: LayoutOption.self)
        for option in LayoutOption.allCases {
            let text: String? =
                if case .flag = option.kind {
                    try container.decode(Flag<Bool>.self, forKey: option).wrappedValue ? "true" : nil
                } else {
                    try container.decode(Option<String?>.self, forKey: option).wrappedValue
                }
            guard let text, error == nil else { continue }
            do {
                try values.set(option, to: text)
            } catch let error as LayoutOptionError {
                self.error = error
            }
        }
    }

    var customMirror: Mirror {
        Mirror(self, children: LayoutOption.allCases.map { (label: $0.name, value: $0.declaration) })
    }

    func validate() throws {
        _ = try key()
    }

    /// Returns the layout that the options describe; `nil` if no option is given.
    ///
    /// - Throws: A usage error if the options contradict each other.
    func key() throws -> LayoutKey? {
        try asUsageError { try values.key() }
    }

    /// Returns the layout that the options describe.
    ///
    /// - Throws: A usage error if no option is given.
    func requiredKey() throws -> LayoutKey {
        try asUsageError { try values.requiredKey() }
    }

    private func asUsageError<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            if let error { throw error }
            return try body()
        } catch let error as LayoutOptionError {
            throw ValidationError(error.text(.command))
        }
    }
}

extension LayoutOption: CodingKey {
    /// The declaration of the option for the parser.
    fileprivate var declaration: Any {
        var help = ArgumentHelp(stringLiteral: summary)
        help.valueName = valueName
        var completion: CompletionKind?
        switch kind {
        case .flag: return Flag(wrappedValue: false, name: .customLong(name), help: help)
        case .choice(let choice):
            help.abstract += " (values: \(choice.words.joined(separator: ", ")))"
            completion = .list(choice.words)
        case .number, .count, .size, .insets, .key: break
        }
        // A value may begin with a hyphen, such as -5.
        return Option<String?>(name: .customLong(name), parsing: .unconditional, help: help, completion: completion)
    }
}
