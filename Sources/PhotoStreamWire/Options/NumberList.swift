package import PhotoStreamLayout
import PhotoStreamModel

/// Numbers separated by commas, as in values of options: `0,4000,1200,900`.
private enum NumberList {
    /// Reads exactly this many numbers.
    static func numbers(_ text: String, count: Int) throws(NumberListError) -> [Double] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            part.filter { $0 != " " }
        }
        guard parts.count == count else {
            throw NumberListError(description: "that is not \(count) numbers between commas")
        }
        var numbers: [Double] = []
        for part in parts {
            guard let number = Double(decimal: part) else {
                throw NumberListError(description: "\"\(part)\" is not a number")
            }
            // An infinity that is written as a word is refused later, with the name of its option.
            guard number.isFinite || !part.contains(where: \.isNumber) else {
                throw NumberListError(description: "\"\(part)\" is beyond what a number can be")
            }
            numbers.append(number)
        }
        return numbers
    }
}

/// The error of a text that is not a list of the expected numbers: their count is wrong, or one of them is not a number
/// or exceeds `Double`.
package struct NumberListError: Error, CustomStringConvertible {
    /// The reason, in one sentence.
    package let description: String
}

extension Size {
    /// Reads `WIDTH,HEIGHT`, in points.
    package init(text: String) throws(NumberListError) {
        let numbers = try NumberList.numbers(text, count: 2)
        self.init(width: numbers[0], height: numbers[1])
    }
}

extension Point {
    /// Reads `X,Y`, in points.
    package init(text: String) throws(NumberListError) {
        let numbers = try NumberList.numbers(text, count: 2)
        self.init(x: numbers[0], y: numbers[1])
    }
}

extension Rect {
    /// Reads `X,Y,WIDTH,HEIGHT`, in points.
    package init(text: String) throws(NumberListError) {
        let numbers = try NumberList.numbers(text, count: 4)
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}

extension EdgeInsets {
    /// Reads `TOP,LEFT,BOTTOM,RIGHT`, in points.
    package init(text: String) throws(NumberListError) {
        let numbers = try NumberList.numbers(text, count: 4)
        self.init(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
    }
}
