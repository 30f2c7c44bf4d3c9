import Backlot
import Foundation
import JWTKit

// TOKEN_SECRET=$(openssl rand -hex 32) swift run TokenServer
guard let secret = ProcessInfo.processInfo.environment["TOKEN_SECRET"], secret.utf8.count >= 32 else {
    print("set TOKEN_SECRET to at least 32 characters, such as those of: openssl rand -hex 32")
    exit(1)
}
let keys = JWTKeyCollection()
await keys.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)

let claims = Claims(subject: "ada", expiration: .init(value: Date(timeIntervalSinceNow: 3600)), scope: "read")
print("a token for an hour: \(try await keys.sign(claims))")

let router = Router()
addRoutes(to: router, keys: keys)
try await Server(router).run()
