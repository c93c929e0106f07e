import PhotoStreamModel
import PhotoStreamPictureMessages

/// Answers one request.
struct RequestHandler {
    let limits: WorkerLimits
    /// exiftool; `nil` if it is not installed.
    let exifTool: ExifTool?
    /// ffmpeg; `nil` if it is not installed.
    let ffmpeg: FFmpeg?

    /// Opens the file of a request and answers it.
    func answer(to request: PictureRequest) -> PictureAnswer {
        do throws(PictureFailure) {
            switch request {
            case .header(let name, let sidecars): return .header(try header(of: name, sidecars: sidecars))
            case .decode(let request):
                let file = try OpenedPicture(root: request.file.root, path: request.file.path)
                let decoder = Decoder(limits: limits, exifTool: exifTool, ffmpeg: ffmpeg)
                return .decoded(try decoder.decode(request, file: file))
            case .hash(let name):
                return .content(try ContentHash.content(of: OpenedPicture(root: name.root, path: name.path)))
            }
        } catch {
            return .failed(error)
        }
    }

    private func header(of name: PictureFileName, sidecars: [String]) throws(PictureFailure) -> PictureHeader {
        let file = try OpenedPicture(root: name.root, path: name.path)
        var (opened, warnings) = ([OpenedPicture](), [PictureWarning]())
        for sidecar in sidecars {
            do throws(PictureFailure) {
                opened.append(try OpenedPicture(root: name.root, path: sidecar))
            } catch {
                warnings.append(PictureWarning(.sidecar, reason: "A sidecar cannot be read: \(error.reason)"))
            }
        }
        var header = try HeaderReader(exifTool: exifTool).header(of: file, sidecars: opened)
        header.warnings += warnings
        guard !file.hasChanged else { throw OpenedPicture.changed }
        return header
    }
}
