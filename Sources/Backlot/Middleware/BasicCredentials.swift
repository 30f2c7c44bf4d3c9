#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A user's name and password, as clients send them by the Basic scheme (RFC 7617).
public struct BasicCredentials: Sendable, Equatable {
    /// The user's name, without a colon.
    public let user: String
    /// The password.
    public let password: String

    /// Creates credentials. A name with a colon stops the program, because the colon would end the name.
    public init(user: String, password: String) {
        precondition(!user.contains(":"), "a user's name can't have a colon: RFC 7617 sends 'name:password'")
        self.user = user
        self.password = password
    }

    /// Reads the text after `Basic` (RFC 7617, section 2): base64 of UTF-8, without control characters and too many combining marks.
    init?(token: String) {
        guard let data = Data(base64Encoded: token), let text = String(validating: data, as: UTF8.self),
            !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }), !text.hasTooManyMarks,
            let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        user = String(text[..<colon])
        password = String(text[text.utf8.index(after: colon)...])
    }

    /// The value of the `Authorization` field.
    public var field: String { "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())" }

    /// Whether name and password are these. The time of the comparison doesn't depend on the number of equal characters.
    public func matches(user: String, password: String) -> Bool {
        let isUser = SHA256.hash(Array(self.user.utf8)) == SHA256.hash(Array(user.utf8))
        let isPassword = SHA256.hash(Array(self.password.utf8)) == SHA256.hash(Array(password.utf8))
        return isUser && isPassword
    }
}

/// The value of an `Authorization` field (RFC 9110, section 11.6.2).
enum Authorization: Equatable {
    /// The request has no such field.
    case none
    /// One field: the scheme in lower case, and the text after it.
    case credentials(scheme: String, token: String)
    /// Several fields, or a field without a scheme.
    case malformed

    init(of request: Request) {
        let values = request.headers[values: .authorization]
        guard let value = values.first else {
            self = .none
            return
        }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard values.count == 1, let scheme = parts.first else {
            self = .malformed
            return
        }
        let token = parts.count > 1 ? String(parts[1].trimmed) : ""
        self = .credentials(scheme: scheme.lowercased(), token: token)
    }

    /// `b64token` of RFC 6750, section 2.1.
    static func isBearerToken(_ token: String) -> Bool {
        let rest = token.utf8.drop { $0.isLetter || $0.isDigit || "-._~+/".utf8.contains($0) }
        return rest.startIndex > token.startIndex && rest.allSatisfy { $0 == UInt8(ascii: "=") }
    }
}

extension Request {
    /// The name and the password that the client sent with the Basic scheme (RFC 7617); nil if they are missing or unreadable.
    public var basicCredentials: BasicCredentials? {
        guard case .credentials("basic", let token) = Authorization(of: self) else { return nil }
        return BasicCredentials(token: token)
    }

    /// The token that the client sent with the Bearer scheme (RFC 6750, section 2.1); nil without a token, and with two.
    public var bearerToken: String? {
        guard case .credentials("bearer", let token) = Authorization(of: self), !token.isEmpty else { return nil }
        return token
    }
}

/// The parameter of a challenge that names the protected area (RFC 9110, section 11.5).
enum Realm {
    /// The parameter. The program stops for an invalid text, because the text comes from the program itself.
    static func parameter(_ realm: String) -> String {
        precondition(
            realm.utf8.allSatisfy {
                (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
            },
            "'\(realm)' can't be a realm: it takes ASCII characters without quotation marks and backslashes"
        )
        return "realm=\"\(realm)\""
    }
}
