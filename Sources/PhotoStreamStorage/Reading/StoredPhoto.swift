package import PhotoStreamModel

/// A photo with its row and its place.
package struct StoredPhoto: Hashable, Sendable {
    /// The row id; it means nothing after the photo was deleted.
    package let rowID: Int64
    /// The place in stream order.
    package let key: OrderKey
    /// The order of its stream.
    package let order: StreamOrder
    /// What is stored of it.
    package let photo: Photo

    /// What a layout reads of it.
    package var itemMetrics: ItemMetrics { photo.itemMetrics(at: order.date(ofOrderTime: key.time)) }
}
