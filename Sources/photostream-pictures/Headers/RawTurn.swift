import PhotoStreamModel

extension Orientation {
    /// Translates a turn of libraw: bit 0 mirrors columns, bit 1 rows, and bit 2 exchanges rows and columns.
    init(rawTurn: Int32) {
        let orientations: [Orientation] = [
            .up, .upMirrored, .downMirrored, .down, .leftMirrored, .left, .right, .rightMirrored,
        ]
        self = 0..<8 ~= rawTurn ? orientations[Int(rawTurn)] : .up
    }
}
