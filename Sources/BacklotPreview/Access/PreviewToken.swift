import Backlot
import BacklotHTTP
import Crypto
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the shell shows with each of its calls, and no page of an app knows: it stands in the shell alone, which no script can
/// read.
///
/// It stays the same while the machine runs, so that a shell goes on when the server is started again. It is made from what each
/// start of the machine draws at random: programs of the machine can read that, and web pages can't.
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
        text = Self.hexadecimal(Array(SHA256.hash(data: Array("backlot preview \(bootID)".utf8))).prefix(24))
    }

    /// Whether a request shows it.
    func isIn(_ request: Request) -> Bool {
        guard let name = Self.name, let sent = request.headers[name] else { return false }
        // Of hashes, equal beginnings say nothing about the rest.
        return SHA256.hash(data: Array(sent.utf8)) == SHA256.hash(data: Array(text.utf8))
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
