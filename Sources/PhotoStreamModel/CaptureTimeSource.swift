/// The origin of a capture time, so that clients can distinguish a fact from a guess.
public enum CaptureTimeSource: Hashable, Sendable, CaseIterable {
    /// A person, by an edit.
    case person
    /// A record of an import.
    case record
    /// The picture's file or its sidecar.
    case file(FileFieldSource)

    /// All sources in the order of their stored values.
    public static let allCases: [CaptureTimeSource] = [
        .person, .record, .file(.sidecar), .file(.embedded), .file(.fileName), .file(.fileTime),
    ]

    /// The name in JSON.
    public var name: String {
        switch self {
        case .person: "person"
        case .record: "record"
        case .file(let source): source.rawValue
        }
    }

    /// Whether the time is a guess: from the name or the modification time of the file.
    public var isGuess: Bool {
        switch self {
        case .person, .record, .file(.sidecar), .file(.embedded): false
        case .file(.fileName), .file(.fileTime): true
        }
    }
}

extension CaptureTimeSource: RawRepresentable {
    /// The value in files, which never changes.
    public var rawValue: UInt8 {
        switch self {
        case .person: 0
        case .record: 1
        case .file(.sidecar): 2
        case .file(.embedded): 3
        case .file(.fileName): 4
        case .file(.fileTime): 5
        }
    }

    /// Returns the source with a stored value; `nil` for one that this version does not know.
    public init?(rawValue: UInt8) {
        guard rawValue < Self.allCases.count else { return nil }
        self = Self.allCases[Int(rawValue)]
    }

    /// Returns the source with a name; `nil` if there is none.
    package init?(name: String) {
        guard let source = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = source
    }
}
