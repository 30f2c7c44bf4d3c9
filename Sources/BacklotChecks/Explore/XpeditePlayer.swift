internal import Backlot
internal import BacklotClients
internal import BacklotHTTP
internal import BacklotJSON

/// A client of Xpedite that explores.
final class XpeditePlayer: ExploredClient {
    private static let mostOffers = 500

    private let app: XpediteClient
    private(set) var findings: [Finding] = []

    init(_ url: HTTPURL, _ transport: any ClientTransport, _ options: ExploreOptions) {
        var configuration = XpediteClientConfiguration()
        configuration.limits = options.limits
        configuration.device["uuid"] = .string("explorer")
        app = XpediteClient(transport, url, configuration)
    }

    func perform(_ step: ClientStep) async throws {
        findings = []
        do {
            switch step {
            case .launch(nil), .relaunch: try await app.connect()
            case .tap("row", let number?): try await app.tapRow(number - 1)
            case .tap("more", _?): try await app.loadMore()
            case .tap(let text, _): try await app.tap(text)
            case .enter(let text, let field, _): try app.enter(text, into: field)
            case .check(let field): try app.check(field)
            case .uncheck(let field): try app.check(field, false)
            case .choose(let option, let field): try app.choose(option, in: field)
            case .pullToRefresh: try await app.refresh()
            case .wait(let duration): app.wait(duration)
            default: throw ImpossibleStep()
            }
        } catch let failure as BackendFailure {
            findings = failure.findings
        } catch let failure as XpediteFailure {
            findings = [ExploredFailure.finding(failure.rule, "\(failure)", place)]
        }
    }

    func forgetCookies() { app.token = nil }

    var place: String { "/" + (app.packet["id"]?.string ?? app.sent.last?["method"]?.string ?? "") }
    var stack: [String] { [place] }
    var cookieCount: Int { 0 }
    var canRefresh: Bool { app.components("table").contains { $0["refresh"] != nil } }
    var timeToRefresh: Duration? { nil }
    var shownError: (isOfApp: Bool, text: String)? { nil }

    var shownTexts: [String] {
        let fields = app.components("form").flatMap { ($0["components"]?.array ?? []).compactMap(\.object) }
        let keys = ["text", "title", "placeholder", "label"]
        let texts = (app.components + fields).flatMap { object in keys.compactMap { object[$0]?.string } }
        let cells = app.rows.rows.prefix(100).flatMap { $0.members.compactMap(\.value.string) }
        return [app.title ?? ""] + texts + cells
    }

    var offers: [ExploreOffer] {
        var offers = app.links.prefix(Self.mostOffers).map { link in
            ExploreOffer(
                step: .tap(link.text),
                label: link.text,
                paths: (link.packet["method"]?.string).map { ["/\($0)"] } ?? []
            )
        }
        if app.components("table").contains(where: { $0["clickRow"] != nil }) {
            for row in app.rows.rows.indices.prefix(5) {
                offers.append(ExploreOffer(step: .tap("row", number: row + 1), label: "row"))
            }
        }
        if app.rows.hasMore { offers.append(ExploreOffer(step: .tap("more", number: 1), label: "more")) }
        return offers
    }

    var fields: [ExploreField] {
        let inputs =
            app.components("textbox") + app.components("password")
            + app.components("form").flatMap { ($0["components"]?.array ?? []).compactMap(\.object) }
        return inputs.prefix(100).compactMap { field in
            guard let name = field["name"]?.string else { return nil }
            let kind: ExploreField.Kind
            switch field["type"]?.string {
            case "textbox", "password", "textview": kind = .text(allow: "all", minimum: nil, maximum: nil)
            case "checkbox": kind = .box(isOn: app.value(of: name) == "1")
            case "select", "radio": kind = .choice((field["options"]?.object?.members ?? []).compactMap(\.value.string))
            default: return nil
            }
            if case .choice(let options) = kind, options.isEmpty { return nil }
            return ExploreField(variable: name, name: name, label: field["title"]?.string ?? "", kind: kind)
        }
    }

    func text(in field: String) -> (shown: String, sent: String)? { nil }
    func takesInput(_ step: ClientStep) -> Bool { true }
    var isDeadEnd: Bool { app.token != nil && app.rc == 0 && offers.isEmpty && fields.isEmpty && !app.sent.isEmpty }
}

extension XpediteFailure {
    fileprivate var rule: String {
        switch self {
        case .serverAway: "no-answer"
        case .noPacket: "no-packet"
        }
    }
}

/// The findings that clients report as errors that are thrown.
enum ExploredFailure {
    static func finding(_ rule: String, _ text: String, _ page: String) -> Finding {
        // Clients say in their words that the server failed.
        let isServer = text.contains("answers 5") || text.contains("status is 5")
        return Finding(
            .error,
            rule: isServer ? "server-error" : rule,
            path: FindingPath(page: page.cut(to: 300)),
            message: "\(text.prefix(1).uppercased())\(text.dropFirst().excerpt(upTo: 500)).",
            fix: "Answer what the protocol says; the log of the server may say more."
        )
    }
}

extension Substring {
    fileprivate func excerpt(upTo limit: Int) -> String { String(self).excerpt(upTo: limit) }
}

/// A client of the protocol has no such step.
struct ImpossibleStep: Error {}
