internal import Backlot
internal import BacklotClients
internal import BacklotMocks

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A session on a server that repeats the leading side's steps: the same taps, the same inputs. It replaces ids and tokens that
/// change each time on the leading side with those from this server's responses.
actor ComparisonFollower {
    let base: ServerBase
    private let leader: ServerBase
    private let limits: ClientLimits
    private let watch: CookieWatch
    private var session: ClientSession
    private var known = Correspondence()

    init(_ server: AppTarget, leader: ServerBase, limits: ClientLimits) {
        base = ServerBase(server.url)
        self.leader = leader
        self.limits = limits
        watch = CookieWatch(server.transport)
        session = ClientSession(watch, limits: limits)
    }

    /// The number of requests sent.
    var requests: Int { watch.requests }

    /// Sends a request of the leading side.
    ///
    /// - Parameter time: the maximum time for it.
    func ask(_ request: ClientRequest, within time: Duration) async -> ComparedResponse {
        guard time > .zero else { return ComparedResponse(.timedOut("the time for all pages was over")) }
        session.limits.total = min(limits.total, time)
        session.limits.idle = min(limits.idle, session.limits.total)
        let path = leader.path(of: request.url)
        let first = await send(request, known.texts[path] ?? path)
        guard [404, 410].contains(first.response?.status.code), let other = known.path(path) else { return first }
        let second = await send(request, other)
        return second.response?.status.kind == .successful ? second : first
    }

    private func send(_ request: ClientRequest, _ path: String) async -> ComparedResponse {
        var own = request
        guard let url = try? HTTPURL(url(of: path)) else {
            return ComparedResponse(.invalidURL(path, problem: "it can't be asked for"))
        }
        own.url = url
        if !known.texts.isEmpty, let body = try? JSONValue(parsing: own.body, depthLimit: limits.nesting) {
            own.body = known.replaced(body).bytes
        }
        _ = watch.takeSettings()
        // An actor's property can't be mutated across an await. The steps run one at a time.
        var session = session
        defer { self.session = session }
        let result: Result<ClientExchange, ClientError>
        do throws(ClientError) {
            result = .success(try await session.send(own, now: Date().timeIntervalSince1970))
        } catch {
            result = .failure(error)
        }
        return ComparedResponse(result, from: base, as: leader, nesting: limits.nesting)
    }

    private func url(of path: String) -> String {
        guard path.hasPrefix("/") else { return (try? base.url(of: HTTPURL(path), at: leader)) ?? path }
        let isApp = leader.folder + path.dropFirst() == leader.url.target
        return isApp ? "\(base.url)" : base.baseURL + path.dropFirst()
    }

    /// Learns the texts of this side that correspond to the leading side's.
    ///
    /// - Parameters:
    ///   - volatile: the leading side's texts that change each time.
    ///   - tokens: the token of a packet session on the leading side, and the one on this side; nil without such a session.
    func learn(_ pairs: [DocumentComparison.Pair], volatile: Set<String>, tokens: (String, String)?) {
        for pair in pairs {
            if volatile.contains(pair.was) {
                if pair.isTarget || pair.areTokens { known.learn(text: pair.was, pair.now) }
            } else if pair.isTarget, pair.was.withoutIDs == pair.now.withoutIDs {
                known.learn(path: pair.was, pair.now)
            }
        }
        if let (leading, own) = tokens { known.learn(text: leading, own) }
    }
}

/// The texts and paths of a leading side, and those that correspond on another side: the mock's `/notes/3` may be the backend's
/// `/notes/17`.
struct Correspondence: Sendable {
    private static let most = 10_000

    /// The corresponding texts, such as ids and tokens, by the leading side's texts.
    private(set) var texts: [String: String] = [:]
    /// The leading side's paths, in the order of learning.
    private(set) var paths: [String] = []
    private var ownPaths: [String: String] = [:]

    /// The path that corresponds to a path of the leading side; nil if it is unknown.
    func path(_ leading: String) -> String? { ownPaths[leading] }

    mutating func learn(path leading: String, _ own: String) {
        guard paths.count < Self.most else { return }
        if ownPaths.updateValue(own, forKey: leading) == nil { paths.append(leading) }
    }

    mutating func learn(text leading: String, _ own: String) {
        if texts.count < Self.most { texts[leading] = own }
    }

    /// A value of a request with this side's texts.
    func replaced(_ value: JSONValue) -> JSONValue { texts.isEmpty ? value : value.mapTexts { texts[$0] ?? $0 } }
}

extension DocumentComparison.Pair {
    /// Whether both may be ids or tokens rather than words or sentences.
    var areTokens: Bool { was.looksLikeToken && now.looksLikeToken }
}

extension String {
    fileprivate var looksLikeToken: Bool {
        let bytes = utf8
        guard bytes.count >= 6, !bytes.contains(where: { $0 <= 0x20 }) else { return false }
        return bytes.count >= 16 || bytes.contains { (0x30...0x39).contains($0) }
    }

    /// The path with `*` in place of segments that may be ids.
    var withoutIDs: String {
        split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.looksLikeID ? "*" : String($0) }
            .joined(separator: "/")
    }
}
