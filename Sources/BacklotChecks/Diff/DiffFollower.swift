internal import Backlot
internal import BacklotClients
internal import BacklotJSON
import BacklotMocks
internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A session on a server that does what the leading side's has done: the same taps, the same inputs. Where the leading side's own
/// answers have ids and tokens that are others each time, it sends those that this server has answered in their places.
actor DiffFollower {
    let base: DiffBase
    private let leader: DiffBase
    private let limits: ClientLimits
    private let watch: CookieWatch
    private var session: ClientSession
    /// The leading side's texts that are others each time, and this server's instead.
    private var texts: [String: String] = [:]
    /// The leading side's paths, and this server's, which are asked for where the leading side's are not there.
    private var paths: [String: String] = [:]

    private static let mostTexts = 10_000

    init(_ server: Diff.Server, leader: DiffBase, limits: ClientLimits) {
        base = DiffBase(server.url)
        self.leader = leader
        self.limits = limits
        watch = CookieWatch(server.transport)
        session = ClientSession(watch, limits: limits)
    }

    /// How many requests were sent.
    var requests: Int { watch.requests }

    /// Sends a request of the leading side.
    ///
    /// - Parameter time: the longest time that it may take.
    func ask(_ request: ClientRequest, within time: Duration) async -> DiffAnswer {
        guard time > .zero else { return answer(.failure(.timedOut("the time for all pages was over"))) }
        session.limits.total = min(limits.total, time)
        session.limits.idle = min(limits.idle, session.limits.total)
        let path = leaderPath(of: request.url)
        let first = await send(request, texts[path] ?? path)
        guard let response = first.response, [404, 410].contains(response.status.code), let other = paths[path] else {
            return first
        }
        let second = await send(request, other)
        return second.response?.status.kind == .successful ? second : first
    }

    private func send(_ request: ClientRequest, _ path: String) async -> DiffAnswer {
        var own = request
        guard let url = try? HTTPURL(url(of: path)) else {
            return answer(.failure(.invalidURL(path, problem: "it can't be asked for")))
        }
        own.url = url
        if !texts.isEmpty, !own.body.isEmpty, let body = try? JSONValue(parsing: own.body, depthLimit: limits.nesting) {
            own.body = replaced(body).bytes
        }
        _ = watch.takeSettings()
        let now = Date().timeIntervalSince1970
        // An actor's property can't be changed across an await. The steps come one after the other.
        var session = session
        defer { self.session = session }
        do throws(ClientFailure) {
            return answer(.success(try await session.send(own, now: now)))
        } catch {
            return answer(.failure(error))
        }
    }

    private func answer(_ result: Result<ClientExchange, ClientFailure>) -> DiffAnswer {
        DiffAnswer(result, from: base, as: leader, nesting: limits.nesting)
    }

    /// A path below the leading side's URL, as its pages have it: `/terms`. For others the whole URL.
    private func leaderPath(of url: HTTPURL) -> String {
        let target = url.target
        guard url.hasSameOrigin(as: leader.url), target.hasPrefix(leader.folder) else { return "\(url)" }
        return "/" + target.dropFirst(leader.folder.count)
    }

    private func url(of path: String) -> String {
        guard path.hasPrefix("/") else { return (try? base.url(of: HTTPURL(path), at: leader)) ?? path }
        let isApp = leader.folder + path.dropFirst() == leader.url.target
        return isApp ? "\(base.url)" : base.origin + base.folder + path.dropFirst()
    }

    private func replaced(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): return .string(texts[text] ?? text)
        case .array(let elements): return .array(elements.map(replaced))
        case .object(let object):
            return .object(object.members.reduce(into: JSONObject()) { $0[$1.key] = replaced($1.value) })
        default: return value
        }
    }

    // MARK: What corresponds

    /// Learns which of its texts stand where the leading side has others.
    ///
    /// - Parameter volatile: the leading side's texts that are others each time.
    func learn(_ pairs: [DocumentDrift.Pair], volatile: Set<String>) {
        for pair in pairs where texts.count < Self.mostTexts {
            if volatile.contains(pair.mock) {
                guard pair.isTarget || pair.mock.looksLikeToken && pair.backend.looksLikeToken else { continue }
                texts[pair.mock] = pair.backend
            } else if pair.isTarget, paths.count < Self.mostTexts,
                VolatileText.route(pair.mock) == VolatileText.route(pair.backend)
            {
                paths[pair.mock] = pair.backend
            }
        }
    }

    /// Learns the token of an Xpedite session.
    func learnToken(_ leading: String, _ own: String) { texts[leading] = own }
}
