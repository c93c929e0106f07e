public import ArgumentParser
public import PhotoStreamLayout

extension Rect: ExpressibleByArgument {
    /// Reads `X,Y,WIDTH,HEIGHT`, in points.
    public init?(argument: String) {
        guard let numbers = NumberList.numbers(argument, count: 4) else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}

extension EdgeInsets: ExpressibleByArgument {
    /// Reads `TOP,LEFT,BOTTOM,RIGHT`, in points.
    public init?(argument: String) {
        guard let numbers = NumberList.numbers(argument, count: 4) else { return nil }
        self.init(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
    }
}

extension Point: ExpressibleByArgument {
    /// Reads `X,Y`, in points.
    public init?(argument: String) {
        guard let numbers = NumberList.numbers(argument, count: 2) else { return nil }
        self.init(x: numbers[0], y: numbers[1])
    }
}
