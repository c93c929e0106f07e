import HTTPTypes
import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamPrimary
import PhotoStreamService
import PhotoStreamWire

/// A request with its decoded parameters, ready to be answered.
struct APICall {
    let service: PhotoStreamService
    /// The maker of thumbnails; `nil` if the server makes none.
    let pictures: PictureMaker?
    /// The folders into which pictures may be uploaded; `nil` for none.
    let uploads: PictureUploads?
    /// Keeps the file up to date; `nil` if it is not a replica.
    let follower: Follower?
    /// The rights of the sender.
    let grant: AccessGrant
    /// The readers of the answer if they have the link of a share; `nil` for all others.
    let audience: ShareAudience?
    let access: AccessCheck
    let metrics: ServerMetrics
    /// The address of the connection's other end; `nil` if it has none.
    let sender: ServerAddress?
    /// The sender, as the shared bounds count it.
    let client: BoundedClient
    /// The number of clients that wait for thumbnails, bounded.
    let thumbnails: SharedBudget
    /// The threads of the route's lane.
    let lane: WorkerPool?
    let method: HTTPRequest.Method
    var headers: HTTPFields
    let route: Route
    /// The values of the path by their names, decoded.
    var path: [String: String]
    var query: QueryParameters
    var body = RequestContent.none
    /// The form of the answer that the client prefers.
    let form: String
    var times = StageTimes()

    /// Answers with the duration of each stage.
    ///
    /// - Parameter rest: The rest of the handler, if it began in another lane; `nil` for all of it.
    /// - Returns: The route's answer.
    /// - Throws: The errors of the route.
    func answered(by rest: Route.Handler? = nil) async throws -> APIResponse {
        var call = self
        call.times.end("queue")
        let handle = rest ?? route.handle
        var response = try await handle(&call)
        response.fields[.serverTiming] = call.times.text
        if route.writes, response.status.kind == .successful {
            response.fields[.photoStreamRevision] = try service.lastState().state
        }
        return response
    }

