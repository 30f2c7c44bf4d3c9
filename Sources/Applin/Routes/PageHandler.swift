import Backlot
import Logging

/// Answers requests for one page.
struct PageHandler: Handler {
    /// What makes the page.
    enum Maker: Sendable {
        case immediate(@Sendable (Request) throws -> any Page)
        case suspending(@Sendable (Request) async throws -> any Page)
    }

    /// A page may say something else to the next who asks: nothing between the app and the server may keep it.
    private static let headers: HTTPFields = [
        .contentType: "application/vnd.applin_response",
        .cacheControl: "no-store",
        .vary: "Accept, Cookie",
    ]

    private let dialect: Dialect
    private let basePath: String
    private let lookup: RouteLookup
    private let inspector: ApplinInspector
    private let validator: AnswerValidator
    private let maker: Maker

    init(_ app: ApplinApp, isExempt: Bool, _ maker: Maker) {
        dialect = app.dialect
        basePath = app.appPath
        lookup = app.lookup
        inspector = app.inspector
        let logger = Logger(label: "backlot.applin")
        validator = AnswerValidator(isExempt ? .off : app.validation, of: "page", logger: logger)
        self.maker = maker
    }

    func answer(_ request: Request) throws -> Answer {
        switch maker {
        case .immediate(let make):
            do {
                return .ready(response(with: try make(request), to: request))
            } catch let error as UserError {
                error.warnIfCutOff(by: request)
                throw error
            }
        case .suspending(let make):
            return .pending {
                do {
                    return response(with: try await make(request), to: request)
                } catch let error as UserError {
                    error.warnIfCutOff(by: request)
                    throw error
                }
            }
        }
    }

    private func response(with page: any Page, to request: Request) -> Response {
        let body = page.responseBody(dialect: dialect)
        let refusal = validator.refusal(of: request) {
            let path = "/" + request.path.dropFirst(basePath.count)
            return inspector.findings(inBody: body, path: path, app: lookup)
        }
        if let refusal { return .text(refusal, status: .internalServerError) }
        return Response(headers: Self.headers, body: .bytes(body))
    }
}
