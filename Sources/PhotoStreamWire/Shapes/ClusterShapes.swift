import PhotoStreamLayout
package import PhotoStreamModel
package import PhotoStreamService

/// The photos of a cluster, as a member of the photo that stands for them.
package struct ClusterShape: WireObject {
    private let positions: PositionSummary

    init(_ positions: PositionSummary) {
        self.positions = positions
    }

    package static let schemaName: String? = "Cluster"

    package static func describe(_ members: inout some MemberList<ClusterShape>) {
        members.always("count", sharedAs: .plain, about: "The number of photos.") { $0.positions.count }
        members.optional("bounds", sharedAs: .plain, about: "The rectangle around their positions.") {
            $0.positions.box.map { GeographicBounds($0) }
        }
    }
}

extension GeographicBounds: WireObject {
    package static let schemaName: String? = "Bounds"

    package static func describe(_ members: inout some MemberList<GeographicBounds>) {
        members.always(
            "west", sharedAs: .position,
            about: "The western edge in degrees; greater than the eastern one if the antimeridian is between them."
        ) { $0.west }
        members.always("south", sharedAs: .position, about: "The southern edge in degrees.") { $0.south }
        members.always("east", sharedAs: .position, about: "The eastern edge in degrees.") { $0.east }
        members.always("north", sharedAs: .position, about: "The northern edge in degrees.") { $0.north }
    }
}

extension PositionsAnswer: WireObject {
    package static let schemaName: String? = "Positions"

    package static func describe(_ members: inout some MemberList<PositionsAnswer>) {
        members.always("located", sharedAs: .plain, about: "The number of photos with a position.") { $0.locatedCount }
        members.always("unlocated", sharedAs: .plain, about: "The number of photos without a position.") {
            $0.unlocatedCount
        }
        members.nullable(
            "bounds", sharedAs: .plain, about: "The smallest rectangle around all positions; `null` if there are none."
        ) { $0.bounds }
    }
}

extension ClusterAnswer: LayoutWireObject {
    package static let schemaName: String? = "ClusterPhotos"

    package static func describe(_ members: inout some MemberList<ClusterAnswer>) {
        members.include { $0.context }
        members.always(
            "count", sharedAs: .plain, about: "The number of photos of the cluster, or of all without a position."
        ) { $0.count }
        members.nullable(
            "bounds", sharedAs: .plain, about: "The rectangle around their positions; `null` without a position."
        ) { $0.bounds }
        members.always("items", sharedAs: .plain, about: "The photos, in stream order.") { Items(photos: $0.items) }
        members.nullable(
            "nextCursor", sharedAs: .cursor, about: "The cursor of the next answer; `null` after the last photo."
        ) {
            $0.nextCursor
        }
        members.always("truncated", sharedAs: .plain, about: "Whether more photos follow.") { $0.isTruncated }
    }
}
