import Applin
import Backlot

/// Judges the Applin pages of mocks, each in the dialect that its own actions speak, unless one is given for all.
struct MockInspector: PageInspector {
    /// How actions stand on the pages; nil takes each page for what its own actions say.
    let dialect: Dialect?
    var baseURL: String?

    func findings(inBody body: [UInt8], path: String, app: RouteLookup?) -> [Finding] {
        let own = dialect ?? PageCheck.dialect(ofBody: String(decoding: body, as: UTF8.self)) ?? .documented
        return ApplinInspector(dialect: own, baseURL: baseURL).findings(inBody: body, path: path, app: app)
    }

    func located(at baseURL: String) -> any PageInspector { MockInspector(dialect: dialect, baseURL: baseURL) }
}
