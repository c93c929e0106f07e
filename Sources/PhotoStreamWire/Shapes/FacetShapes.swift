package import PhotoStreamModel
package import PhotoStreamService

extension FacetsAnswer: WireObject {
    package static let schemaName: String? = "Facets"

    package static func describe(_ members: inout some MemberList<FacetsAnswer>) {
        members.always("stream", sharedAs: .plain, about: "The stream's name.") { $0.stream.rawValue }
        members.addCondition { $0.condition }
        members.always("revision", sharedAs: .plain, about: "The revision of the stream.") { $0.revision.rawValue }
        members.always("state", sharedAs: .plain, about: "The state of the stream; opaque.") { $0.revision.state }
        members.always("count", sharedAs: .plain, about: "The number of photos.") { $0.count }
        members.optional(
            "tags", sharedAs: .plain, about: "The tags of most photos, without regard to case and accents."
        ) { $0.facets[.tags] }
        members.optional("albums", about: "The albums of most photos, and those above them.") { $0.facets[.albums] }
        members.optional("cameras", sharedAs: .plain, about: "The cameras of most photos.") { $0.facets[.cameras] }
        members.optional("years", sharedAs: .plain, about: "The years, the latest first.") { $0.facets[.years] }
        members.optional("ratings", sharedAs: .plain, about: "The ratings, the highest first.") { $0.facets[.ratings] }
        members.optional(
            "folders", sharedAs: .plain, about: "The folders of most photos, and those above them."
        ) { $0.facets[.folders] }
        members.optional(
            "incomplete", sharedAs: .plain,
            about: "The names of lists that lack values, since photos have more than 10,000 different ones."
        ) { answer in
            answer.incomplete.isEmpty ? nil : FacetKind.allCases.filter(answer.incomplete.contains).map(\.rawValue)
        }
    }
}

extension AlbumsAnswer: WireObject {
    package static let schemaName: String? = "Albums"

    package static func describe(_ members: inout some MemberList<AlbumsAnswer>) {
        members.always("stream", about: "The stream's name.") { $0.stream.rawValue }
        members.addCondition { $0.condition }
        members.always("revision", about: "The revision of the stream.") { $0.revision.rawValue }
        members.always("state", about: "The state of the stream; opaque.") { $0.revision.state }
        members.always("albums", about: "The albums by path, each after those that contain it.") { $0.albums }
        members.optional("incomplete", about: "`true` if there are more than 10,000 albums: some are missing.") {
            $0.isIncomplete ? true : nil
        }
    }
}

/// The result of a change of an album.
package struct AlbumChange: WireObject {
    let album: String
    let changedCount: Int

    /// Creates the result of a change.
    ///
    /// - Parameters:
    ///   - album: The path of the album afterwards.
    ///   - changedCount: The number of photos that have changed.
    package init(_ album: String, changedCount: Int) {
        (self.album, self.changedCount) = (album, changedCount)
    }

    package static let schemaName: String? = "AlbumChange"

    package static func describe(_ members: inout some MemberList<AlbumChange>) {
        members.always("album", about: "The path of the album.") { $0.album }
        members.always("changed", about: "The number of photos that have changed.") { $0.changedCount }
    }
}

extension Facet: WireObject {
    package static let schemaName: String? = "Facet"

    package static func describe(_ members: inout some MemberList<Facet>) {
        members.always("value", sharedAs: .plain, about: "The value, as most photos have it.") { $0.text }
        members.always("count", sharedAs: .plain, about: "The number of photos that also meet `where`.") { $0.count }
        members.always(
            "where", sharedAs: .plain,
            about: "The condition to add to that of the question, after a space; one with `OR` needs parentheses."
        ) { $0.condition.canonicalText }
    }
}
