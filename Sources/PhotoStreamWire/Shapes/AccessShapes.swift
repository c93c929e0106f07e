import PhotoStreamModel
package import PhotoStreamService

extension TokenSummary: WireObject {
    package static func describe(_ members: inout some MemberList<TokenSummary>) {
        members.always("name", about: "The name of the token.") { $0.name }
        members.always("scope", about: "What it allows.", as: Schema.accessScope) { $0.scope.word }
        members.nullable("stream", about: "The only stream that it is for; `null` for all.") { $0.stream?.rawValue }
        members.always("createdAt", about: "The time of its creation.") { Moment.text($0.createdAtMilliseconds) }
        members.nullable("expiresAt", about: "The time after which it is not valid; `null` for never.") {
            $0.expiresAtMilliseconds.map(Moment.text)
        }
        members.always("expired", about: "Whether that time is over.") { $0.isExpired }
    }
}

extension Schema {
    /// A scope.
    package static let accessScope = Schema.words(AccessScope.allCases.map(\.word))
}

extension ShareSummary: WireObject {
    package static func describe(_ members: inout some MemberList<ShareSummary>) {
        members.always("name", about: "The name of the share.") { $0.name }
        members.always("stream", about: "The stream that it shows.") { $0.stream.rawValue }
        members.include { $0.options }
        members.always("createdAt", about: "The time of its creation.") { Moment.text($0.createdAtMilliseconds) }
        members.nullable("expiresAt", about: "The time after which it shows nothing; `null` for never.") {
            $0.expiresAtMilliseconds.map(Moment.text)
        }
        members.always("expired", about: "Whether that time is over.") { $0.isExpired }
    }
}

extension ShareOptions: WireObject {
    package static func describe(_ members: inout some MemberList<ShareOptions>) {
        members.always("showsPositions", sharedAs: .plain, about: "Whether it shows positions, and maps.") {
            $0.contains(.positions)
        }
        members.always("showsNames", sharedAs: .plain, about: "Whether it shows the ids of photos.") {
            $0.contains(.names)
        }
        members.always("sendsOriginals", sharedAs: .plain, about: "Whether it sends original files.") {
            $0.contains(.originals)
        }
    }
}
