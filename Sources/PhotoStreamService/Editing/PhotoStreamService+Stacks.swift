public import PhotoStreamModel
import PhotoStreamStorage

extension PhotoStreamService {
    /// Makes a photo the cover of its stack: layouts show it instead of the former cover, at that photo's place.
    ///
    /// This counts as a person's edit, so no import chooses another cover.
    ///
    /// - Parameters:
    ///   - id: The photo.
    ///   - stream: The stream.
    ///   - check: Receives the photo as it was, in the transaction of the write. An error that it throws prevents the write.
    /// - Returns: The photo as it is now.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``,
    ///   ``StreamServiceError/notInStack(_:)``, and the errors of `check`.
    @discardableResult
    public func makeCover(
        _ id: PhotoID, in stream: StreamName, if check: (Photo) throws -> Void = { _ in }
    ) throws -> Photo {
        try write { writer in
            let row = try writer.reader.row(of: stream)
            try check(try writer.reader.photo(id, of: row).photo)
            guard try writer.makeCover(streamID: row.id, id: id) != nil else {
                throw StreamServiceError.notInStack(id.rawValue)
            }
            return try writer.reader.photo(id, of: row).photo
        }
    }

    /// Takes the stack of a photo apart: layouts show each of its photos again.
    ///
    /// This counts as a person's edit, so no import stacks them again.
    ///
    /// - Parameters:
    ///   - id: Any photo of the stack.
    ///   - stream: The stream.
    ///   - check: Receives the photo as it was, in the transaction of the write. An error that it throws prevents the write.
    /// - Returns: The ids of the photos that were in the stack, the cover first.
    /// - Throws: ``StreamServiceError/unknownStream(_:)``, ``StreamServiceError/unknownPhoto(_:stream:)``,
    ///   ``StreamServiceError/notInStack(_:)``, and the errors of `check`.
    @discardableResult
    public func takeApartStack(
        of id: PhotoID, in stream: StreamName, if check: (Photo) throws -> Void = { _ in }
    ) throws -> [PhotoID] {
        try write { writer in
            let row = try writer.reader.row(of: stream)
            let photo = try writer.reader.photo(id, of: row).photo
            try check(photo)
            guard let place = photo.stack else { throw StreamServiceError.notInStack(id.rawValue) }
            return try writer.takeApart(streamID: row.id, stack: place.stack).map(\.photo.id)
        }
    }
}
