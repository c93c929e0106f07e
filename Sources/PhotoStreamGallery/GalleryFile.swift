import PhotoStreamAtlas

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

    /// The page, which requests the other files under `gallery/` beneath its own address.
    package static let page = GalleryFile(name: "index.html", bytes: PackageResources.index_html)

    /// The coastlines and names of its map.
    package static let land = GalleryFile(name: "land.bin", bytes: Atlas.land)

    /// The other files that the page uses; a test compares the list with the folder, because resources cannot be enumerated.
    package static let all: [GalleryFile] = [
        GalleryFile(name: "actions.js", bytes: PackageResources.actions_js),
        GalleryFile(name: "address.js", bytes: PackageResources.address_js),
        GalleryFile(name: "anchor.js", bytes: PackageResources.anchor_js),
        GalleryFile(name: "app.webmanifest", bytes: PackageResources.app_webmanifest),
        GalleryFile(name: "cells.js", bytes: PackageResources.cells_js),
        GalleryFile(name: "check.svg", bytes: PackageResources.check_svg),
        GalleryFile(name: "cluster-elements.js", bytes: PackageResources.cluster_elements_js),
        GalleryFile(name: "clusters.js", bytes: PackageResources.clusters_js),
        GalleryFile(name: "connection.js", bytes: PackageResources.connection_js),
        GalleryFile(name: "controls.js", bytes: PackageResources.controls_js),
        GalleryFile(name: "dates.js", bytes: PackageResources.dates_js),
        GalleryFile(name: "deleted.js", bytes: PackageResources.deleted_js),
        GalleryFile(name: "details.js", bytes: PackageResources.details_js),
        GalleryFile(name: "dragging.js", bytes: PackageResources.dragging_js),
        GalleryFile(name: "dropped.js", bytes: PackageResources.dropped_js),
        GalleryFile(name: "editing.js", bytes: PackageResources.editing_js),
        GalleryFile(name: "editor.js", bytes: PackageResources.editor_js),
        GalleryFile(name: "facets.js", bytes: PackageResources.facets_js),
        GalleryFile(name: "favourite.js", bytes: PackageResources.favourite_js),
        GalleryFile(name: "first-screen.js", bytes: PackageResources.first_screen_js),
        GalleryFile(name: "gallery.css", bytes: PackageResources.gallery_css),
        GalleryFile(name: "gallery.js", bytes: PackageResources.gallery_js),
        GalleryFile(name: "geometry.js", bytes: PackageResources.geometry_js),
        GalleryFile(name: "gestures.js", bytes: PackageResources.gestures_js),
        GalleryFile(name: "going.js", bytes: PackageResources.going_js),
        GalleryFile(name: "icon-192.png", bytes: PackageResources.icon_192_png),
        GalleryFile(name: "icon-512.png", bytes: PackageResources.icon_512_png),
        GalleryFile(name: "icon.svg", bytes: PackageResources.icon_svg),
        GalleryFile(name: "keyboard.js", bytes: PackageResources.keyboard_js),
        GalleryFile(name: "keys.js", bytes: PackageResources.keys_js),
        GalleryFile(name: "land-drawing.js", bytes: PackageResources.land_drawing_js),
        GalleryFile(name: "land.js", bytes: PackageResources.land_js),
        GalleryFile(name: "later.js", bytes: PackageResources.later_js),
        GalleryFile(name: "lightbox.js", bytes: PackageResources.lightbox_js),
        GalleryFile(name: "live.js", bytes: PackageResources.live_js),
        GalleryFile(name: "main.js", bytes: PackageResources.main_js),
        GalleryFile(name: "map-controls.js", bytes: PackageResources.map_controls_js),
        GalleryFile(name: "map-gestures.js", bytes: PackageResources.map_gestures_js),
        GalleryFile(name: "map.js", bytes: PackageResources.map_js),
        GalleryFile(name: "mercator.js", bytes: PackageResources.mercator_js),
        GalleryFile(name: "motion.js", bytes: PackageResources.motion_js),
        GalleryFile(name: "news.js", bytes: PackageResources.news_js),
        GalleryFile(name: "opening.js", bytes: PackageResources.opening_js),
        GalleryFile(name: "photos-of-place.js", bytes: PackageResources.photos_of_place_js),
        GalleryFile(name: "photostream.js", bytes: PackageResources.photostream_js),
        GalleryFile(name: "place-field.js", bytes: PackageResources.place_field_js),
        GalleryFile(name: "place-list.js", bytes: PackageResources.place_list_js),
        GalleryFile(name: "placeholders.js", bytes: PackageResources.placeholders_js),
        GalleryFile(name: "play.svg", bytes: PackageResources.play_svg),
        GalleryFile(name: "player.js", bytes: PackageResources.player_js),
        GalleryFile(name: "preview.js", bytes: PackageResources.preview_js),
        GalleryFile(name: "print.css", bytes: PackageResources.print_css),
        GalleryFile(name: "printing.js", bytes: PackageResources.printing_js),
        GalleryFile(name: "progress.js", bytes: PackageResources.progress_js),
        GalleryFile(name: "refusals.js", bytes: PackageResources.refusals_js),
        GalleryFile(name: "scrubber.js", bytes: PackageResources.scrubber_js),
        GalleryFile(name: "search.js", bytes: PackageResources.search_js),
        GalleryFile(name: "sections.js", bytes: PackageResources.sections_js),
        GalleryFile(name: "selection.js", bytes: PackageResources.selection_js),
        GalleryFile(name: "sending.js", bytes: PackageResources.sending_js),
        GalleryFile(name: "settings.js", bytes: PackageResources.settings_js),
        GalleryFile(name: "shared-events.js", bytes: PackageResources.shared_events_js),
        GalleryFile(name: "signin.js", bytes: PackageResources.signin_js),
        GalleryFile(name: "slivers.js", bytes: PackageResources.slivers_js),
        GalleryFile(name: "stack.js", bytes: PackageResources.stack_js),
        GalleryFile(name: "status.js", bytes: PackageResources.status_js),
        GalleryFile(name: "texts-ar.js", bytes: PackageResources.texts_ar_js),
        GalleryFile(name: "texts-de.js", bytes: PackageResources.texts_de_js),
        GalleryFile(name: "texts.js", bytes: PackageResources.texts_js),
        GalleryFile(name: "thumbhash.js", bytes: PackageResources.thumbhash_js),
        GalleryFile(name: "tiles.js", bytes: PackageResources.tiles_js),
        GalleryFile(name: "toast.js", bytes: PackageResources.toast_js),
        GalleryFile(name: "uploads.js", bytes: PackageResources.uploads_js),
        GalleryFile(name: "videos.js", bytes: PackageResources.videos_js),
        GalleryFile(name: "view.js", bytes: PackageResources.view_js),
        GalleryFile(name: "viewport.js", bytes: PackageResources.viewport_js),
    ]
}
