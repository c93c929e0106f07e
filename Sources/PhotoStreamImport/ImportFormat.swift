/// How the records of a source are written down.
public enum ImportFormat: String, Sendable, CaseIterable {
    /// By the file's extension, else by its first line.
    case auto
    /// JSON Lines: one object per line.
    case jsonl
    /// A JSON array of objects, or one or more objects one after another.
    case json
    /// Comma-separated cells under a header row.
    case csv
    /// Tab-separated cells under a header row.
    case tsv
}
