/// A photo and its file, as the rules of stacks read them.
package struct StackCandidate: Hashable, Sendable {
    /// The kind of a file.
    package enum FileKind: UInt8, Sendable {
        /// A picture.
        case still = 0
        /// A raw file.
        case raw = 1
        /// A video.
        case video = 2
    }

    /// The id of the photo.
    package var id: PhotoID
    /// The folder of the file: photos of different folders have different ones.
    package var folder: String
    /// The name of the file.
    package var name: String
    /// The kind of the file.
    package var kind: FileKind
    /// The capture time; `nil` without one, or if it is a guess.
    package var takenAt: CaptureTime?
    /// The camera.
    package var camera: String?
    /// The length of a video, in milliseconds.
    package var duration: Int?
    /// The identifier that a live photo and its film share.
    package var contentIdentifier: String?
    /// The identifier that the pictures of a burst share.
    package var burst: String?

    /// Creates a candidate.
    package init(id: PhotoID, folder: String, name: String, kind: FileKind) {
        (self.id, self.folder, self.name, self.kind) = (id, folder, name, kind)
    }
}

/// The rules by which an import of a folder stacks photos.
///
/// Each is exact: a wrong stack hides a picture, and is worse than none. A stack depends on its files alone, in whatever
/// order they are imported.
package struct StackRules: Sendable {
    /// The longest film of a live photo that is found by its name, in milliseconds.
    package static let longestFilm = 5_000
    /// The greatest difference of the times of a live photo and its film, in milliseconds.
    package static let liveTolerance: Int64 = 3_000

    /// The rules of an import without a choice: all but bursts.
    package static let pairs = StackRules([.live, .raw, .edited])

    /// The rules that apply.
    package let kinds: Set<StackKind>

    /// Creates rules.
    package init(_ kinds: Set<StackKind>) {
        self.kinds = kinds
    }

    /// A photo in a stack of the result.
    package struct Member: Hashable, Sendable {
        /// The photo.
        package let id: PhotoID
        /// The rule that has put it there.
        package let kind: StackKind
    }

    /// Returns the stacks of some photos.
    ///
    /// - Parameter candidates: The photos, in any order.
    /// - Returns: The stacks, each with its cover first. No photo is in two of them, and each has 2 to
    ///   ``StackPlace/maximumCount`` photos.
    /// - Complexity: O(n²) for photos whose files share a folder and the base of their names, or an identifier.
    package func stacks(of candidates: [StackCandidate]) -> [[Member]] {
        let files = candidates.map(File.init).sorted { $0.order < $1.order }
        var links = [[(other: Int, kind: StackKind)]](repeating: [], count: files.count)
        for positions in Self.groups(of: files) {
            let group = positions.map { files[$0] }
            for (index, left) in positions.enumerated() {
                for right in positions[(index + 1)...] {
                    guard let kind = kind(of: files[left], with: files[right], among: group) else { continue }
                    links[left].append((right, kind))
                    links[right].append((left, kind))
                }
            }
        }
        var (stacks, seen): ([[Member]], Set<Int>) = ([], [])
        for start in files.indices where !links[start].isEmpty && seen.insert(start).inserted {
            var (component, next) = ([start], 0)
            while next < component.count {
                for link in links[component[next]] where seen.insert(link.other).inserted {
                    component.append(link.other)
                }
                next += 1
            }
            guard component.count <= StackPlace.maximumCount else { continue }
            stacks.append(
                component.sorted().map { position in
                    Member(id: files[position].candidate.id, kind: Self.reason(of: links[position].map(\.kind)))
                })
        }
        return stacks
    }

    /// The positions of files that a rule may put together.
    private static func groups(of files: [File]) -> some Sequence<[Int]> {
        var groups: [String: [Int]] = [:]
        for (position, file) in files.enumerated() {
            groups["name/\(file.candidate.folder)/\(file.name.base)", default: []].append(position)
            if let identifier = file.candidate.contentIdentifier {
                groups["live/\(identifier)", default: []].append(position)
            }
            if let identifier = file.candidate.burst {
                groups["burst/\(file.candidate.folder)/\(identifier)", default: []].append(position)
            }
        }
        return groups.values.filter { $0.count > 1 }
    }

    /// The reason that an answer names, of several.
    private static func reason(of kinds: [StackKind]) -> StackKind {
        [.burst, .edited, .raw, .live].first(where: kinds.contains) ?? .live
    }

    /// The rule by which two files belong together; `nil` if there is none.
    private func kind(of left: File, with right: File, among group: [File]) -> StackKind? {
        if kinds.contains(.raw), Self.isRawPair(left, with: right) { return .raw }
        if kinds.contains(.live), Self.isLive(left, with: right, among: group) { return .live }
        if kinds.contains(.edited), Self.isEdit(left, with: right) { return .edited }
        if kinds.contains(.burst), Self.isBurst(left, with: right) { return .burst }
        return nil
    }

    /// A raw file and the picture that the camera made of it: the same name, camera and second; or a pair of a phone by
    /// its names.
    private static func isRawPair(_ left: File, with right: File) -> Bool {
        guard Set([left.candidate.kind, right.candidate.kind]) == [.raw, .still], left.isBeside(right) else {
            return false
        }
        if Set([left.name.role, right.name.role]) == [.coverOfPair, .originalOfPair] {
            return left.mayBeOfSecond(of: right)
        }
        guard left.name.role == .plain, right.name.role == .plain, let camera = left.candidate.camera else {
            return false
        }
        return camera == right.candidate.camera && left.isOfSecond(of: right)
    }

    /// A picture and the film of its moment: the same identifier; without any, the same name, a short film, and times that
    /// differ by three seconds at most.
    private static func isLive(_ left: File, with right: File, among group: [File]) -> Bool {
        guard Set([left.candidate.kind, right.candidate.kind]) == [.still, .video] else { return false }
        let identifiers = [left, right].compactMap(\.candidate.contentIdentifier)
        if identifiers.count == 2 {
            guard identifiers[0] == identifiers[1] else { return false }
            // Copies in several folders have films of their own.
            return left.candidate.folder == right.candidate.folder
                || group.count { $0.candidate.contentIdentifier == identifiers[0] } == 2
        }
        let film = left.candidate.kind == .video ? left : right
        guard identifiers.isEmpty, left.isBeside(right), left.name.role == right.name.role,
            let duration = film.candidate.duration, duration <= longestFilm,
            let first = left.candidate.takenAt, let second = right.candidate.takenAt
        else { return false }
        return first.precision >= .second && second.precision >= .second
            && abs(first.comparableMilliseconds(to: second) - second.comparableMilliseconds(to: first)) <= liveTolerance
    }

    /// An edited version and its original.
    private static func isEdit(_ left: File, with right: File) -> Bool {
        guard left.candidate.kind == right.candidate.kind, left.candidate.kind != .raw, left.isBeside(right) else {
            return false
        }
        let roles = Set([left.name.role, right.name.role])
        return (roles == [.plain, .edited] || roles == [.coverOfPair, .originalOfPair]) && left.mayBeOfSecond(of: right)
    }

    /// Two pictures of a burst, by the identifier or the names that the camera gave them; never by their times alone.
    private static func isBurst(_ left: File, with right: File) -> Bool {
        guard left.candidate.kind == .still, right.candidate.kind == .still,
            left.candidate.folder == right.candidate.folder
        else { return false }
        if let first = left.candidate.burst, let second = right.candidate.burst { return first == second }
        guard case .burst = left.name.role, case .burst = right.name.role else { return false }
        return left.name.base == right.name.base
    }
}

