import Foundation
import PhotoStreamPictures
import PhotoStreamStorage

extension Doctor {
    func roots(_ service: PhotoStreamService) throws -> [Finding] {
        let roots = try service.roots()
        guard !roots.isEmpty else { return [Finding(about: .roots, is: .good, "no folders of pictures were added")] }
        return roots.map { root in
            switch root.state {
            case .open: Finding(about: .roots, is: .good, "\(root.path) can be read")
            case .unreachable(let reason):
                Finding(
                    about: .roots, is: .problem, "\(root.path) cannot be read: \(reason)",
                    advice: "mount its disk, or remove it with `photostream roots remove`")
            case .otherMachine:
                Finding(
                    about: .roots, is: .warning,
                    "\(root.path) was added on another machine, and is not read on this one",
                    advice: "if the pictures are here, too, add their folder with `photostream roots add`")
            }
        }
    }

    var worker: Finding {
        let advice =
            "install libvips (Debian: apt install libvips42), or set PHOTOSTREAM_PICTURES_WORKER to the program's path"
        guard let path = machine.workerPath else {
            return Finding(
                about: .worker, is: .warning, "there is no program photostream-pictures, so no thumbnails are made",
                advice: advice
            )
        }
        // It ends with its input.
        guard let status = status(of: path) else {
            return Finding(about: .worker, is: .problem, "\(path) cannot be run", advice: advice)
        }
        guard status == 0 else {
            return Finding(
                about: .worker, is: .problem, "\(path) has ended with status \(status)", advice: advice)
        }
        return Finding(about: .worker, is: .good, "\(path) runs")
    }

    var metadata: Finding {
        guard let path = machine.exifToolPath else {
            return Finding(
                about: .metadata, is: .warning,
                "there is no exiftool, so dates and positions of HEIC, TIFF, PNG, raw files and videos may be missing",
                advice: "install it (Debian: apt install libimage-exiftool-perl), and import again")
        }
        guard status(of: path, arguments: ["-ver"]) == 0 else {
            return Finding(
                about: .metadata, is: .problem, "\(path) cannot be run",
                advice:
                    "install Perl and exiftool (Debian: apt install libimage-exiftool-perl), and import with --retry")
        }
        return Finding(about: .metadata, is: .good, "\(path) reads the metadata of all formats")
    }

    var videos: Finding {
        guard let path = machine.ffmpegPath else {
            return Finding(
                about: .videos, is: .warning, "there is no ffmpeg, so no pictures of videos are made",
                advice: "install it (Debian: apt install ffmpeg)")
        }
        guard status(of: path, arguments: ["-version"]) == 0 else {
            return Finding(
                about: .videos, is: .problem, "\(path) cannot be run",
                advice: "install ffmpeg (Debian: apt install ffmpeg), and run `photostream pictures warm --retry`")
        }
        return Finding(about: .videos, is: .good, "\(path) decodes the pictures of videos")
    }

    /// Runs a program without input and output.
    ///
    /// - Returns: Its status, or that of a signal; `nil` if it cannot be run.
    private func status(of path: String, arguments: [String] = []) -> Int32? {
        let process = Process()
        process.executableURL = URL(filePath: path).absoluteURL
        process.arguments = arguments
        // The user may have no access to the working directory, as is often the case with `sudo -u`.
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }

    func thumbnails(_ service: PhotoStreamService) throws -> [Finding] {
        let advice = "`photostream pictures clear` deletes them; they are made again"
        // Opening a damaged store would set it aside.
        if let damage = PictureStore.damage(of: service.pictureStorePath) {
            return [
                Finding(
                    about: .thumbnails, is: .problem, "\(service.pictureStorePath) is damaged: \(damage)",
                    advice: advice)
            ]
        }
        let problems = try service.verifyPictures()
        guard problems.isEmpty else {
            return problems.map { Finding(about: .thumbnails, is: .problem, $0, advice: advice) }
        }
        let status = try service.pictureStatus()
        let failed = status.streams.reduce(0) { $0 + $1.pictures.failedCount }
        let stored = "pictures with thumbnails: \(status.storedCount), bytes \(status.storedBytes)"
        guard failed > 0 else { return [Finding(about: .thumbnails, is: .good, stored)] }
        return [
            Finding(
                about: .thumbnails, is: .warning, "\(stored); pictures that cannot be decoded: \(failed)",
                advice: "`photostream pictures status` names the reasons")
        ]
    }
}
