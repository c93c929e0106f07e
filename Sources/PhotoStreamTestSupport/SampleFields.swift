package import PhotoStreamModel

extension PhotoField {
    /// Whether it has two values only, and one of them means none.
    package var isFlag: Bool {
        if case .flag = self { true } else { false }
    }
}

extension PhotoRecord {
    /// Creates a record that sets one field, so that a test can iterate over all fields.
    ///
    /// - Parameters:
    ///   - id: The photo's id.
    ///   - field: The field.
    ///   - isSecond: Whether to use the second of two values.
    /// - Throws: `ModelError`, never.
    package init(id: PhotoID, setting field: PhotoField, isSecond: Bool = false) throws {
        self.init(id: id)
        switch field {
        case .size: self.size = .set(EncodedSize(try PixelSize(width: isSecond ? 300 : 600, height: 450)))
        case .orientation: self.orientation = .set(isSecond ? .down : .right)
        case .takenAt:
            self.takenAt = .set(
                try CaptureTime(
                    milliseconds: isSecond ? 1_000 : 1_784_000_000_000, utcOffsetMinutes: 60, precision: .second))
        case .coordinate: self.coordinate = .set(try Coordinate(latitude: isSecond ? -1 : 48.25, longitude: 11.5))
        case .color: self.color = .set(RGBColor(rawValue: isSecond ? 0x10_2030 : 0xB9_8A90))
        case .stack:
            self.stack = .set(
                try StackPlace(stack: isSecond ? "another" : "a \"stack\"", rank: 0, kind: isSecond ? .manual : .raw))
        // There is only one other value: none.
        case .flag(let flag): self[flag] = .set(!isSecond)
        case .text(let text): self[text] = .set(isSecond ? "e\u{301}" : "Ein \"Text\", mit é; und 'mehr'")
        case .number(let number): self[number] = .set(isSecond ? number.range.lowerBound : number.range.upperBound)
        case .list(let list): self[list] = .set(isSecond ? ["harbour"] : ["sea", "\"old\", new"])
        }
    }

    /// Creates a record that clears one field.
    package init(id: PhotoID, clearing field: PhotoField) {
        self.init(id: id)
        switch field {
        case .size: self.size = .clear
        case .orientation: self.orientation = .clear
        case .takenAt: self.takenAt = .clear
        case .coordinate: self.coordinate = .clear
        case .color: self.color = .clear
        case .stack: self.stack = .clear
        case .flag(let flag): self[flag] = .clear
        case .text(let text): self[text] = .clear
        case .number(let number): self[number] = .clear
        case .list(let list): self[list] = .clear
        }
    }
}
