import Backlot
import Logging

/// Takes the interactions with one view: each is routed to a widget of the document as it is now, and answered with 204.
struct InteractionsHandler: Handler {
    let view: String
    let maker: DocumentMaker
    let choice: DialectChoice
    let handlers: InteractionHandlers
    let limit: Int
    let logger: Logger

    func answer(_ request: Request) -> Answer { .pending { try await response(to: request) } }

    private func response(to request: Request) async throws -> Response {
        var request = request
        request.dialect = try choice.dialect(for: request)
        request.body.limit = min(request.body.limit, limit)
        let packet = try InteractionPacket(try await request.json())
        let document = try await maker.document(for: request)
        let interaction = try InteractionRouting(document).interaction(for: packet)
        if let function = handlers.function(for: interaction) {
            try await function(interaction, request)
        } else {
            note(interaction)
        }
        return Response(status: .noContent)
    }

    /// Logs that an interaction has no handler.
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
