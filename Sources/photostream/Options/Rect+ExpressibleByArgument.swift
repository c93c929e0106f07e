public import ArgumentParser
public import PhotoStreamLayout
import PhotoStreamService

extension Rect: ExpressibleByArgument {
    /// Reads `X,Y,WIDTH,HEIGHT`, in points.
    public init?(argument: String) {
        self.init(optionText: argument)
    }
}

extension EdgeInsets: ExpressibleByArgument {
    /// Reads `TOP,LEFT,BOTTOM,RIGHT`, in points.
    public init?(argument: String) {
        self.init(optionText: argument)
    }
}

extension Point: ExpressibleByArgument {
    /// Reads `X,Y`, in points.
    public init?(argument: String) {
        guard let numbers = NumberList.numbers(argument, count: 2) else { return nil }
        self.init(x: numbers[0], y: numbers[1])
    }
}
