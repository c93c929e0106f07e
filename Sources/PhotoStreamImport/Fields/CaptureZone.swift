import Foundation

/// A time zone that gives local times their offset.
struct CaptureZone: Sendable {
    private let zone: TimeZone

    init?(name: String) {
        guard let zone = TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    /// The UTC instant and the offset of a local time, in milliseconds and minutes.
    ///
    /// A time that occurs twice is the first of the two. A time that the clocks skipped is read with the offset from
    /// before the change, so it lands behind the gap. Offsets of odd seconds (local mean times) are rounded to minutes;
    /// the local time stays as written.
    func resolve(localMilliseconds local: Int64) -> (milliseconds: Int64, offsetMinutes: Int) {
        let day: Int64 = 86_400_000
        let before = offsetSeconds(at: local - day)
        let after = offsetSeconds(at: local + day)
        for offset in [before, after] where offsetSeconds(at: local - Int64(offset) * 1_000) == offset {
            let minutes = Int((Double(offset) / 60).rounded())
            return (local - Int64(minutes) * 60_000, minutes)
        }
        let instant = local - Int64(before) * 1_000
        return (instant, offsetSeconds(at: instant) / 60)
    }

    private func offsetSeconds(at milliseconds: Int64) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
    }
}
