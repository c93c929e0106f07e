import PhotoStreamModel

/// A column of the table `photo`, by its name.
///
/// Statements that read and write photos are made from this list, and ``RawStatement`` reads and binds its columns by
/// name: the order of columns exists here only.
enum PhotoColumn: Hashable, CaseIterable {
    case id, orderTime, orderRank
    case streamId, streamOrder, externalId
    case width, height, metricsSource, orientation
    case takenAtMilliseconds, utcOffsetMinutes, takenAtPrecision, takenAtSource
    case stack, stackRank, stackKind
    case latitude, longitude, color, editedFields, fileFields, clearedFields, captionSource
    case list(PhotoList)
    case number(PhotoNumber)
    case text(PhotoText)
    case flag(PhotoFlag)

    static let allCases: [PhotoColumn] =
        [
            .id, .orderTime, .orderRank, .streamId, .streamOrder, .externalId, .width, .height, .metricsSource,
            .orientation, .takenAtMilliseconds, .utcOffsetMinutes, .takenAtPrecision, .takenAtSource,
            .stack, .stackRank, .stackKind,
            .latitude, .longitude, .color, .editedFields, .fileFields, .clearedFields, .captionSource,
        ] + PhotoList.allCases.map { .list($0) } + PhotoNumber.allCases.map { .number($0) }
        + PhotoText.allCases.map { .text($0) } + PhotoFlag.allCases.map { .flag($0) }

    /// The columns whose values an insert sets; without an id, SQLite assigns one.
    static let inserted = [.id] + allCases.dropFirst(3)

    /// The columns whose values an update sets.
    static let updated = Array(allCases.dropFirst(6))

    /// The name in SQL.
    var name: String {
        switch self {
        case .list(let list): list.name.description
        case .number(let number): number.name.description
        case .text(let text): text.name.description
        case .flag(let flag): flag.name.description
        default: "\(self)"
        }
    }

    /// The parameter for its value in a statement.
    var parameter: String { "?\(index + 1)" }

    /// The position in ``allCases``.
    var index: Int32 {
        switch self {
        case .id: 0
        case .orderTime: 1
        case .orderRank: 2
        case .streamId: 3
        case .streamOrder: 4
        case .externalId: 5
        case .width: 6
        case .height: 7
        case .metricsSource: 8
        case .orientation: 9
        case .takenAtMilliseconds: 10
        case .utcOffsetMinutes: 11
        case .takenAtPrecision: 12
        case .takenAtSource: 13
        case .stack: 14
        case .stackRank: 15
        case .stackKind: 16
        case .latitude: 17
        case .longitude: 18
        case .color: 19
        case .editedFields: 20
        case .fileFields: 21
        case .clearedFields: 22
        case .captionSource: 23
        case .list(let list): 24 + Int32(list.rawValue)
        case .number(let number): 24 + Int32(PhotoList.count + number.rawValue)
        case .text(let text): 24 + Int32(PhotoList.count + PhotoNumber.count + text.rawValue)
        case .flag(let flag): 24 + Int32(PhotoList.count + PhotoNumber.count + PhotoText.count + flag.rawValue)
        }
    }
}

extension RawStatement {
    /// Binds an integer, or NULL, to the parameter of a column.
    func bind(_ column: PhotoColumn, to value: Int64?) { bind(column.index + 1, to: value) }

    /// Binds a floating-point number, or NULL, to the parameter of a column.
    func bind(_ column: PhotoColumn, to value: Double?) { bind(column.index + 1, to: value) }

    /// Binds a text that must stay in memory until the statement has run, or NULL, to the parameter of a column.
    func bind(_ column: PhotoColumn, lending text: UnsafeBufferPointer<CChar>?) {
        unsafe bind(column.index + 1, lending: text)
    }
}
