import Backlot
import Logging

/// Handles the interactions with one view. Each is routed to a widget of the current document; the response is 204, or the document
/// after the interaction.
struct InteractionsHandler: Handler {
    let view: String
    let documents: ViewHandler
    let handlers: InteractionHandlers
    let respondsWithDocument: Bool
    let limit: Int
    let logger: Logger

    func respond(to request: Request) -> HandlerResult { .pending { try await response(to: request) } }

    private func response(to request: Request) async throws -> Response {
        var request = request
        request.dialect = try documents.choice.dialect(for: request)
        request.body.limit = min(request.body.limit, limit)
        let packet = try InteractionPacket(try await request.json())
        let document = try await documents.maker.document(for: request)
        let (widget, interaction) = try InteractionRouting(document).target(of: packet)
        if let function = widget.handlers.function(for: interaction) ?? handlers.function(for: interaction) {
            try await function(interaction, request)
        } else {
            note(interaction)
        }
        let preference = Self.preferredReturn(request)
        guard preference.map({ $0 == Self.representation }) ?? respondsWithDocument else {
            return Response(status: .noContent)
        }
        var response = try await documents.document(for: request)
        if preference != nil, let applied = Self.applied { response.headers[applied] = "return=\(Self.representation)" }
        return response
    }

    private static let representation = "representation"
    private static let prefer = HTTPField.Name("Prefer")
    private static let applied = HTTPField.Name("Preference-Applied")

    /// The form of response that the client prefers: `representation`, which is the document, or `minimal`; nil without a preference.
    ///
    /// Source: RFC 7240, section 4.2.
    private static func preferredReturn(_ request: Request) -> String? {
        guard let field = prefer.flatMap({ request.headers[$0] }) else { return nil }
        for preference in field.lowercased().split(separator: ",") {
            let parts = preference.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
                .split(separator: "=")
            if parts.first == "return", parts.count == 2, ["representation", "minimal"].contains(parts[1]) {
                return String(parts[1])
            }
        }
        return nil
    }

    /// Logs an interaction without a handler.
    private func note(_ interaction: Interaction) {
        let kinds = handlers.kinds(of: interaction.widgetID).map(\.rawValue).joined(separator: ", ")
        let id = interaction.widgetID.excerpt
        if kinds.isEmpty {
            logger.debug("\"\(id)\" in the view \(view) has no handler for a \(interaction.kind.rawValue)")
        } else {
            logger.warning(
                "\"\(id)\" in the view \(view) has no handler for a \(interaction.kind.rawValue), but one for \(kinds)"
            )
        }
    }
}
