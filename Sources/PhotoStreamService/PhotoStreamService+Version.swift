extension PhotoStreamService {
    /// The version of PhotoStream, as in `CHANGELOG.md`, `photostream --version` and the OpenAPI document.
    public static var version: String { "0.3.0" }
}
