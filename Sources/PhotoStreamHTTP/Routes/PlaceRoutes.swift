import HTTPTypes
package import PhotoStreamAtlas
package import PhotoStreamWire

/// The route that finds cities by name, for maps.
enum PlaceRoutes {
    private static let defaultLimit = 8

    static let list = Route(
        method: .get, path: RoutePath("/v1/places"), operation: "findPlaces", access: .read,
        summary: """
            The cities of at least 15,000 inhabitants with a name that begins with a text, and after them those with a \
            later word that does, each by inhabitants; case, accents and punctuation are ignored. Data of GeoNames \
            (geonames.org, CC BY 4.0).
            """,
        parameters: [
            RouteParameter(
                "query", as: .text, summary: "The text, 1 to \(PlaceDirectory.maximumQueryLength) characters."
            ).required,
            RouteParameter(
                "limit", as: .integer(1...PlaceDirectory.maximumLimit),
                summary: "The maximum number of cities. (default: \(defaultLimit))"),
        ],
        isCacheable: true, answers: [.init(schema: "Places")], problems: [.invalidParameter, .missingParameter]
    ) { call in
        guard let query = call.query["query"] else {
            throw Problem(.missingParameter, detail: "query is missing", parameter: "query")
        }
        guard (1...PlaceDirectory.maximumQueryLength).contains(query.count) else {
            throw Problem(
                .invalidParameter,
                detail: "query has \(query.count) characters, not 1 to \(PlaceDirectory.maximumQueryLength)",
                parameter: "query")
        }
        let limit = try call.checkedLimit("limit", maximum: PlaceDirectory.maximumLimit) ?? defaultLimit
        let places = PlaceDirectory.shared.places(matching: query, limit: limit)
        return call.answer(validating: { $0.value(PlaceList(places: places)) })
    }
}

/// The cities that a query finds.
struct PlaceList: WireObject {
    let places: [Place]

    static let schemaName: String? = "Places"

    static func describe(_ members: inout some MemberList<PlaceList>) {
        members.always("places", sharedAs: .plain, about: "The cities, the best match first.") { $0.places }
    }
}

extension Place: WireObject {
    package static let schemaName: String? = "Place"

    package static func describe(_ members: inout some MemberList<Place>) {
        members.always("name", sharedAs: .plain, about: "The name.") { $0.name }
        members.always("country", sharedAs: .plain, about: "The English name of the country.") { $0.country }
        members.always("countryCode", sharedAs: .plain, about: "The two letters of the country.") {
            $0.countryCode
        }
        members.always("latitude", sharedAs: .plain, about: "In degrees, to 20 metres.") { $0.latitude }
        members.always("longitude", sharedAs: .plain, about: "In degrees, to 40 metres.") {
            $0.longitude
        }
        members.always("population", sharedAs: .plain, about: "The number of inhabitants, to 5 percent.") {
            $0.population
        }
    }
}
