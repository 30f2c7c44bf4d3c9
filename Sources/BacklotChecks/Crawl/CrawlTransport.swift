internal import Backlot
import BacklotClients

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A companion of a crawl, which for example sends the same requests to another server.
protocol CrawlCompanion: Sendable {
    /// Sends its own request while the crawl's request is in flight.
    func follow(_ request: ClientRequest) async

    /// Takes in the result of the crawl's request.
    ///
    /// - Returns: the bound that ends the crawl; nil to continue.
    func take(
        _ exchange: Result<ClientExchange, ClientError>,
        of request: ClientRequest,
        _ path: String
    ) async -> CrawlReport.End?
}

/// Sends the requests of a crawl within its bounds, and stores the findings.
struct CrawlTransport {
    /// After this number of failed connections in a row, the backend counts as gone.
    private static let refusals = 3

    let options: CrawlOptions
    let watch: CookieWatch
    let start = ContinuousClock.now
    /// The companion of the crawl; nil without one.
    var company: (any CrawlCompanion)?
    var findings: CrawlFindings
    /// The verdicts of client versions on the pages: of the selected versions, or else of every release; nil if releases read
    /// alike, or if the protocol has no such clients.
    var matrix: ClientMatrix?
    /// The matrix, if versions were selected.
    var askedMatrix: ClientMatrix? { options.clients == nil ? nil : matrix }
    /// The bound that ended the crawl.
    var end: CrawlReport.End?
    /// The reason why there was no connection at all.
    private(set) var unreachable: ClientError?
    private let cookieRule: CookieRule
    private var session: ClientSession
    private var seenCookies: Set<String> = []
    private var failuresInRow = 0
    private var hasResponded = false

    init(_ target: AppTarget, options: CrawlOptions) {
        self.options = options
        findings = CrawlFindings(least: options.least, expected: options.expected)
        watch = CookieWatch(target.transport)
        cookieRule = CookieRule(base: target.url)
        session = ClientSession(watch, limits: options.limits)
        do throws(ClientSelectionError) {
            if let clients = options.clients {
                matrix = ClientMatrix(try clients.speaking(target.appProtocol, options.dialect))
            } else if target.appProtocol.releases != nil {
                matrix = ClientMatrix(try ClientSelection.all.speaking(target.appProtocol))
            }
        } catch {
            findings.add([CrawlRule.wrongClients(error)])
        }
    }

    /// Whether the crawl continues.
    var isOpen: Bool { end == nil && unreachable == nil }

    /// Whether the last request has no response because the crawl is over.
    var isCutOff: Bool { end == .time || end == .interrupted }

    /// Sends a request; nil if no response arrived, or if the time is over.
    mutating func send(_ request: ClientRequest, _ path: String) async -> ClientResponse? {
        guard !Task.isCancelled else {
            end = .interrupted
            return nil
        }
        let rest = options.maximumTime - start.duration(to: .now)
        guard rest > .zero else {
            end = .time
            return nil
        }
        session.limits.total = min(options.limits.total, rest)
        session.limits.idle = min(options.limits.idle, session.limits.total)
        let now = Date().timeIntervalSince1970
        do throws(ClientError) {
            let exchange = try await exchange(request, now, path)
            (failuresInRow, hasResponded) = (0, true)
            judgeCookies(path, now)
            return exchange.response
        } catch {
            judgeCookies(path, now)
            fail(error, path)
            return nil
        }
    }

    private mutating func exchange(
        _ request: ClientRequest,
        _ now: Double,
        _ path: String
    ) async throws(ClientError) -> ClientExchange {
        guard let company else { return try await session.send(request, now: now) }
        async let followed: Void = company.follow(request)
        let result: Result<ClientExchange, ClientError>
        do throws(ClientError) {
            result = .success(try await session.send(request, now: now))
        } catch {
            result = .failure(error)
        }
        await followed
        if let reason = await company.take(result, of: request, path) { end = end ?? reason }
        return try result.get()
    }

    /// Reports a response that took long.
    mutating func noteSlowness(of response: ClientResponse, _ rule: String, _ path: String) {
        guard response.total > options.slow else { return }
        findings.add([CrawlRule.slow(response.total, bound: options.slow, rule: rule, path)])
    }

    private mutating func fail(_ failure: ClientError, _ path: String) {
        if Task.isCancelled {
            end = .interrupted
            return
        }
        // Clients count whole milliseconds, and give up slightly before the time is over.
        if case .timedOut = failure, start.duration(to: .now) + .milliseconds(2) >= options.maximumTime {
            end = .time
            return
        }
        if failure.hasNoConnection || failure == .cancelled {
            if !hasResponded, watch.requests <= 1 {
                unreachable = failure
                return
            }
            failuresInRow += 1
            if failuresInRow >= Self.refusals { end = .backend }
        }
        findings.add([ResponseRules.noResponse(failure, path)])
    }

    private mutating func judgeCookies(_ path: String, _ now: Double) {
        for (field, url) in watch.takeSettings() {
            for finding in cookieRule.findings(field, from: url, page: path, now: now) {
                // Backends set a cookie with every response; one finding is enough.
                guard seenCookies.count < 100, seenCookies.insert(finding.message).inserted else { continue }
                findings.add([finding])
            }
        }
    }
}

extension ClientError {
    /// Whether there was no connection at all.
    var hasNoConnection: Bool {
        switch self {
        case .unknownHost, .notConnected, .notSecured, .invalidURL, .outsideOfProcess: true
        default: false
        }
    }
}
