import Backlot
import BacklotHTTP
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which clients may use preview: those that `LocalAccess` lets in, and browsers that have shown its token once.
struct PreviewAccess: Sendable {
    /// The cookie of a browser that has shown the token.
    static let cookie = "backlot-preview"

    private let access: LocalAccess

    init(_ access: LocalAccess) { self.access = access }

    /// Whether a request may pass.
    func admits(_ request: Request) -> Bool {
        if access.admits(request) { return true }
        return access.needsToken && request.cookies(named: Self.cookie).contains { access.isToken($0) }
    }

    /// Looks for signs of a proxy in a request that may be for something else.
    func watch(_ request: Request) { access.watch(request) }

    /// Whether a text is the token that lets in.
    func isToken(_ text: String) -> Bool { access.needsToken && access.isToken(text) }
}

/// `/__preview/enter?token=TOKEN`: lets in a browser that knows the token, and remembers it by a cookie.
struct EnterHandler: Handler {
    let access: PreviewAccess

    func answer(_ request: Request) throws -> Answer {
        let token = request.query?.split(separator: "&").first { $0.hasPrefix("token=") }?.dropFirst(6)
        guard let token, access.isToken(String(token)) else {
            throw StatusError.nothingAnswers(at: request.path)
        }
        let secure = request.isSecure ? "; Secure" : ""
        var response = try Response.redirect(to: "/", status: .seeOther)
        try response.headers.set(
            .setCookie,
            to: "\(PreviewAccess.cookie)=\(token); Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict\(secure)"
        )
        response.headers[.cacheControl] = "no-store"
        if let name = HTTPField.Name("Referrer-Policy") { response.headers[name] = "no-referrer" }
        return .ready(response)
    }
}

/// The secret that the shell sends with each of its calls. No page of an app knows it: it stands in the shell alone, which no
/// script can read.
///
/// It stays the same while the machine runs, so that a shell goes on when the server is started again. It is made from the boot id, which
/// each start of the machine draws at random: programs on the machine can read it, and web pages can't.
struct PreviewToken: Sendable {
    /// The field that it is sent in.
    static let field = "Backlot-Preview"
    private static let name = HTTPField.Name(field)

    /// The token.
    let text: String
    /// Names this run of the server, for browsers that find it again.
    let instance: String

    init(bootID: String? = Self.bootID) {
        instance = Self.hexadecimal(Self.randomBytes(8))
        guard let bootID else {
            text = Self.hexadecimal(Self.randomBytes(24))
            return
        }
        text = Self.hexadecimal(SHA256.hash(Array("backlot preview \(bootID)".utf8)).prefix(24))
    }

    /// Whether a request shows it.
    func isIn(_ request: Request) -> Bool {
        guard let name = Self.name, let sent = request.headers[name] else { return false }
        // Of hashes, equal beginnings say nothing about the rest.
        return SHA256.hash(Array(sent.utf8)) == SHA256.hash(Array(text.utf8))
    }

    /// random(4), "boot_id".
    private static var bootID: String? {
        guard let data = try? Data(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id")) else { return nil }
        let text = String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
        return text.count < 16 ? nil : text
    }

    private static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
