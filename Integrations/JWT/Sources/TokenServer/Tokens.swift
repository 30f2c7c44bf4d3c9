import Backlot
import Foundation
import JWTKit

/// The claims of this server's tokens (RFC 7519).
struct Claims: JWTPayload {
    enum CodingKeys: String, CodingKey {
        case subject = "sub"
        case expiration = "exp"
        case scope
    }

    let subject: SubjectClaim
    let expiration: ExpirationClaim
    /// What the token allows, with blanks between (RFC 8693, section 4.2).
    let scope: String

    func verify(using algorithm: some JWTAlgorithm) throws {
        try expiration.verifyNotExpired()
    }

    /// - Throws: `BearerError` with 403 where the token doesn't allow it.
    func require(_ name: String) throws {
        guard scope.split(separator: " ").contains(where: { $0 == name }) else {
            throw BearerError.insufficientScope([name])
        }
    }
}

/// Under this key, handlers find what the token says.
enum CurrentClaims: RequestAttribute { typealias Value = Claims }

/// Adds routes for clients with a token.
func addRoutes(to router: Router, keys: JWTKeyCollection) {
    let tokens = BearerAuthentication(CurrentClaims.self, realm: "TokenServer") { token in
        do {
            return try await keys.verify(token, as: Claims.self)
        } catch let error as JWTError where error.errorType == .claimVerificationFailure {
            throw BearerError.invalidToken("the token has expired")
        } catch {
            return nil
        }
    }
    router.group("/api", tokens) { api in
        api.get("/me") { request in .text(request.attributes[CurrentClaims.self]?.subject.value ?? "") }
        api.get("/admin") { request in
            try request.attributes[CurrentClaims.self]?.require("admin")
            return .text("Welcome.")
        }
    }
}
