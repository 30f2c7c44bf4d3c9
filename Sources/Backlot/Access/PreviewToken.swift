#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The secret that preview's shell sends with each of its calls, and with commands at `/__admin`. No page of an app knows it: it
/// stands in the shell alone, which no script can read.
///
/// It stays the same while the machine runs, so that a shell goes on when the server is started again. It is made from the boot id, which
/// each start of the machine draws at random: programs on the machine can read it, and web pages can't.
package enum PreviewToken {
    /// The field that it is sent in.
    package static let field = "Backlot-Preview"
    /// The cookie of a browser that has shown the token for administration.
    package static let cookie = "backlot-preview"
    private static let name = HTTPField.Name(field)

    /// The secret: 48 hexadecimal digits.
    package static let text = String(SessionHash(hashing: "backlot preview \(bootID ?? random)").description.prefix(48))
    private static let hash = SessionHash(hashing: text)

    /// Whether a request shows it.
    package static func isIn(_ request: Request) -> Bool {
        guard let name, let sent = request.headers[name] else { return false }
        return SessionHash(hashing: sent) == hash
    }

    /// random(4), "boot_id".
    private static var bootID: String? {
        guard let data = try? Data(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id")) else { return nil }
        let text = String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
        return text.count < 16 ? nil : text
    }

    private static var random: String {
        (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: " ")
    }
}
