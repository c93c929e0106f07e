import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamService

extension SectionAnswer {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// What a picture writes on the section's header: its id in words.
    ///
    /// - Parameter stream: The stream's name, for the one section of a stream that is not divided.
    /// - Returns: Such as `21 November 2026`, `November 2026`, `2026`, `Undated`, `Map`.
    func title(in stream: StreamName) -> String {
        let parts = id.split(separator: "-").compactMap { Int($0) }
        let month = parts.count > 1 ? Self.months[(parts[1] + 11) % 12] : ""
        switch parts.count {
        case 3: return "\(parts[2]) \(month) \(parts[0])"
        case 2: return "\(month) \(parts[0])"
        case 1: return String(parts[0])
        default: return ["undated": "Undated", "located": "Map", "unlocated": "Without a place"][id] ?? stream.rawValue
        }
    }
}
