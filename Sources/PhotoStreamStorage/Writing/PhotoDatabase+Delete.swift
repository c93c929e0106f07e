package import PhotoStreamModel

extension PhotoDatabase {
    /// How many photos go between two looks at the clock.
    private static var photosPerLook: Int { 64 }

    /// Deletes photos in one write transaction, which ends when the budget is spent: other writers wait no longer.
    ///
    /// - Parameters:
    ///   - ids: Which, in order.
    ///   - streamID: The stream's row id.
    ///   - budgetMilliseconds: The time that the transaction may take before its commit.
    /// - Returns: Of the first ids, whether the stream had them; the caller goes on with the rest in the next batch.
    /// - Throws: ``StorageError``; with code `notFound` when the stream was deleted.
    /// - Complexity: O(log n) per id.
    package func deletePhotos(
        _ ids: ArraySlice<PhotoID>, from streamID: Int64, budgetMilliseconds: Int = 150
    ) throws -> [Bool] {
        guard !ids.isEmpty else { return [] }
        return try write { writer in
            guard try writer.reader.stream(id: streamID) != nil else {
                throw StorageError(.notFound, "stream \(streamID) was deleted while photos of it were deleted")
            }
            let deadline = ContinuousClock.now.advanced(by: .milliseconds(budgetMilliseconds))
            var wereKnown: [Bool] = []
            for id in ids {
                wereKnown.append(try writer.deletePhoto(streamID: streamID, id: id))
                if wereKnown.count % Self.photosPerLook == 0, ContinuousClock.now >= deadline { break }
            }
            try writer.trimLog()
            return wereKnown
        }
    }
}
