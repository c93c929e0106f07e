import CPostgres

extension PrimaryConnection {
    /// Reads the rows that `COPY … TO STDOUT (FORMAT binary)` sends.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - limit: The maximum time without any data.
    ///   - body: Receives the bytes of each message, which contains a row or a part of one.
    /// - Throws: ``PrimaryError`` and the errors of `body`, after which the connection is broken.
    func copyOut(sql: String, within limit: Duration, _ body: ([UInt8]) throws -> Void) throws {
        try inCopyMode(sql: sql, expecting: PGRES_COPY_OUT, within: limit) {
            while true {
                var start: UnsafeMutablePointer<CChar>?
                let count = unsafe PQgetCopyData(pointer, &start, 1)
                switch count {
                case 0: try waitForServer(alsoForRoom: false, until: .now.advanced(by: limit))
                case -1: return
                case ..<0: throw breaking()
                default:
                    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
                    unsafe PQfreemem(start)
                    try body(bytes)
                }
            }
        }
    }

    /// Sends rows to `COPY … FROM STDIN (FORMAT binary)`.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - limit: The maximum time in which no data are accepted, and for the answer at the end.
    ///   - body: Calls its argument with the bytes of the file that is copied.
    /// - Throws: ``PrimaryError`` and the errors of `body`, after which the connection is broken.
    func copyIn(sql: String, within limit: Duration, _ body: (_ send: ([UInt8]) throws -> Void) throws -> Void) throws {
        try inCopyMode(sql: sql, expecting: PGRES_COPY_IN, within: limit) {
            try body { bytes in
                try sending(within: limit) {
                    unsafe bytes.withUnsafeBytes { buffer in
                        unsafe PQputCopyData(
                            pointer, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count))
                    }
                }
                // It returns 0 once everything is sent.
                try sending(within: limit) { unsafe 1 - PQflush(pointer) }
            }
            try sending(within: limit) { unsafe PQputCopyEnd(pointer, nil) }
        }
    }

    /// Repeats a call until it returns 1; after 0, it waits until the server takes data.
    private func sending(within limit: Duration, _ call: () -> Int32) throws(PrimaryError) {
        while true {
            let code = call()
            if code == 1 { return }
            guard code == 0 else { throw breaking() }
            try waitForServer(alsoForRoom: true, until: .now.advanced(by: limit))
        }
    }

    private func inCopyMode(
        sql: String, expecting status: ExecStatusType, within limit: Duration, _ body: () throws -> Void
    ) throws {
        try send(script: sql)
        do {
            guard let result = unsafe try nextResult(until: .now.advanced(by: limit)) else { throw breaking() }
            defer { unsafe PQclear(result) }
            guard unsafe PQresultStatus(result) == status else { throw unsafe refusal(result) }
            try body()
            try endScript(within: limit)
        } catch {
            isBroken = true
            throw error
        }
    }
}
