public import Backlot
import BacklotJSON

/// Judges the answers of an Applin app, from their bytes on.
public struct ApplinInspector: PageInspector {
    package let dialect: Dialect
    private let baseURL: String?

    /// An inspector of an app.
    ///
    /// - Parameters:
    ///   - dialect: The dialect of the app's clients.
    ///   - baseURL: The app's base URL, such as `https://example.com/travel/`; nil when it is unknown, and absolute URLs
    ///     can't be judged.
    public init(dialect: Dialect, baseURL: String? = nil) {
        self.dialect = dialect
        self.baseURL = baseURL
    }

    /// The problems of the page in an answer: a body that isn't JSON (`not-json`), or the findings of ``ApplinRules``.
    public func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding] {
        do {
            let document = try JSONValue(parsing: body)
            return ApplinRules.findings(inPage: document, path: path, dialect: dialect, app: app, baseURL: baseURL)
        } catch {
            let finding = Finding(
                .error,
                rule: "not-json",
                path: FindingPath(page: path),
                message: "The body can't be read as JSON in UTF-8, so clients show an error or crash: \(error).",
                fix: "Answer {\"page\":{\"typ\":\"nav_page\",…}}."
            )
            return [finding]
        }
    }

    /// The same for an app whose base URL is known.
    public func located(at baseURL: String) -> any PageInspector {
        ApplinInspector(dialect: dialect, baseURL: baseURL)
    }
}
