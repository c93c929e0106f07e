/// The state of a photo's file on this machine, as the last import or watch of its folder found it.
public struct PhotoFileState: Hashable, Sendable {
    /// Whether the file is gone.
    public var isVanished: Bool
    /// The kinds of metadata in the file that were left out or could not be read.
    public var warnings: Set<FileWarning>

    /// Whether the file contains the film of a motion photo.
    public var hasFilm: Bool

    /// Creates a state; by default, that of a file without problems and without a film, or of no file.
    public init(isVanished: Bool = false, warnings: Set<FileWarning> = [], hasFilm: Bool = false) {
        (self.isVanished, self.warnings, self.hasFilm) = (isVanished, warnings, hasFilm)
    }
}
