import PhotoStreamPictureMessages

/// Answers one request.
struct RequestHandler {
    let limits: WorkerLimits

    /// Opens the file of a request and answers it.
    func answer(to request: PictureRequest) -> PictureAnswer {
        do throws(PictureFailure) {
            switch request {
            case .header(let name, let sidecars): return .header(try header(of: name, sidecars: sidecars))
            case .decode(let request):
                let file = try OpenedPicture(root: request.file.root, path: request.file.path)
                return .decoded(try Decoder(limits: limits).decode(request, file: file))
            case .hash(let name):
                return .hash(try ContentHash.hash(of: OpenedPicture(root: name.root, path: name.path)))
            }
        } catch {
            return .failed(error)
        }
    }

    private func header(of name: PictureFileName, sidecars: [String]) throws(PictureFailure) -> PictureHeader {
        let file = try OpenedPicture(root: name.root, path: name.path)
        var (opened, warnings) = ([OpenedPicture](), [String]())
        for sidecar in sidecars {
            do throws(PictureFailure) {
                opened.append(try OpenedPicture(root: name.root, path: sidecar))
            } catch {
                warnings.append("A sidecar cannot be read: \(error.reason)")
            }
        }
        var header = try HeaderReader.header(of: file, sidecars: opened)
        header.warnings += warnings
        guard !file.hasChanged else { throw OpenedPicture.changed }
        return header
    }
}