    /// Runs a step that blocks on a thread of the route's lane.
    ///
    /// - Parameter body: The step.
    /// - Returns: The result of `body`.
    /// - Throws: ``Problem`` if too many requests wait for a thread, and the errors of `body`.
    func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        guard let lane else { return try body() }
        return try await lane.run(watch: nil, for: client, cost: cost, body)
    }

    /// The cost of the answer, which decides its turn: about 1 for each 50 photos that it may have.
    var cost: Double {
        let asked = ["limit", "count", "first"].compactMap { query[$0].flatMap { Int($0) } }.max()
        var count = asked ?? (route.parameter(named: "limit") == nil ? 0 : PhotoStreamService.defaultLimit)
        // Rows may be read to select the photos.
        if query[RouteParameter.condition.name] != nil { count = PhotoStreamService.maximumLimit }
        return 1 + Double(min(max(count, 0), PhotoStreamService.maximumLimit)) / 50
    }

    var stream: StreamName {
        get throws(Problem) { try name(path["stream"] ?? "", of: "stream", as: StreamName.init(_:)) }
    }

    var photo: PhotoID {
        get throws(Problem) { try name(path["photo"] ?? "", of: "photo", as: PhotoID.init(_:)) }
    }

    /// Makes a name of a text from the client.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - parameter: The parameter or the member of the body that contains it.
    ///   - make: Makes the name.
    /// - Returns: The name.
    /// - Throws: ``Problem`` with the parameter for an invalid name.
    func name<Name>(
        _ text: String, of parameter: String, as make: (String) throws(ModelError) -> Name
    ) throws(Problem) -> Name {
        do throws(ModelError) {
            return try make(text)
        } catch {
            throw Problem(.invalidName, detail: error.description, parameter: parameter)
        }
    }

    /// Attributes errors about unknown or repeated photos to the parameter that names them.
    ///
    /// - Parameters:
    ///   - parameter: Returns the parameter or the member of the body that names a photo.
    ///   - body: Looks up photos.
    /// - Returns: The result of `body`.
    /// - Throws: ``Problem`` for such a photo, and the other errors of `body`.
    func attributingUnknownPhoto<Result>(
        to parameter: (PhotoID) -> String, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as StreamServiceError {
            switch error {
            case .unknownPhoto(let id, _), .notDeleted(let id, _), .repeatedPhoto(let id), .hiddenPhoto(let id):
                let problem = Problem(error)
                throw Problem(problem.kind, detail: problem.detail, parameter: parameter(PhotoID(stored: id)))
            default: throw error
            }
        }
    }

    /// The maximum number of photos in the answer.
    func limit() throws -> Int {
        try checkedLimit("limit") ?? PhotoStreamService.defaultLimit
    }

    /// Reads a count, usually of photos; refuses more than the maximum.
    func checkedLimit(_ name: String, maximum: Int = PhotoStreamService.maximumLimit) throws -> Int? {
        try query.value(name, expecting: "a whole number from 1 to \(maximum)") { text in
            Int(text).flatMap { (1...maximum).contains($0) ? $0 : nil }
        }
    }

    /// The ids of the requested photos; `nil` if the query names none.
    ///
    /// - Parameter others: The parameters that have no meaning with ids.
    /// - Returns: The ids, at most as many as an answer may have photos.
    /// - Throws: ``Problem`` for an invalid id, for too many, and for one of the other parameters.
    func photoIDs(without others: [String]) throws(Problem) -> [PhotoID]? {
        let texts = query.values("id")
        guard !texts.isEmpty else { return nil }
        let maximum = PhotoStreamService.maximumLimit
        guard texts.count <= maximum else {
            throw Problem(
                .invalidParameter, detail: "id is given \(texts.count) times, but must be at most \(maximum)",
                parameter: "id")
        }
        if let other = others.first(where: { query[$0] != nil }) {
            throw Problem(.invalidParameter, detail: "\(other) is not available with id", parameter: other)
        }
        var ids: [PhotoID] = []
        for text in texts { ids.append(try name(text, of: "id", as: PhotoID.init(_:))) }
        return ids
    }

    /// Returns the form of an answer with frames of photos.
    ///
    /// - Throws: ``Problem`` for a parameter of the other form.
    func binaryForm() throws(Problem) -> BinaryForm {
        let (hasIDs, hasPictures) = (try query.flag("ids"), try query.flag("pictures"))
        let hasSizes = try query.flag("sizes")
        let isBinary = form == MediaTypes.binary
        for foreign in isBinary ? ["fields"] : ["ids", "pictures", "sizes"] where query[foreign] != nil {
            throw Problem(.invalidParameter, detail: "\(foreign) is not available with \(form)", parameter: foreign)
        }
        return BinaryForm(
            isBinary: isBinary, hasIDs: hasIDs ?? false, hasPictures: hasPictures ?? false, hasSizes: hasSizes ?? false)
    }

    /// The members of the items.
    func fields() throws(Problem) -> ItemFields {
        guard let text = query["fields"] else { return .all }
        var fields: [ItemField] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let field = ItemField(rawValue: String(name)) else {
                throw Problem(
                    .invalidParameter, detail: "fields contains \"\(name)\", which items do not have",
                    parameter: "fields")
            }
            fields.append(field)
        }
        return ItemFields(fields)
    }

    /// A rectangle, if one is given.
    func rect(_ name: String) throws(Problem) -> Rect? {
        try query.value(name, expecting: "four numbers such as 0,4000,1200,900, the last two 0 or greater") { text in
            (try? Rect(text: text)).flatMap { $0.isAsked ? $0 : nil }
        }
    }

    /// The size of the visible bounds.
    func viewport() throws(Problem) -> Size {
        try query.required("viewport", expecting: "two numbers such as 1200,900, 0 or greater") { text in
            (try? Size(text: text)).flatMap { Rect(x: 0, y: 0, width: $0.width, height: $0.height).isAsked ? $0 : nil }
        }
    }

    /// A position, in points of the content.
    func point() throws(Problem) -> Point {
        Point(
            x: try query.required("x", expecting: "a number", read: QueryParameters.number),
            y: try query.required("y", expecting: "a number", read: QueryParameters.number))
    }

    /// The beginning of a list of a cluster's photos.
    func clusterStart(after cursor: String?) throws(Problem) -> ClusterStart {
        let isUnlocated = try query.flag("unlocated") ?? false
        let point = ["x", "y"].first { query[$0] != nil }
        if let cursor {
            guard let extra = point ?? (isUnlocated ? "unlocated" : nil) else { return .after(cursor) }
            throw Problem(
                .invalidParameter, detail: "the cursor contains the cluster; leave out \(extra)", parameter: extra)
        }
        guard isUnlocated else { return .at(try self.point()) }
        guard let point else { return .unlocated }
        throw Problem(
            .invalidParameter, detail: "photos without a position are at no point; leave out \(point)",
            parameter: point)
    }

    /// The revision that a client has seen.
    func since() throws(Problem) -> Revision {
        try query.required("since", expecting: Revision.expectation, read: Revision.init(state:))
    }
}

extension Revision {
    /// The continuation of "must be" in problems with a state.
    static let expectation = "the state of an earlier answer, such as 8095.k3f9, or 0"
}

/// The form of an answer with frames of photos.
struct BinaryForm {
    /// Whether it is binary rather than JSON.
    let isBinary: Bool
    /// Whether a binary answer includes the photos' ids.
    let hasIDs: Bool
    /// Whether a binary answer includes the photos' pictures.
    let hasPictures: Bool
    /// Whether a binary answer includes the sizes of the photos' pictures.
    let hasSizes: Bool

    /// Whether the photos' rows must be read.
    var readsPhotos: Bool { !isBinary || hasIDs || hasPictures || hasSizes }

    /// Whether an answer, in JSON with some members, shows results of decoding pictures.
    func showsPictures(_ fields: ItemFields) -> Bool { isBinary ? hasPictures : fields.showPictures }

    /// The parts of photos that a binary answer includes in addition to their frames.
    func parts(of items: [PlacedPhoto], alwaysWithIDs: Bool = false) -> BinaryFrames.Parts {
        BinaryFrames.Parts(
            ids: hasIDs || alwaysWithIDs ? items.map(\.id) : nil,
            pictures: hasPictures ? items.map(BinaryFrames.Picture.init) : nil,
            pictureSizes: hasSizes ? items.map { $0.packed.withFields { $0.pixelSize } } : nil)
    }
}

extension ItemFields {
    /// Whether these members show results of decoding pictures.
    var showPictures: Bool { !isDisjoint(with: .ofPictures) }
}

extension Rect {
    /// Whether the rectangle is valid for a query.
    fileprivate var isAsked: Bool {
        [x, y, width, height].allSatisfy(\.isFinite) && width >= 0 && height >= 0
    }
}
