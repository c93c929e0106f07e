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

    private init(_ name: String, bytes: [UInt8]) {
        (self.name, self.bytes) = (name, bytes)
    }

    /// The page, which asks for the other files under `gallery/` beneath its own address.
    package static let page = GalleryFile("index.html", bytes: PackageResources.index_html)

    /// The files that the page uses.
    ///
    /// Embedded resources cannot be enumerated, so the list is repeated here. A test compares it with the folder.
    package static let all: [GalleryFile] = [
        GalleryFile("actions.js", bytes: PackageResources.actions_js),
        GalleryFile("cells.js", bytes: PackageResources.cells_js),
        GalleryFile("check.svg", bytes: PackageResources.check_svg),
        GalleryFile("controls.js", bytes: PackageResources.controls_js),
        GalleryFile("dates.js", bytes: PackageResources.dates_js),
        GalleryFile("deleted.js", bytes: PackageResources.deleted_js),
        GalleryFile("dragging.js", bytes: PackageResources.dragging_js),
        GalleryFile("dropped.js", bytes: PackageResources.dropped_js),
        GalleryFile("editor.js", bytes: PackageResources.editor_js),
        GalleryFile("first-screen.js", bytes: PackageResources.first_screen_js),
        GalleryFile("gallery.css", bytes: PackageResources.gallery_css),
        GalleryFile("gallery.js", bytes: PackageResources.gallery_js),
        GalleryFile("geometry.js", bytes: PackageResources.geometry_js),
        GalleryFile("gestures.js", bytes: PackageResources.gestures_js),
        GalleryFile("icon.svg", bytes: PackageResources.icon_svg),
        GalleryFile("keyboard.js", bytes: PackageResources.keyboard_js),
        GalleryFile("lightbox.js", bytes: PackageResources.lightbox_js),
        GalleryFile("live.js", bytes: PackageResources.live_js),
        GalleryFile("main.js", bytes: PackageResources.main_js),
        GalleryFile("motion.js", bytes: PackageResources.motion_js),
        GalleryFile("opening.js", bytes: PackageResources.opening_js),
        GalleryFile("panning.js", bytes: PackageResources.panning_js),
        GalleryFile("photostream.js", bytes: PackageResources.photostream_js),
        GalleryFile("placeholders.js", bytes: PackageResources.placeholders_js),
        GalleryFile("progress.js", bytes: PackageResources.progress_js),
        GalleryFile("scrubber.js", bytes: PackageResources.scrubber_js),
        GalleryFile("search.js", bytes: PackageResources.search_js),
        GalleryFile("sections.js", bytes: PackageResources.sections_js),
        GalleryFile("selection.js", bytes: PackageResources.selection_js),
        GalleryFile("settings.js", bytes: PackageResources.settings_js),
        GalleryFile("shared-events.js", bytes: PackageResources.shared_events_js),
        GalleryFile("signin.js", bytes: PackageResources.signin_js),
        GalleryFile("slivers.js", bytes: PackageResources.slivers_js),
        GalleryFile("status.js", bytes: PackageResources.status_js),
        GalleryFile("thumbhash.js", bytes: PackageResources.thumbhash_js),
        GalleryFile("tiles.js", bytes: PackageResources.tiles_js),
        GalleryFile("toast.js", bytes: PackageResources.toast_js),
        GalleryFile("uploads.js", bytes: PackageResources.uploads_js),
        GalleryFile("viewport.js", bytes: PackageResources.viewport_js),
    ]
}
