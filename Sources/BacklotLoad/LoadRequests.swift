internal import BacklotClients
internal import BacklotHTTP
internal import BacklotJSON
internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Makes the requests of a load. Their common parts are built once.
struct LoadRequests: Sendable {
    let base: BaseURL
    private let authority: String
    private let getFields: FieldList
    private let postFields: FieldList
    private let photoFields: FieldList
    /// The beginning of the load, in seconds since 1970. Cookies expire by this clock.
    let time = Date().timeIntervalSince1970

    init(_ url: HTTPURL) {
        base = BaseURL(known: url)
        authority = url.authority
        let page: HTTPFields = [.accept: ResponseInspector.pageType, .acceptEncoding: ContentCoding.list]
        var post = page
        post[.contentType] = "application/json"
        getFields = FieldList(page)
        postFields = FieldList(post)
        photoFields = FieldList([.contentType: "image/jpeg", .acceptEncoding: ContentCoding.list])
    }

    /// The request that the app would make: a GET, or a POST if there are variables.
    func request(_ variables: JSONObject?, _ target: String, _ cookies: String?) -> OutgoingRequest {
        make(
            variables == nil ? .get : .post,
            target,
            variables == nil ? getFields : postFields,
            cookies,
            variables?.requestBody ?? []
        )
    }

    func upload(_ target: String, _ cookies: String?) -> OutgoingRequest {
        make(.put, target, photoFields, cookies, ApplinClient.samplePhoto)
    }

    func plain(_ request: LoadRequest, _ target: String, _ cookies: String?) -> OutgoingRequest {
        make(request.method, target, FieldList(request.headers), cookies, request.body)
    }

    private func make(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ fields: FieldList,
        _ cookies: String?,
        _ body: [UInt8]
    ) -> OutgoingRequest {
        var headers = fields
        if let cookies { headers.append(HTTPField(name: .cookie, value: cookies)) }
        return OutgoingRequest(
            method: method,
            target: target,
            authority: authority,
            headers: headers,
            body: .bytes(body)
        )
    }
}

/// The resolved URLs of paths in pages, so that the load resolves each path once for all phones. Bounded.
struct LoadTargets {
    private static let most = 20_000
    private var below: [String: (url: HTTPURL, target: String)] = [:]
    private var absolute: [String: (url: HTTPURL, target: String)] = [:]

    /// The URL of a path below the app's base URL; nil for a path that leaves it.
    mutating func target(_ path: String, below base: BaseURL) -> (url: HTTPURL, target: String)? {
        if let target = below[path] { return target }
        return (try? base.resolve(path)).map { Self.remember($0, path, in: &below) }
    }

    /// The URL of a path from the server's root.
    mutating func absolute(_ path: String, on base: HTTPURL) -> (url: HTTPURL, target: String)? {
        if let target = absolute[path] { return target }
        guard path.hasPrefix("/"), let url = try? base.resolving(path), url.hasSameOrigin(as: base) else { return nil }
        return Self.remember(url, path, in: &absolute)
    }

    private static func remember(
        _ url: HTTPURL,
        _ path: String,
        in known: inout [String: (url: HTTPURL, target: String)]
    ) -> (url: HTTPURL, target: String) {
        if known.count >= most { known = [:] }
        known[path] = (url, url.target)
        return (url, url.target)
    }
}
