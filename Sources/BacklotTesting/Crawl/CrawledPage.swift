internal import Applin
internal import BacklotJSON
internal import HTTPTypes

/// What a crawl reads in an answer with a page, also with one that clients reject: so that one mistake doesn't hide others.
struct CrawledPage {
    let contents: PageContents
    let links: [PageLink]

    /// Reads a page; nil for what is none.
    init?(_ response: ClientResponse, path: String, dialect: Dialect?, limits: ClientLimits) {
        guard (200...299).contains(response.status.code), response.looksLikeJSON,
            let document = try? JSONValue(parsing: response.body, depthLimit: limits.nesting),
            let page = document["page"]
        else { return nil }
        contents = PageContents(page)
        links = ApplinRules.links(inPage: document, path: path, dialect: dialect ?? contents.dialect ?? .objects)
    }

    /// The body of a POST from the page while nobody has touched its inputs; nil for a page without inputs, and for one whose
    /// inputs clients can't send.
    var variables: JSONObject? {
        var names: Set<String> = []
        var sent = SentVariables()
        for input in contents.inputs {
            guard names.insert(input.name).inserted else { return nil }
            sent.add(input.name, input.initial)
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
