import PhotoStreamModel

extension MasonryAlgorithm {
    /// Turns frames that were folded from the last item to the first into stream order, counted from the other end.
    ///
    /// If G is the greatest end, an item at t with extent e lies at G - t - e. If columns have no gaps except the line
    /// spacing, an item ends one spacing before the start of the next in its column, so no extent is computed again.
    ///
    /// - Parameters:
    ///   - result: The result of the fold, with the last item's frame first.
    ///   - items: The items in stream order.
    /// - Returns: The frames in stream order, from a base at the greatest end.
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
        // No top lies below the greatest end, which nearly always decides the width of the numbers.
        let greatestEnd = UInt64(result.greatestEnd)
        return (greatestEnd + 1) << UInt64(columnBits) <= UInt64(UInt32.max)
            ? .narrow(MasonryNumbers(turned(numbers, result: result, items: items), boxedAbove: boxedBits(items)))
            : MasonryFrames(turned(numbers, result: result, items: items), boxedAbove: boxedBits(items))
    }

    private func turned<Number: FixedWidthInteger & UnsignedInteger, Turned: FixedWidthInteger & UnsignedInteger>(
        _ numbers: [Number], result: PlacementResult<MasonryState, MasonryFrames>, items: PackedMetrics
    ) -> [Turned] {
        // Columns start again with a section, and their earlier content is unknown.
        guard isPlain(items), result.sections.allSatisfy({ $0.position == 0 }) else {
            let greatestEnd = result.greatestEnd
            return numbers.indices.map { position in
                let packed = UInt64(numbers[numbers.count - 1 - position])
                return turned(packed, to: UInt64(greatestEnd - end(packed, of: items[position])))
            }
        }
        // The start of each column's first item, counted from the other end; later of its next item.
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

    /// An item's number with a different top.
    @inline(__always)
    private func turned<Turned: FixedWidthInteger & UnsignedInteger>(_ packed: UInt64, to top: UInt64) -> Turned {
        let columnMask: UInt64 = 1 << UInt64(columnBits) &- 1
        return Turned(truncatingIfNeeded: top << UInt64(columnBits) | packed & columnMask)
    }
}
