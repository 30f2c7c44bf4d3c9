import Backlot
import Foundation
import JWTKit
import Testing

@testable import TokenServer

struct TokenTests {
    private func keys(_ secret: String = "a secret of at least thirty-two bytes") async -> JWTKeyCollection {
        await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
    }

    private func claims(scope: String = "read", in seconds: Double = 60) -> Claims {
        Claims(subject: "ada", expiration: .init(value: Date(timeIntervalSinceNow: seconds)), scope: scope)
    }

    private func ask(_ path: String, _ token: String) async throws -> (status: Int, text: String) {
        let router = Router()
        addRoutes(to: router, keys: await keys())
        let handler = router.handler()
        do {
            let response = try await handler(Request(.get, path, headers: [.authorization: "Bearer \(token)"]))
            guard case .bytes(let bytes) = response.body else { return (response.status.code, "") }
            return (response.status.code, String(decoding: bytes, as: UTF8.self))
        } catch let error as any HTTPError {
            return (error.status.code, error.headers[.wwwAuthenticate] ?? "")
        }
    }

    @Test func `A good token lets in, as far as its scope goes`() async throws {
        let read = try await keys().sign(claims())
        #expect(try await ask("/api/me", read) == (200, "ada"))
        #expect(try await ask("/api/admin", read).status == 403)
        let admin = try await keys().sign(claims(scope: "read admin"))
        #expect(try await ask("/api/admin", admin) == (200, "Welcome."))
    }

    @Test func `Others are refused with the reason`() async throws {
        let expired = try await keys().sign(claims(in: -1))
        #expect(try await ask("/api/me", expired).text.contains("the token has expired"))
        let forged = try await keys("another secret of thirty-two bytes..").sign(claims(scope: "admin"))
        #expect(try await ask("/api/admin", forged).status == 401)
        // RFC 8725, section 3.1: a token without a signature.
        let unsigned = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEiLCJleHAiOjk5OTk5OTk5OTksInNjb3BlIjoiYWRtaW4ifQ."
        #expect(try await ask("/api/admin", unsigned).status == 401)
        #expect(try await ask("/api/me", "not.a.token").status == 401)
    }
}
