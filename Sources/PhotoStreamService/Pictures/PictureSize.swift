/// The sizes in which pictures can be asked for: the length of the longer side in pixels.
///
/// The ladder is fixed, so that however many clients ask, a picture has a handful of addresses and no more.
public enum PictureSize: String, CaseIterable, Sendable {
    /// The file as it is.
    case original
    case pixels160 = "160"
    case pixels320 = "320"
    case pixels640 = "640"
    case pixels1280 = "1280"
    case pixels2560 = "2560"
}