extension StackRules {
    /// A candidate with its parsed name.
    private struct File {
        let candidate: StackCandidate
        let name: StackName
        /// The order in a stack: the edited version, pictures, raw files, films; of these, the picture that the camera has
        /// chosen, then the order of names and ids.
        let order: Order

        struct Order: Comparable {
            let rank: Int
            let name: String
            let id: String

            static func < (left: Order, right: Order) -> Bool {
                (left.rank, left.name.utf8.count, left.name, left.id)
                    < (right.rank, right.name.utf8.count, right.name, right.id)
            }
        }

        init(_ candidate: StackCandidate) {
            self.candidate = candidate
            name = StackName(candidate.name)
            let isFirst =
                switch name.role {
                case .edited, .coverOfPair, .burst(isCover: true): true
                case .plain, .originalOfPair, .burst(isCover: false): false
                }
            order = Order(
                rank: Int(candidate.kind.rawValue) * 2 + (isFirst ? 0 : 1), name: candidate.name,
                id: candidate.id.rawValue)
        }

        /// Whether both are in one folder, and their names have one base.
        func isBeside(_ other: File) -> Bool {
            candidate.folder == other.candidate.folder && name.base == other.name.base
        }

        /// Whether both were taken in one second.
        func isOfSecond(of other: File) -> Bool {
            guard let own = candidate.takenAt, let time = other.candidate.takenAt, own.precision >= .second,
                time.precision >= .second
            else { return false }
            return own.localSecond == time.localSecond
        }

        /// Whether nothing contradicts that both were taken in one second.
        func mayBeOfSecond(of other: File) -> Bool {
            candidate.takenAt == nil || other.candidate.takenAt == nil || isOfSecond(of: other)
        }
    }
}

extension CaptureTime {
    /// The seconds that a clock at the place of the picture showed.
    fileprivate var localSecond: Int64 {
        localMilliseconds.quotientAndRemainderFlooring(dividingBy: 1_000).quotient
    }

    /// The milliseconds to compare with those of another time: of the instant if both are known, otherwise of the local clock.
    fileprivate func comparableMilliseconds(to other: CaptureTime) -> Int64 {
        utcOffsetMinutes != nil && other.utcOffsetMinutes != nil ? milliseconds : localMilliseconds
    }
}
