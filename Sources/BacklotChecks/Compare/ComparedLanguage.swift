internal import Backlot
internal import BacklotClients

extension AppProtocol {
    /// The protocol's pages with inputs and links; nil for a protocol without such pages.
    var pages: ComparedPages? { knownClient?.pages }

    /// The protocol's variant for the clients that requested a document; nil if the document isn't one of the protocol.
    func reading(_ document: JSONValue, at url: HTTPURL) -> AppProtocol? {
        mayBeResponse(document) ? variant(url.query ?? "") ?? self : nil
    }
}

extension [AppProtocol] {
    /// The protocol that a document's keys belong to.
    func recognising(_ document: JSONValue) -> AppProtocol? { first { $0.recognises(document) } }

    /// The protocol of a document; nil for other JSON, which may have such keys by chance. A document must follow the rules of
    /// its protocol.
    func language(of document: JSONValue) -> AppProtocol? {
        guard let found = recognising(document) else { return nil }
        if found.comparison.isUnmistakable { return found }
        let findings = found.inspector.findings(in: document, path: "", app: nil)
        return findings.contains(where: \.isRejection) ? nil : found
    }

    /// The packets of the first protocol with packets.
    var packets: ComparedKeys.Packets? { lazy.compactMap(\.comparison.packets).first }

    /// The pages of the first protocol with pages.
    var pages: ComparedPages? { lazy.compactMap(\.pages).first }
}

extension ComparedKeys.Packets {
    /// The return code of a rejected call; nil for an accepted one, and for other documents.
    func refusingCode(_ document: JSONValue?) -> JSONValue? {
        guard let code = document?[code], code != success else { return .none }
        return code
    }

    /// The method that a request's body calls.
    func method(in body: [UInt8]) -> String? { (try? JSONValue(parsing: body))?[method]?.string }
}
