internal import BacklotHTTP
internal import HTTPTypes

/// What a network does to requests and their answers.
extension FaultInjection {
    /// Answers a request that comes through a network.
    func answer(_ request: Request, through network: NetworkProfile, next: any Handler) throws -> Answer {
        if network.reach == .portal, CaptivePortal.isLogIn(request) {
            board.logIn(request)
            return .ready(try CaptivePortal.loggedIn(request))
        }
        // It changes nothing, and isn't worth a task.
        guard network != NetworkProfile() else { return try answerOnline(request, next: next) }
        let trip = NetworkTrip(network, board.links.use(NetworkLinks.Key(request)), board.world)
        let request = request.marked.traveling(trip)
        return .pending { try await answer(request, on: trip, next: next) }
    }

    private func answer(_ request: Request, on trip: NetworkTrip, next: any Handler) async throws -> Response {
        if trip.loss == .request {
            // Without a network clients know at once.
            if trip.profile.reach == .server { try await trip.request(Self.headSize(of: request)) }
            return unanswered(request, trip, Fault(connection: .emptyResponse), .fault(.emptyResponse))
        }
        try await trip.request(Self.headSize(of: request))
        if trip.profile.reach == .portal {
            let page = try CaptivePortal.answer(request)
            return unanswered(request, trip, Fault(status: page.status), page)
        }
        let response = try await handled(request, next).traveling(trip)
        guard trip.loss == .answer else { return response }
        request.isAnswered(by: Self.source(trip))
        return response.lost
    }

    /// The answer of the server. Errors that have an answer are answers too: they take their time as others do.
    private func handled(_ request: Request, _ next: any Handler) async throws -> Response {
        do {
            return try await answerOnline(request, next: next).response()
        } catch let error as any HTTPError {
            return Response(error)
        }
    }

    /// An answer for which no handler is asked.
    private func unanswered(_ request: Request, _ trip: NetworkTrip, _ fault: Fault, _ response: Response) -> Response {
        let response = response.traveling(trip)
        request.isAnswered(by: Self.source(trip))
        onFault(request, fault, response)
        return response
    }

    private static func source(_ trip: NetworkTrip) -> AnswerSource {
        AnswerSource(fault: "network=\(trip.profile)" + (trip.loss.map { "; \($0.rawValue)=lost" } ?? ""))
    }

    /// The size of a request's head, as HTTP/1.1 writes it.
    private static func headSize(of request: Request) -> Int {
        request.headers.reduce(request.target.utf8.count + request.method.rawValue.utf8.count + 14) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + 4
        }
    }
}

/// What a network answers whose users must log in first: it leads every request to a page of its own, as HTML.
///
/// The page is at the request's own path, with a query that no app has, so that it takes no path away.
enum CaptivePortal {
    private static let query = "backlot-portal"

    /// Whether a request is the page's form, sent.
    static func isLogIn(_ request: Request) -> Bool {
        request.method == .post && request.query == "\(query)=accept"
    }

    /// The page, or the way to it.
    static func answer(_ request: Request) throws -> Response {
        var response: Response
        if request.query == query {
            response = Response(
                headers: [.contentType: "text/html; charset=utf-8"],
                body: .bytes(Array(page.utf8))
            )
        } else {
            response = try .redirect(to: "?\(query)")
        }
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// The answer to the form: the way back, and the end of a cookie that asks for the portal.
    static func loggedIn(_ request: Request) throws -> Response {
        // Two slashes would lead to another host (RFC 3986, section 4.2).
        let path = request.path.hasPrefix("//") ? "/" : request.path
        var response = try Response.redirect(to: path, status: .seeOther)
        try response.headers.set(.setCookie, to: "\(FaultInjection.networkCookie)=; Path=/; Max-Age=0")
        response.headers[.cacheControl] = "no-store"
        return response
    }

    private static let page = """
        <!doctype html><html lang="en"><meta charset="utf-8"><title>Log in to this network</title>
        <meta name="viewport" content="width=device-width"><h1>Log in to this network</h1>
        <p>This page takes the place of every answer, as in a hotel or on a train, until you have logged in.</p>
        <form method="post" action="?\(query)=accept"><button>Log in</button></form></html>

        """
}
