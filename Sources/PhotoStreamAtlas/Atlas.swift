import CAtlas

/// The data of maps, embedded in the binary.
package enum Atlas {
    /// Coastlines, lakes, borders and names, in the form that `scripts/make-land` describes and the gallery draws.
    package static let land: [UInt8] = unsafe bytes(photostream_land_start(), count: photostream_land_size)

    /// The cities, in the form that ``PlaceDirectory`` reads.
    static let places: [UInt8] = unsafe bytes(photostream_places_start(), count: photostream_places_size)

    private static func bytes(_ start: UnsafePointer<UInt8>, count: Int) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
}
