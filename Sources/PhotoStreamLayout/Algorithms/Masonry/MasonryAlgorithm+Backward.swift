import PhotoStreamModel

extension MasonryAlgorithm {
    /// Frames that were folded from the last item to the first, in stream order and counted from the other end.
    ///
    /// With G the greatest end, an item at t of the extent e stands at G - t - e. Where columns have no gaps but the
    /// line spacing, an item ends where the next in its column begins less that, so no extent is computed again.
    ///
    /// - Parameters:
    ///   - result: The result of the fold, the last item's frame first.
    ///   - items: The items in stream order.
    /// - Returns: The frames, the first item's first, from a base that the greatest end becomes.
    /// - Complexity: O(items).
    func turnedAround(
        _ result: PlacementResult<MasonryState, MasonryFrames>, items: PackedMetrics
    ) -> MasonryFrames {
        switch result.frames {
        case .narrow(let numbers): turnedAround(numbers.values, result: result, items: items)
        case .wide(let numbers): turnedAround(numbers.values, result: result, items: items)
        }
    }

    private func turnedAround<Number: FixedWidthInteger & UnsignedInteger>(
        _ numbers: [Number], result: PlacementResult<MasonryState, MasonryFrames>, items: PackedMetrics
    ) -> MasonryFrames {
        // No top lies below the greatest end: nearly always that settles how long the numbers are.
        let greatestEnd = UInt64(result.greatestEnd)
        return (greatestEnd + 1) << UInt64(columnBits) <= UInt64(UInt32.max)
            ? .narrow(MasonryNumbers(turned(numbers, result: result, items: items), boxedAbove: boxedBits(items)))
            : MasonryFrames(turned(numbers, result: result, items: items), boxedAbove: boxedBits(items))
    }

    private func turned<Number: FixedWidthInteger & UnsignedInteger, Turned: FixedWidthInteger & UnsignedInteger>(
        _ numbers: [Number], result: PlacementResult<MasonryState, MasonryFrames>, items: PackedMetrics
    ) -> [Turned] {
        // Columns begin again with a section, and what was in them before that is not known.
        guard isPlain(items), result.sections.allSatisfy({ $0.position == 0 }) else {
            let greatestEnd = result.greatestEnd
            return numbers.indices.map { position in
                let packed = UInt64(numbers[numbers.count - 1 - position])
                return turned(packed, to: UInt64(greatestEnd - end(packed, of: items[position])))
            }
        }
        // Where the first item of each column stands, counted from the other end; then the next one of it.
        let behindAll = result.greatestEnd + lineSpacing
        var tops = result.state.fronts.map { UInt64(bitPattern: behindAll - result.origin - $0) }
        let columnMask: UInt64 = 1 << UInt64(columnBits) &- 1
        return [Turned](unsafeUninitializedCapacity: numbers.count) { turned, count in
            numbers.withUnsafeBufferPointer { numbers in
                tops.withUnsafeMutableBufferPointer { tops in
                    for position in numbers.indices {
                        let packed = UInt64(truncatingIfNeeded: numbers[numbers.count &- 1 &- position])
                        let column = Int(truncatingIfNeeded: packed & columnMask)
                        turned[position] = self.turned(packed, to: tops[column])
                        tops[column] = UInt64(bitPattern: behindAll &- top(packed))
                    }
                }
            }
            count = numbers.count
        }
    }

    /// An item's number with another top.
    @inline(__always)
    private func turned<Turned: FixedWidthInteger & UnsignedInteger>(_ packed: UInt64, to top: UInt64) -> Turned {
        let columnMask: UInt64 = 1 << UInt64(columnBits) &- 1
        return Turned(truncatingIfNeeded: top << UInt64(columnBits) | packed & columnMask)
    }
}
