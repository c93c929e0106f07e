import Synchronization

/// A cache of values that can be read or computed again, up to a total cost.
///
/// If the values cost more, any of them are dropped, except the last one.
final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State {
        var entries: [Key: (value: Value, cost: Int)] = [:]
        var cost = 0

        mutating func remove(at place: Dictionary<Key, (value: Value, cost: Int)>.Index) {
            cost -= entries.remove(at: place).value.cost
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Creates an empty cache.
    ///
    /// - Parameter limit: The total cost above which values are dropped.
    init(limit: Int) { self.limit = limit }

    /// The total cost of the values.
    var cost: Int { state.withLock { $0.cost } }

    /// All values.
    var all: [Key: Value] { state.withLock { $0.entries.mapValues(\.value) } }

    subscript(key: Key) -> Value? { state.withLock { $0.entries[key]?.value } }

    /// Caches a value in place of an earlier one.
    func keep(_ value: Value, costing cost: Int, for key: Key) {
        state.withLock { state in
            if let earlier = state.entries.index(forKey: key) { state.remove(at: earlier) }
            while state.cost + cost > limit, !state.entries.isEmpty { state.remove(at: state.entries.startIndex) }
            state.entries[key] = (value, cost)
            state.cost += cost
        }
    }

    /// Drops a value, if it is cached.
    func drop(_ key: Key) {
        state.withLock { state in
            if let place = state.entries.index(forKey: key) { state.remove(at: place) }
        }
    }

    /// Drops all values.
    func removeAll() { state.withLock { $0 = State() } }
}
