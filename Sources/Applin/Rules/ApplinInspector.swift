public import Backlot
public import BacklotJSON

/// Judges the answers of an Applin app, from their bytes on.
public struct ApplinInspector: PageInspector {
    package let dialect: Dialect?
    private let baseURL: String?

    /// An inspector of an app.
    ///
    /// - Parameters:
    ///   - dialect: The dialect of the app's clients; nil to judge each page by the form of its own actions, the documented
    ///     one for a page without actions.
    ///   - baseURL: The app's base URL, such as `https://example.com/travel/`; nil when it is unknown, and absolute URLs
    ///     can't be judged.
    public init(dialect: Dialect?, baseURL: String? = nil) {
        self.dialect = dialect
        self.baseURL = baseURL
    }

    /// An answer in short, for advice.
    public var exampleAnswer: String { #"{"page":{"typ":"nav_page",…}}"# }

    /// The findings of ``ApplinRules``.
    public func findings(in document: JSONValue, path: String, app: RouteLookup?) -> [Finding] {
        let dialect = dialect ?? Dialect(ofActionsIn: document) ?? .documented
        return ApplinRules.findings(inPage: document, path: path, dialect: dialect, app: app, baseURL: baseURL)
    }

    /// The same for an app whose base URL is known.
    public func located(at baseURL: String) -> any PageInspector {
        ApplinInspector(dialect: dialect, baseURL: baseURL)
    }
}

extension Dialect {
    /// The dialect in which the first action of a document is written; nil for a document without actions.
    init?(ofActionsIn document: JSONValue) {
        if let first = document["actions"]?.array?.first {
            if first.string != nil { self = .documented; return }
            if first.object != nil { self = .objects; return }
        }
        let parts = document.array ?? document.object?.members.map(\.value) ?? []
        for part in parts {
            if let found = Dialect(ofActionsIn: part) { self = found; return }
        }
        return nil
    }
}

extension PageFormat {
    /// Applin's pages, as files of mocks hold them.
    ///
    /// - Parameter dialect: The dialect of the clients; nil to judge each page by the form of its own actions.
    public static func applin(_ dialect: Dialect? = nil) -> PageFormat {
        PageFormat(
            wire: "applin",
            facts: dialect.map { ["dialect": $0.rawValue] } ?? [:],
            contentType: "application/vnd.applin_response",
            envelope: "page",
            mark: "typ",
            beginning: "typ: nav_page",
            inspector: ApplinInspector(dialect: dialect)
        )
    }
}
