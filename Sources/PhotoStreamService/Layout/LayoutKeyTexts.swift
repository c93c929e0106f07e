public import PhotoStreamLayout
import Synchronization

/// The texts of the layout keys that were met last: a page reads and writes its layout's several times.
public final class LayoutKeyTexts: Sendable {
    private struct State {
        var keys: [String: LayoutKey] = [:]
        var texts: [LayoutKey: String] = [:]

        mutating func remember(_ key: LayoutKey, _ text: String) {
            if texts.count >= LayoutKeyTexts.capacity { (keys, texts) = ([:], [:]) }
            keys[text] = key
            texts[key] = text
        }
    }

    /// Those of this process.
    public static let shared = LayoutKeyTexts()

    private static let capacity = 256
    private let state = Mutex(State())

    /// The canonical text of a key.
    public func text(of key: LayoutKey) -> String {
        if let known = state.withLock({ $0.texts[key] }) { return known }
        let text = key.description
        // A layout of somebody's own has a text, but no text makes it again.
        if case .custom = key.algorithm { return text }
        state.withLock { $0.remember(key, text) }
        return text
    }

    /// Reads a canonical text.
    ///
    /// - Throws: What `LayoutKey(parsing:)` throws.
    func key(parsing text: String) throws(LayoutError) -> LayoutKey {
        if let known = state.withLock({ $0.keys[text] }) { return known }
        let key = try LayoutKey(parsing: text)
        state.withLock { $0.remember(key, text) }
        return key
    }
}
