import PhotoStreamLayout

extension Rect {
    /// Reads `X,Y,WIDTH,HEIGHT`, in points.
    ///
    /// - Throws: `ValidationError` that says what is wrong.
    init(text: String) throws {
        let numbers = try NumberList.numbers(text, count: 4)
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}

extension EdgeInsets {
    /// Reads `TOP,LEFT,BOTTOM,RIGHT`, in points.
    ///
    /// - Throws: `ValidationError` that says what is wrong.
    init(text: String) throws {
        let numbers = try NumberList.numbers(text, count: 4)
        self.init(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
    }
}

extension Point {
    /// Reads `X,Y`, in points.
    ///
    /// - Throws: `ValidationError` that says what is wrong.
    init(text: String) throws {
        let numbers = try NumberList.numbers(text, count: 2)
        self.init(x: numbers[0], y: numbers[1])
    }
}

extension Size {
    /// Reads `WIDTH,HEIGHT`, in points.
    ///
    /// - Throws: `ValidationError` that says what is wrong.
    init(text: String) throws {
        let numbers = try NumberList.numbers(text, count: 2)
        self.init(width: numbers[0], height: numbers[1])
    }
}
