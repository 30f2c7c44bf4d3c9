import Applin
import Backlot
import TestSupport

@testable import BacklotMocks
@testable import BacklotRecording

/// Recorded traffic, in a line for each exchange.
enum Traffic {
    /// An exchange.
    static func exchange(
        _ method: HTTPRequest.Method = .get,
        _ url: String,
        sends headers: [(String, String)] = [],
        body: String = "",
        status: Int = 200,
        response: [(String, String)] = [("Content-Type", "application/json")],
        _ text: String = ""
    ) -> RecordedExchange {
        RecordedExchange(
            method,
            url,
            requestHeaders: fields(headers),
            requestBody: Array(body.utf8),
            status: status,
            responseHeaders: fields(response),
            responseBody: Array(text.utf8)
        )
    }

    private static func fields(_ list: [(String, String)]) -> HTTPFields {
        list.reduce(into: HTTPFields()) { fields, field in
            if let name = HTTPField.Name(field.0) { fields.append(HTTPField(name: name, value: field.1)) }
        }
    }

    /// The exchanges without secrets, as texts, and what is said about them.
    static func redacted(_ exchanges: [RecordedExchange], keys: [String] = []) -> (texts: [String], report: [String]) {
        var redaction = Redaction(keys: keys)
        let texts = redaction.redacted(exchanges).map { exchange in
            let headers = (Array(exchange.requestHeaders) + Array(exchange.responseHeaders)).map {
                "\($0.name.rawName): \($0.value)"
            }
            let bodies = [exchange.requestBody, exchange.responseBody].map { String(decoding: $0, as: UTF8.self) }
            return ([exchange.url] + headers + bodies).filter { !$0.isEmpty }.joined(separator: "\n")
        }
        return (texts, redaction.report)
    }

    /// The files that are made of exchanges, by their paths.
    static func files(_ exchanges: [RecordedExchange], _ options: RouteRecording.Options = .init()) -> [String: String]
    {
        RouteRecording(exchanges, formats: [.applin()], options: options).texts
    }
}

extension RouteRecording {
    /// The files' texts, by their paths.
    var texts: [String: String] {
        Dictionary(files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) }) { "\($0)\n--- twice ---\n\($1)" }
    }
}
