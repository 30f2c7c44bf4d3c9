internal import Applin
internal import Backlot
import BacklotClients
internal import BacklotJSON
internal import HTTPTypes

/// Judging what is no page.
extension CrawlRun {
    enum ErrorKind {
        /// 403 and 422: the text is for the user.
        case refusal
        /// Other 4xx: the link is wrong.
        case death
        /// The backend fails.
        case failure
    }

    var judge: AnswerJudge {
        AnswerJudge(dialect: dialect, client: client, base: base.url, app: nil, limits: options.limits)
    }

    /// Judges an answer that says that something went wrong; nil for one that doesn't.
    mutating func takeError(_ response: ClientResponse, _ path: String) -> ErrorKind? {
        switch response.status.code {
        case 200...299: return nil
        case 403, 422:
            channel.findings.add(AnswerRule.userText(response, path))
            return .refusal
        case 400...499:
            channel.findings.add(AnswerRule.encoding(response, path) + AnswerRule.length(response, path))
            return .death
        default:
            channel.findings.add([AnswerRule.status(response, path)] + AnswerRule.encoding(response, path))
            return .failure
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
    init?(
        _ response: ClientResponse,
        path: String,
        dialect: Dialect?,
        client: ClientVersion? = nil,
        limits: ClientLimits
    ) {
        guard (200...299).contains(response.status.code), response.looksLikeJSON,
            let document = try? JSONValue(parsing: response.body, depthLimit: limits.nesting),
            let page = document["page"]
        else { return nil }
        contents = PageContents(page)
        self.client = client ?? (dialect ?? contents.dialect ?? .objects).versions.upperBound
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
        body.first { !$0.isJSONSpace } == UInt8(ascii: "{")
    }
}
