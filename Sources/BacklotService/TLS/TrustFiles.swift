internal import Backlot

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The authority's certificate in the forms that devices download.
enum TrustFiles {
    /// The certificate in DER format.
    static func certificate(of authority: CertificateAuthority) -> Response {
        response(authority.der, "application/x-x509-ca-cert", name: "ca.crt")
    }

    /// A configuration profile for Apple's systems that contains the certificate.
    static func profile(of authority: CertificateAuthority) -> Response {
        response(Array(profileText(of: authority).utf8), "application/x-apple-aspen-config", name: "ca.mobileconfig")
    }

    private static func response(_ bytes: [UInt8], _ type: String, name: String) -> Response {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff"]
        headers[.contentDisposition] = "attachment; filename=\"\(name)\""
        return Response(headers: headers, body: .bytes(bytes))
    }

    private static func profileText(of authority: CertificateAuthority) -> String {
        let name = authority.name.htmlEscaped
        // The same authority always gives the same profile, so that it is replaced rather than installed twice.
        let digits = authority.fingerprint.filter { $0 != ":" }
        let (own, inner) = (uuid(digits.prefix(32)), uuid(digits.suffix(32)))
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            <key>PayloadContent</key>
            <array>
            <dict>
            <key>PayloadCertificateFileName</key><string>ca.crt</string>
            <key>PayloadContent</key><data>\(Data(authority.der).base64EncodedString())</data>
            <key>PayloadDescription</key><string>Trusts a development server on this network.</string>
            <key>PayloadDisplayName</key><string>\(name)</string>
            <key>PayloadIdentifier</key><string>backlot.authority.\(inner)</string>
            <key>PayloadType</key><string>com.apple.security.root</string>
            <key>PayloadUUID</key><string>\(inner)</string>
            <key>PayloadVersion</key><integer>1</integer>
            </dict>
            </array>
            <key>PayloadDescription</key><string>The authority of a development server. SHA-256: \(authority.fingerprint)</string>
            <key>PayloadDisplayName</key><string>\(name)</string>
            <key>PayloadIdentifier</key><string>backlot.profile.\(own)</string>
            <key>PayloadRemovalDisallowed</key><false/>
            <key>PayloadType</key><string>Configuration</string>
            <key>PayloadUUID</key><string>\(own)</string>
            <key>PayloadVersion</key><integer>1</integer>
            </dict>
            </plist>

            """
    }

    /// 32 hexadecimal digits in the notation of RFC 9562, version 8.
    private static func uuid(_ digits: Substring) -> String {
        var digits = Array(digits)
        digits[12] = "8"
        digits[16] = "8"
        for index in [20, 16, 12, 8] { digits.insert("-", at: index) }
        return String(digits)
    }
}
