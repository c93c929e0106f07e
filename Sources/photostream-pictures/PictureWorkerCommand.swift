import CVips
import PhotoStreamPictureMessages

/// `photostream-pictures`: the decode worker. Requests come in on standard input, answers go out on standard output.
@main
struct PictureWorkerCommand {
    static func main() {
        guard unsafe photostream_vips_start("photostream-pictures") == 0 else { return }
    }
}
