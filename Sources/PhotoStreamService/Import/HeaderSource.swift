package import PhotoStreamModel
package import PhotoStreamPictureMessages
package import PhotoStreamPictures

/// The part of the decode workers that an import of folders needs.
package protocol HeaderSource: Sendable {
    /// Returns the header of a picture and of its sidecars.
    func header(of file: PictureFileName, sidecars: [String]) async -> Result<PictureHeader, PictureFailure>
    /// Reads a whole file and returns its content.
    func content(of file: PictureFileName) async -> Result<FileContent, PictureFailure>
}

extension PictureWorkers: HeaderSource {}
