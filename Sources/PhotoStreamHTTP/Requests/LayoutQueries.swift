import PhotoStreamLayout
import PhotoStreamService
import Synchronization

/// The layouts that queries have described last: clients ask about few layouts many times.
final class LayoutQueries: Sendable {
    /// Those of this process.
    static let shared = LayoutQueries()

    private static let capacity = 256
    private static let names = Set(LayoutOption.allCases.map(\.rawValue))
    private let keys = Mutex<[String: LayoutKey?]>([:])

    /// Whether an option of layouts has a name.
    static func isOption(_ name: String) -> Bool { names.contains(name) }

    /// The layout that options describe; `nil` where they describe none.
    ///
    /// - Parameter options: Names and values of options of layouts, as they were given.
    /// - Returns: The layout.
    /// - Throws: `LayoutOptionError` where they describe none that can be.
    func key(of options: [(name: String, value: String)]) throws -> LayoutKey? {
        // Of no two lists of options it is the same text: a name has neither sign.
        let text = options.map { "\($0.name)=\($0.value.utf8.count):\($0.value)" }.joined(separator: "&")
        if let known = keys.withLock({ $0[text] }) { return known }
        var values = LayoutOptionValues()
        for (name, value) in options {
            guard let option = LayoutOption(rawValue: name) else { continue }
            try values.set(option, to: value)
        }
        let key = try values.key()
        keys.withLock { keys in
            if keys.count >= Self.capacity { keys = [:] }
            keys[text] = .some(key)
        }
        return key
    }
}
