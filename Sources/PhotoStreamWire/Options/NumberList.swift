package import PhotoStreamLayout
import PhotoStreamModel

/// Numbers between commas, as options take them: `0,4000,1200,900`.
private enum NumberList {
    /// Reads so many numbers.
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
            // An infinity that was written as one is refused by name where it matters.
            guard number.isFinite || !part.contains(where: \.isNumber) else {
                throw NumberListError(description: "\"\(part)\" is beyond what a number can be")
            }
            numbers.append(number)
        }
        return numbers
    }
}

/// Why a text is no list of so many numbers: it is another count, something is no number, or more than a `Double` holds.
package struct NumberListError: Error, CustomStringConvertible {
    /// What is wrong, in one sentence.
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
