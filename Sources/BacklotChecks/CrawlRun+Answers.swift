internal import Applin
internal import Backlot
import BacklotClients
internal import BacklotJSON
internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Sending requests within the bounds of the crawl, and judging what is no page.
extension CrawlRun {
    /// After so many failed connections in a row the backend is taken to have gone.
    private static let refusals = 3

    enum ErrorKind {
        /// 403 and 422: the text is for the user.
        case refusal
        /// Other 4xx: the link is wrong.
        case death
        /// The backend fails.
        case failure
    }

    var judge: AnswerJudge {
        AnswerJudge(dialect: dialect, base: base.url, app: nil, limits: options.limits)
    }

    /// Judges an answer that says that something went wrong; nil for one that doesn't.
    mutating func takeError(_ response: ClientResponse, _ path: String) -> ErrorKind? {
        switch response.status.code {
        case 200...299: return nil
        case 403, 422:
            findings.add(AnswerRule.userText(response, path))
            return .refusal
        case 400...499:
            findings.add(AnswerRule.encoding(response, path) + AnswerRule.length(response, path))
            return .death
        default:
            findings.add([AnswerRule.status(response, path)] + AnswerRule.encoding(response, path))
            return .failure
        }
    }

    mutating func noteSlowness(of response: ClientResponse, _ rule: String, _ path: String) {
        guard response.total > options.slow else { return }
        findings.add([CrawlRule.slow(response.total, bound: options.slow, rule: rule, path)])
    }

    // MARK: Requests

    /// Sends a request; nil where no answer came, or the time is over.
    mutating func send(_ request: ClientRequest, _ path: String) async -> ClientResponse? {
        let rest = options.maximumTime - start.duration(to: .now)
        guard rest > .zero else {
            end = .time
            return nil
        }
        session.limits.total = min(options.limits.total, rest)
        session.limits.idle = min(options.limits.idle, session.limits.total)
        let now = Date().timeIntervalSince1970
        do throws(ClientFailure) {
            let exchange = try await session.send(request, now: now)
            failuresInRow = 0
            judgeCookies(path, now)
            return exchange.response
        } catch {
            judgeCookies(path, now)
            fail(error, path)
            return nil
        }
    }

    private mutating func fail(_ failure: ClientFailure, _ path: String) {
        if case .timedOut = failure, start.duration(to: .now) >= options.maximumTime {
            end = .time
            return
        }
        if failure.isOfConnection {
            if frontier.taken == 1, watch.requests <= 1 {
                unreachable = failure
                return
            }
            failuresInRow += 1
            if failuresInRow >= Self.refusals { end = .backend }
        }
        findings.add([AnswerRule.noAnswer(failure, path)])
    }

    private mutating func judgeCookies(_ path: String, _ now: Double) {
        for (field, url) in watch.takeSettings() {
            for finding in cookieRule.findings(field, from: url, page: path, now: now) {
                // Backends set a cookie with every answer; once is enough.
                guard seenCookies.count < 100, seenCookies.insert(finding.message).inserted else { continue }
                findings.add([finding])
            }
        }
    }
}

extension ClientFailure {
    /// Whether there was no connection at all.
    fileprivate var isOfConnection: Bool {
        switch self {
        case .unknownHost, .notConnected, .notSecured, .unsupportedScheme, .invalidURL, .outsideOfProcess, .cancelled:
            true
        default: false
        }
    }
}

/// The parts of an answer's page that a crawl needs. Pages that clients reject are read too, so that one mistake doesn't hide
/// others.
struct CrawledPage {
    let contents: PageContents
    private let client: ClientVersion
    let links: [PageLink]
    let pictures: [PagePicture]

    /// Reads a page; nil for what is none.
    init?(_ response: ClientResponse, path: String, dialect: Dialect?, limits: ClientLimits) {
        guard (200...299).contains(response.status.code), response.looksLikeJSON,
            let document = try? JSONValue(parsing: response.body, depthLimit: limits.nesting),
            let page = document["page"]
        else { return nil }
        contents = PageContents(page)
        client = (dialect ?? contents.dialect ?? .objects).versions.upperBound
        let dialect = dialect ?? contents.dialect ?? .objects
        links = ApplinRules.links(inPage: document, path: path, dialect: dialect)
        pictures = ApplinRules.pictures(inPage: document, path: path, dialect: dialect)
    }

    /// The body of a POST from the page while nobody has touched its inputs; nil for a page without inputs, and for one whose
    /// inputs clients can't send.
    var variables: JSONObject? {
        var sent = SentVariables(for: client)
        for input in contents.inputs {
            guard sent.add(input.name, input.initial) else { return nil }
        }
        return sent.isEmpty ? nil : sent.object
    }
}

extension ClientResponse {
    /// Whether the body begins as an object of JSON does.
    var looksLikeJSON: Bool {
        body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    }
}
