internal import Backlot
internal import BacklotClients

extension AppProtocol {
    /// Its pages with inputs and links; nil for a protocol without such pages.
    var pages: ComparedPages? { knownClient?.pages }

    /// The protocol as the clients speak it that have requested a document; nil for a document that isn't one of its own.
    func reading(_ document: JSONValue, at url: HTTPURL) -> AppProtocol? {
        mayBeResponse(document) ? variant(url.query ?? "") ?? self : nil
    }
}

extension [AppProtocol] {
    /// The protocol that the keys of a document show.
    func recognising(_ document: JSONValue) -> AppProtocol? { first { $0.recognises(document) } }

    /// The protocol in which a document is written; nil for other JSON, which may have such keys by chance: a document follows the
    /// rules of its protocol.
    func language(of document: JSONValue) -> AppProtocol? {
        guard let found = recognising(document) else { return nil }
        if found.comparison.isUnmistakable { return found }
        let findings = found.inspector.findings(in: document, path: "", app: nil)
        return findings.contains(where: \.isRejection) ? nil : found
    }

    /// The packets of the first protocol that has them.
    var packets: ComparedKeys.Packets? { lazy.compactMap(\.comparison.packets).first }

    /// The pages of the first protocol that has them.
    var pages: ComparedPages? { lazy.compactMap(\.pages).first }
}

extension ComparedKeys.Packets {
    /// The return code of a call that was refused; nil for one that wasn't, and for other documents.
    func refusingCode(_ document: JSONValue?) -> JSONValue? {
        guard let code = document?[code], code != success else { return .none }
        return code
    }

    /// The method that the body of a request calls.
    func method(in body: [UInt8]) -> String? { (try? JSONValue(parsing: body))?[method]?.string }
}
