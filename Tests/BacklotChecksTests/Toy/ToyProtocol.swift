import Backlot
import BacklotClients

/// A protocol of cards, each with links to others: everything that a new protocol needs for crawls, comparisons, explorations, mock files,
/// schemas and preview.
extension AppProtocol {
    static let toy: AppProtocol = {
        var toy = AppProtocol(
            "toy",
            title: "Toy",
            summary: "cards with links",
            inspector: ToyInspector(),
            vocabulary: ToyInspector.vocabulary,
            recognises: { $0["card"]?["type"] == "card" }
        )
        toy.clients = [KnownClient("toy-phone")]
        toy.headlessClient = ToyClient.self
        toy.comparison.targets = ["to"]
        toy.format = {
            var pages = PageFormat(
                .toy,
                contentType: "application/json",
                envelope: "card",
                mark: "type",
                beginning: "type: card",
                inspector: ToyInspector()
            )
            pages.words = (ToyInspector.vocabulary, ToyInspector.card)
            return .pages(pages)
        }
        return toy
    }()
}

struct ToyInspector: PageInspector {
    static let response = Role("answer", hasStep: false)
    static let card = Role("card", .key("type"), example: "card")
    static let link = Role("link", labels: ["text"])

    static let vocabulary = Vocabulary(
        [
            Kind(
                "answer",
                as: [response],
                "A response.",
                keys: [.required("card", .node(card, only: []), "The card.")]
            ),
            Kind(
                "card",
                as: [card],
                "A card to read.",
                keys: [
                    .required("title", .string, "The heading."),
                    .optional("links", .objects(link), "The ways to other cards."),
                ]
            ),
            Kind(
                "link",
                as: [link],
                "A way to another card.",
                keys: [.required("text", .string, "The text."), .required("to", .string, "The card's path.")]
            ),
        ],
        for: [Audience(dialect: "toy", noun: "toy phones", advice: "serve the card to toy phones")],
        refusal: "drop the card"
    )

    var exampleResponse: String { #"{"card":{"type":"card","title":"Home"}}"# }

    func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding] {
        var reader = DocumentReader(Self.vocabulary, for: Self.vocabulary.audiences[0])
        reader.read(document, as: Self.vocabulary.kinds[0])
        return reader.remarks.findings(in: reader.tree, name: path)
    }
}

extension JSONValue {
    fileprivate var links: [(text: String, to: String, pointer: String)] {
        (self["card"]?["links"]?.array ?? []).enumerated().map { index, link in
            (link["text"]?.string ?? "", link["to"]?.string ?? "", "/card/links/\(index)/to")
        }
    }
}

struct ToyGuide: CrawlGuide {
    let url: HTTPURL

    var start: CrawlStop { CrawlStop("/", url) }

    func request(for stop: CrawlStop) -> ClientRequest { ClientRequest(.get, stop.url) }

    func take(_ response: ClientResponse, of stop: CrawlStop) -> CrawlResult {
        guard response.status == .ok else { return .dead(response, stop.path) }
        var result = CrawlResult(ToyInspector().findings(inBody: response.body, path: stop.path, app: nil))
        for link in (try? JSONValue(parsing: response.body))?.links ?? [] {
            let place = FindingPath(page: stop.path, pointer: link.pointer)
            let leads = PageLink(kind: .page, action: "the link", target: link.to, place: place)
            if let url = try? url.resolving(String(link.to.dropFirst())) {
                result.links.append((leads, CrawlStop(link.to, url)))
            }
        }
        return result
    }
}

final class ToyClient: HeadlessClient {
    static var hasBaseURL: Bool { true }

    static func guide(at url: HTTPURL, _ options: GuideOptions) -> any CrawlGuide { ToyGuide(url: url) }

    private let url: HTTPURL
    private var session: ClientSession
    private var cards: [(path: String, document: JSONValue)] = []

    init(_ url: HTTPURL, over transport: any ClientTransport, _ options: HeadlessOptions) {
        self.url = url
        session = ClientSession(transport, limits: options.limits)
    }

    func perform(_ step: ClientStep) async throws {
        switch step {
        case .launch(nil), .relaunch:
            cards = []
            try await open("/", step)
        case .tap(let text, _):
            guard let link = cards.last?.document.links.first(where: { $0.text == text }) else {
                throw impossible(step)
            }
            try await open(link.to, step)
        case .back where cards.count > 1: cards.removeLast()
        case .wait: break
        default: throw impossible(step)
        }
    }

    private func open(_ path: String, _ step: ClientStep) async throws {
        let target = try url.resolving(String(path.dropFirst()))
        let response = try await session.send(ClientRequest(.get, target), now: 0).response
        guard response.status == .ok, let document = try? JSONValue(parsing: response.body) else {
            throw BackendError(step: step.call, findings: [ResponseRules.status(response, path)])
        }
        cards.append((path, document))
    }

    var place: String { cards.last?.path ?? "" }
    var pageStack: [String] { cards.map(\.path) }
    var shownTexts: [String] { cards.last.map { [$0.document["card"]?["title"]?.string ?? ""] } ?? [] }

    func steps() -> [OfferedStep] {
        let taps = (cards.last?.document.links ?? []).map { OfferedStep(.tap($0.text), $0.text, paths: [$0.to]) }
        return taps + (cards.count > 1 ? [OfferedStep(.back, "back", isRequest: false)] : [])
    }
}
