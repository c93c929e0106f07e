import Foundation

/// Records by row id in a fixed amount of memory: new records overwrite the oldest.
///
/// Records are contiguous in a ring, each preceded by its row id and its length. Positions count on forever, so a
/// position tells whether its record still exists, and overwriting a record takes no further work. The index has eight
/// slots per hash, 64 bytes; if nine rows share a hash, the oldest is dropped.
///
/// A dropped record also loses its row id. So reading rows in the order in which they were inserted, such as those of a
/// page, finds each record after the previous one, without a look-up in the index, whose slots are scattered over
/// memory.
@safe struct RowRing: ~Copyable {
    /// The maximum size of a record in bytes; larger ones are not kept.
    static let recordLimit = 1 << 16

    private static let unit = 8
    private static let headByteCount = 12
    private static let slotsPerHash = 8
    private static let tagBits: UInt64 = 16
    /// Replaces the row id of a dropped record; no row has this id.
    private static let tombstone = Int64.min

    private let bytes: UnsafeMutableRawPointer
    // Each slot holds a position and, in the low bits, the part of the row id's hash that the slot's place does not
    // determine. Positions begin at the capacity, so 0 is an empty slot.
    private let slots: UnsafeMutablePointer<UInt64>
    private let mappedByteCount: Int
    /// The capacity in units.
    private let capacity: UInt64
    private let hashBits: UInt64
    /// The position of the next record.
    private var head: UInt64
    /// Records before this position are dropped.
    private var floor: UInt64

    /// Creates an empty ring.
    ///
    /// The system allocates memory as it is written to.
    ///
    /// - Parameters:
    ///   - byteCount: The size of the ring, a multiple of 8.
    ///   - hashBits: The index has 8 · 2^`hashBits` slots of eight bytes.
    init(byteCount: Int, hashBits: Int) {
        precondition(byteCount % Self.unit == 0 && byteCount > 0 && (1...40).contains(hashBits))
        let slotCount = Self.slotsPerHash << hashBits
        mappedByteCount = byteCount + slotCount * MemoryLayout<UInt64>.size
        // The system zeroes these pages when they are first touched; heap memory need not be zero.
        let memory = unsafe mmap(nil, mappedByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
            preconditionFailure("there is not enough memory for the row cache")
        }
        unsafe bytes = memory
        unsafe slots = (memory + byteCount).bindMemory(to: UInt64.self, capacity: slotCount)
        capacity = UInt64(byteCount / Self.unit)
        self.hashBits = UInt64(hashBits)
        (head, floor) = (capacity, capacity)
    }

    deinit {
        unsafe munmap(bytes, mappedByteCount)
    }

    /// Calls a closure with each record found.
    ///
    /// - Parameters:
    ///   - rowIDs: The row ids.
    ///   - body: Receives the position of a row id and its record, which it must not keep.
    /// - Returns: The positions of the row ids that were not found.
    func find(_ rowIDs: [Int64], body: (Int, UnsafeRawBufferPointer) -> Void) -> [Int] {
        var missing: [Int] = []
        // The position after the last record.
        var next = head
        for (position, rowID) in rowIDs.enumerated() {
            guard let found = isRecord(of: rowID, at: next) ? next : record(of: rowID) else {
                missing.append(position)
                continue
            }
            let start = unsafe address(found)
            let count = unsafe Int(start.load(fromByteOffset: 8, as: UInt32.self))
            unsafe body(position, UnsafeRawBufferPointer(start: start + Self.headByteCount, count: count))
            next = found + Self.length(count)
        }
        return missing
    }

    /// Stores a record, replacing the row's earlier one.
    ///
    /// Records that are too large are ignored.
    mutating func insert(_ rowID: Int64, record: UnsafeRawBufferPointer) {
        remove(rowID)
        let length = Self.length(record.count)
        guard rowID != Self.tombstone, record.count <= Self.recordLimit, length <= capacity else { return }
        // A record is contiguous; the rest of the ring is skipped.
        if head % capacity + length > capacity {
            unsafe address(head).storeBytes(of: Self.tombstone, as: Int64.self)
            head += capacity - head % capacity
        }
        let position = head
        head += length
        let start = unsafe address(position)
        unsafe start.storeBytes(of: rowID, as: Int64.self)
        unsafe start.storeBytes(of: UInt32(record.count), toByteOffset: 8, as: UInt32.self)
        unsafe UnsafeMutableRawBufferPointer(start: start + Self.headByteCount, count: record.count).copyMemory(
            from: record)
        unsafe slots[freeSlot(rowID)] = position << Self.tagBits | tag(rowID)
    }

    /// Drops a record, if there is one.
    mutating func remove(_ rowID: Int64) {
        if let slot = slot(of: rowID) { empty(slot) }
    }

    /// Drops all records.
    mutating func removeAll() { floor = head }

    private func hash(_ rowID: Int64) -> UInt64 { UInt64(bitPattern: rowID) &* 0x9E37_79B9_7F4A_7C15 }

    private func slots(of rowID: Int64) -> Range<Int> {
        let first = Int(hash(rowID) >> (64 - hashBits)) * Self.slotsPerHash
        return first..<first + Self.slotsPerHash
    }

    private func tag(_ rowID: Int64) -> UInt64 { UInt64(bitPattern: rowID) & (1 << Self.tagBits - 1) }

    private static func length(_ count: Int) -> UInt64 { UInt64((headByteCount + count + unit - 1) / unit) }

    private func address(_ position: UInt64) -> UnsafeMutableRawPointer {
        unsafe bytes + Int(position % capacity) * Self.unit
    }

    private func isThere(_ position: UInt64) -> Bool {
        position >= floor && position + capacity >= head
    }

    /// Whether a row's record begins at a position, which must be the start of a past or the next record.
    private func isRecord(of rowID: Int64, at position: UInt64) -> Bool {
        unsafe position < head && isThere(position) && address(position).load(as: Int64.self) == rowID
            && rowID != Self.tombstone
    }

    private func record(of rowID: Int64) -> UInt64? { slot(of: rowID).map { unsafe slots[$0] >> Self.tagBits } }

    private func slot(of rowID: Int64) -> Int? {
        let tag = tag(rowID)
        return slots(of: rowID).first { slot in
            unsafe slots[slot] & (1 << Self.tagBits - 1) == tag && isRecord(of: rowID, at: slots[slot] >> Self.tagBits)
        }
    }

    /// Empties a slot with an existing record, and erases the record's row id.
    private func empty(_ slot: Int) {
        unsafe address(slots[slot] >> Self.tagBits).storeBytes(of: Self.tombstone, as: Int64.self)
        unsafe slots[slot] = 0
    }

    /// Returns a slot that is empty or whose record was overwritten, or else empties the oldest.
    private func freeSlot(_ rowID: Int64) -> Int {
        let candidates = slots(of: rowID)
        if let free = candidates.first(where: { unsafe !isThere(slots[$0] >> Self.tagBits) }) { return free }
        let oldest = candidates.min { unsafe slots[$0] < slots[$1] } ?? candidates.lowerBound
        empty(oldest)
        return oldest
    }
}
