import Backlot

/// Answers requests for one page.
struct PageHandler: Handler {
    /// What makes the page.
    enum Maker: Sendable {
        case immediate(@Sendable (Request) throws -> any Page)
        case suspending(@Sendable (Request) async throws -> any Page)
    }

    private static let headers: HTTPFields = [.contentType: "application/vnd.applin_response"]

    private let dialect: Dialect
    private let validator: PageValidator
    private let maker: Maker

    init(_ app: ApplinApp, isExempt: Bool, _ maker: Maker) {
        dialect = app.dialect
        validator = PageValidator(app, isExempt: isExempt)
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
        return validator.judge(body, for: request) ?? Response(headers: Self.headers, body: .bytes(body))
    }
}
