import PhotoStreamModel

/// A parser of a width and a height, with or without decimals.
enum SizeReader {
    private enum Side {
        case whole(Int)
        case decimal(DecimalNumber)
    }

    /// Returns the change that the two sides make to the size.
    ///
    /// Decimal sides are scaled to integers by a common power of ten: 8.5 by 11 becomes 85 by 110. If that would exceed
    /// 1,000,000, the largest power that does not is used; results are rounded half away from zero, and are at least 1.
    ///
    /// - Throws: ``RecordProblem`` with the side and its value.
    static func size(in fields: RecordFields) throws(RecordProblem) -> FieldChange<PhotoRecord.EncodedSize> {
        let (width, height) = (fields[.width], fields[.height])
        switch (fields.isEmpty(width), fields.isEmpty(height)) {
        case (true, true): return width.kind == .absent && height.kind == .absent ? .keep : .clear
        case (true, false): throw RecordProblem("height is given, but width is missing", at: height.start, of: .width)
        case (false, true): throw RecordProblem("width is given, but height is missing", at: width.start, of: .height)
        case (false, false): break
        }
        let sides = (try side(.width, in: fields), try side(.height, in: fields))
        let source: MetricsSource
        let (wide, high): (Int, Int)
        switch sides {
        case (.whole(let first), .whole(let second)): (wide, high, source) = (first, second, .measured)
        default:
            (wide, high) = withoutCommonTens(scaledToIntegers(width: decimal(sides.0), height: decimal(sides.1)))
            source = .ratio
        }
        do {
            return .set(PhotoRecord.EncodedSize(try PixelSize(width: wide, height: high), source: source))
        } catch {
            guard source == .ratio else { throw RecordProblem(error.description, at: width.start, of: .width) }
            let given = "\(fields.text(of: width).trimmed) by \(fields.text(of: height).trimmed)"
            throw RecordProblem("\(given) is a ratio over \(PixelSize.maximumRatio) to 1", at: width.start, of: .width)
        }
    }

    private static func side(_ name: ImportField, in fields: RecordFields) throws(RecordProblem) -> Side {
        let value = fields[name]
        if value.isScalar, let number = fields.withContent(of: value, plainNumber) { return .whole(number) }
        let shown = fields.shown(value)
        guard value.isScalar else {
            throw RecordProblem("\(name) is \(shown), not a number", at: value.start, of: name)
        }
        let text = fields.text(of: value).trimmed.shortened
        let number: DecimalNumber
        do throws(DecimalNumber.Failure) {
            number = try fields.withContent(of: value, DecimalNumber.init)
        } catch {
            let reason =
                switch error {
                case .notANumber: "\(name) is \(text), which is not a size"
                case .infinite: "\(name) \(text) is not finite"
                case .unreadable: "\(name) \(shown) is not a number"
                }
            throw RecordProblem(reason, at: value.start, of: name)
        }
        return try side(number, text: text, of: name, at: value.start)
    }

    private static func side(
        _ number: DecimalNumber,
        text: String,
        of name: ImportField,
        at offset: Int
    ) throws(RecordProblem) -> Side {
        guard !number.isZero, !number.isNegative else {
            throw RecordProblem("\(name) \(text) is not positive", at: offset, of: name)
        }
        let maximum = Int(PixelSize.maximumSide)
        guard !number.exceeds(maximum) else {
            throw RecordProblem("\(name) \(text) is over \(maximum) pixels", at: offset, of: name)
        }
        if number.isWhole, let whole = number.scaled(byPowerOfTen: 0) { return .whole(whole) }
        return .decimal(number)
    }

    /// Parses one to six digits that are not all zero; nearly every side is like this.
    private static func plainNumber(_ bytes: Bytes) -> Int? {
        guard (1...6).contains(bytes.count) else { return nil }
        var value = 0
        for byte in bytes {
            guard byte.isDigit else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value > 0 ? value : nil
    }

    private static func decimal(_ side: Side) -> DecimalNumber {
        switch side {
        case .whole(let number): DecimalNumber(number)
        case .decimal(let number): number
        }
    }

    /// Removes common factors of ten that rounding left, so that exporting tenths and importing them again keeps the
    /// ratio.
    private static func withoutCommonTens(_ sides: (Int, Int)) -> (Int, Int) {
        var (wide, high) = sides
        while wide % 10 == 0, high % 10 == 0 { (wide, high) = (wide / 10, high / 10) }
        return (wide, high)
    }

    private static func scaledToIntegers(width: DecimalNumber, height: DecimalNumber) -> (Int, Int) {
        let maximum = Int(PixelSize.maximumSide)
        var power = min(max(width.decimalPlaces, height.decimalPlaces), 7 - max(width.wholeDigits, height.wholeDigits))
        while power > 0 {
            if let wide = width.scaled(byPowerOfTen: power), let high = height.scaled(byPowerOfTen: power),
                wide <= maximum, high <= maximum
            {
                return (max(1, wide), max(1, high))
            }
            power -= 1
        }
        return (max(1, width.scaled(byPowerOfTen: 0) ?? maximum), max(1, height.scaled(byPowerOfTen: 0) ?? maximum))
    }
}
