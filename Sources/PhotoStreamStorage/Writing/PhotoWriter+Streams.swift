import GRDB
package import PhotoStreamModel

extension PhotoWriter {
    /// Makes a stream without photos.
    ///
    /// - Parameters:
    ///   - name: Its name, not yet taken.
    ///   - order: The order of its photos, for good.
    ///   - now: Milliseconds since 1970.
    /// - Returns: The new stream.
    /// - Throws: ``StorageError`` with code `constraint` when the name is taken.
    @discardableResult
    package func createStream(
        named name: StreamName, order: StreamOrder = .newest, now: Int64
    ) throws -> StreamRow {
        try requireFree(name)
        let statement = try RawStatement(
            database, "INSERT INTO stream (name, createdAtMilliseconds, streamOrder) VALUES (?1, ?2, ?3)")
        try statement.bind(1, copying: name.rawValue)
        statement.bind(2, now)
        statement.bind(3, order.stored)
        try statement.run()
        return StreamRow(id: database.lastInsertedRowID, name: name, order: order, createdAtMilliseconds: now)
    }

    /// Gives a stream another name.
    ///
    /// - Throws: ``StorageError`` with code `notFound`, or `constraint` when the new name is taken.
    package func renameStream(named name: StreamName, to newName: StreamName) throws {
        let stream = try requireStream(name)
        guard name.rawValue.utf8.elementsEqual(newName.rawValue.utf8) == false else { return }
        try requireFree(newName, except: stream.id)
        let statement = try RawStatement(database, "UPDATE stream SET name = ?2 WHERE id = ?1")
        statement.bind(1, stream.id)
        try statement.bind(2, copying: newName.rawValue)
        try statement.run()
    }

    /// Deletes a stream with its photos, its import runs and all that was derived for it.
    ///
    /// - Throws: ``StorageError`` with code `notFound`.
    /// - Complexity: O(n log n) in its photos, each of which is logged.
    package func deleteStream(named name: StreamName) throws {
        let stream = try requireStream(name)
        let statement = try RawStatement(database, "DELETE FROM stream WHERE id = ?1")
        statement.bind(1, stream.id)
        try statement.run()
    }

    /// Checks that no stream has the name, in any normal form, but for one that is about to give it up.
    private func requireFree(_ name: StreamName, except streamID: Int64? = nil) throws {
        guard let stream = try reader.streams().first(where: { $0.name.rawValue == name.rawValue }) else { return }
        guard stream.id == streamID else { throw StorageError(.constraint, "stream \"\(name)\" exists already") }
    }

    private func requireStream(_ name: StreamName) throws -> StreamRow {
        guard let stream = try reader.stream(named: name) else {
            throw StorageError(.notFound, "there is no stream \"\(name)\"")
        }
        return stream
    }
}
