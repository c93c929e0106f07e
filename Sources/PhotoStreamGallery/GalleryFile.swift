/// A file of the web gallery, embedded in the binary.
///
/// ```swift
/// let script = GalleryFile.all.first { $0.name == "photostream.js" }
/// ```
package struct GalleryFile: Sendable {
    /// The name, without a folder.
    package let name: String
    /// The content.
    package let bytes: [UInt8]

    private init(_ name: String, _ bytes: [UInt8]) {
        (self.name, self.bytes) = (name, bytes)
    }

    /// The page, which asks for the other files under `/gallery/`.
    package static let page = GalleryFile("index.html", PackageResources.index_html)

    /// The files that the page uses.
    ///
    /// Embedded resources cannot be enumerated, so the list is repeated here. A test compares it with the folder.
    package static let all: [GalleryFile] = [
        GalleryFile("cells.js", PackageResources.cells_js),
        GalleryFile("controls.js", PackageResources.controls_js),
        GalleryFile("dates.js", PackageResources.dates_js),
        GalleryFile("gallery.css", PackageResources.gallery_css),
        GalleryFile("gallery.js", PackageResources.gallery_js),
        GalleryFile("geometry.js", PackageResources.geometry_js),
        GalleryFile("gestures.js", PackageResources.gestures_js),
        GalleryFile("icon.svg", PackageResources.icon_svg),
        GalleryFile("lightbox.js", PackageResources.lightbox_js),
        GalleryFile("live.js", PackageResources.live_js),
        GalleryFile("main.js", PackageResources.main_js),
        GalleryFile("motion.js", PackageResources.motion_js),
        GalleryFile("photostream.js", PackageResources.photostream_js),
        GalleryFile("placeholders.js", PackageResources.placeholders_js),
        GalleryFile("scrubber.js", PackageResources.scrubber_js),
        GalleryFile("sections.js", PackageResources.sections_js),
        GalleryFile("settings.js", PackageResources.settings_js),
        GalleryFile("status.js", PackageResources.status_js),
        GalleryFile("thumbhash.js", PackageResources.thumbhash_js),
        GalleryFile("tiles.js", PackageResources.tiles_js),
        GalleryFile("viewport.js", PackageResources.viewport_js),
    ]
}
