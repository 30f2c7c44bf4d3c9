public import Backlot
internal import Logging
internal import Xpedite

/// An Xpedite app without a device. It behaves like the real client, and a test uses it the way a person would.
///
/// ```swift
/// let app = try XpediteClient(router)
/// try await app.connect()
/// try await app.tap("Customers")
/// try await app.tapRow(0)
/// #expect(app.title == "Alice")
/// ```
/// An impossible step throws a ``StepError``. A page that breaks the rules of the Xpedite module throws a ``BackendError``. A
/// response without a token throws an ``XpediteClientError``: like the real client, this one drops it.
public final class XpediteClient: SteppedClient {
    /// The client's configuration.
    public let configuration: XpediteClientConfiguration
    /// The address of the app.
    public let url: HTTPURL
    var session: ClientSession
    /// The token of the session; nil before it begins.
    public package(set) var token: String?
    /// The app's version in the latest response.
    public internal(set) var version: Int?
    /// The packet of the page on the screen, with its navigations unchanged.
    public internal(set) var packet: JSONObject = [:]
    /// The return code of the last response.
    public internal(set) var rc = 0
    /// Whether the page on the screen is a stored one, because the server couldn't be reached.
    public internal(set) var isCached = false
    /// The packets that the client sent, the latest last.
    public internal(set) var sent: [JSONObject] = []
    /// The rows of the tables on the screen, by method.
    public internal(set) var tables: [String: TableRows] = [:]
    /// The time on the client's clock, in seconds. It only advances in ``wait(_:)``.
    public internal(set) var now = 0
    var kept = KeptPages()
    /// The stored navigations, by id.
    public internal(set) var navigations: [String: JSONObject] = [:]
    /// The names of the preloaded pictures.
    public internal(set) var images: Set<String> = []
    /// The typed and chosen values, by form and then by field. Inputs outside of forms are under an empty text.
    var values: [String: JSONObject] = [:]

    package init(
        _ transport: any ClientTransport,
        _ url: HTTPURL,
        _ configuration: XpediteClientConfiguration = XpediteClientConfiguration()
    ) {
        self.url = url
        self.configuration = configuration
        session = ClientSession(transport, limits: configuration.limits)
    }

    /// Creates a client of an app in this process, without a socket.
    ///
    /// - Throws: `StartupError`, which lists the mistakes in the registered routes.
    public convenience init(
        _ router: Router,
        at path: String = "/xpedite",
        configuration: XpediteClientConfiguration = XpediteClientConfiguration()
    ) throws {
        let transport = try InProcessTransport(router.handler())
        self.init(transport, try HTTPURL(InProcessTransport.root).resolving(path), configuration)
    }

    /// Creates a client of any backend, by its address, such as `http://127.0.0.1:8080/xpedite`.
    public convenience init(
        url: String,
        transport: any ClientTransport = SocketTransport(),
        configuration: XpediteClientConfiguration = XpediteClientConfiguration()
    ) throws {
        self.init(transport, try HTTPURL(url), configuration)
    }

    /// The title of the page on the screen.
    public var title: String? { packet["title"]?.string }

    /// The app's error text; nil after a response with the return code 0.
    public var errorText: String? { rc == 0 ? nil : labels.first ?? "" }

    /// Advances the client's clock, for pages that are stored for a limited time.
    public func wait(_ duration: Duration) { now += duration.wholeSeconds }
}

/// The configuration of an ``XpediteClient``, for behaviour that the reference leaves open.
public struct XpediteClientConfiguration: Sendable {
    /// The position of a tapped row's value, for the field f that `clickRow` names.
    public enum Selection: Sendable, CaseIterable {
        /// `parameters.f`
        case parametersField
        /// `f` at the top level.
        case topLevelField
        /// `selected`
        case selected
        /// `parameters.selected`
        case parametersSelected
    }

    /// The position of a call's parameters.
    public enum Parameters: Sendable, CaseIterable {
        /// `parameters.k`
        case nested
        /// `k` at the top level.
        case topLevel
    }

    /// The format of a checkbox's value.
    public enum Checkbox: Sendable, CaseIterable {
        /// `"1"` or `"0"`, as in pages.
        case text
        /// `1` or `0`.
        case number
        /// `true` or `false`.
        case bool
        /// `"1"`, or an empty text.
        case textOrEmpty

        func value(of isOn: Bool) -> JSONValue {
            switch self {
            case .text: isOn ? "1" : "0"
            case .number: isOn ? 1 : 0
            case .bool: .bool(isOn)
            case .textOrEmpty: isOn ? "1" : ""
            }
        }
    }

    /// The client's description of its device when it connects. The `uuid` is random, so that each client is another device.
    public var device: JSONObject = [
        "bundleID": "xpedite.software", "uuid": .string(Self.makeDeviceID()), "bounds": "390x844", "xpediteVersion": 1,
    ]
    /// The position of a tapped row's value.
    public var selection = Selection.parametersField
    /// The position of a call's parameters.
    public var parameters = Parameters.nested
    /// The format of a checkbox's value in a sent form.
    public var checkbox = Checkbox.text
    /// The key for the number of a table's rows that the client has.
    public var offsetKey = "offset"
    /// The limits of size and time for each response.
    public var limits = ClientLimits()

    /// Creates the default configuration.
    public init() {}

    /// 128 random bits in hexadecimal.
    private static func makeDeviceID() -> String {
        (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }
}

/// The reason why a client dropped a response, or got none.
public enum XpediteClientError: Error, Equatable, CustomStringConvertible {
    /// The response isn't a packet. The text is the reason.
    case noPacket(String)
    /// The server can't be reached, and the client has no stored page.
    case serverAway(String)

    /// A description of the error.
    public var description: String {
        switch self {
        case .noPacket(let why): "the response isn't a packet: \(why)"
        case .serverAway(let why): "the server can't be reached, and this page was not kept: \(why)"
        }
    }
}

/// The pages that a client stores for times when the server can't be reached.
struct KeptPages {
    private struct Page {
        let packet: JSONObject
        /// The time at which the page expires; nil for never.
        let end: Int?
    }

    private var pages: [String: Page] = [:]
    /// The id of the page that each call led to.
    private var ids: [JSONValue: String] = [:]

    mutating func keep(_ packet: JSONObject, of call: JSONObject, now: Int) {
        guard let id = packet["id"]?.string, let disposition = packet["disposition"] else { return }
        let seconds = disposition["seconds"]?.number?.int64
        guard disposition == "permanent" || seconds != nil else { return }
        let end = seconds.map { now.addingReportingOverflow(Int($0)) }
        pages[id] = Page(packet: packet, end: end.flatMap { $0.overflow ? nil : $0.partialValue })
        ids[Self.key(call)] = id
    }

    func page(for call: JSONObject, now: Int) -> JSONObject? {
        guard let page = ids[Self.key(call)].flatMap({ pages[$0] }), page.end.map({ now < $0 }) ?? true else {
            return nil
        }
        return page.packet
    }

    /// The call without its token, because the same call in another session leads to the same page.
    private static func key(_ call: JSONObject) -> JSONValue {
        var call = call
        call["token"] = nil
        return .object(call)
    }
}
