import PhotoStreamModel
package import PhotoStreamService

extension TokenSummary: WireObject {
    package static let schemaName: String? = nil

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
