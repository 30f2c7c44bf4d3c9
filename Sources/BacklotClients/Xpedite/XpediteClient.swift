public import Backlot
internal import Logging
internal import Xpedite

/// An Xpedite app without a device: it behaves as the real client does, and a test uses it as a person would.
///
/// ```swift
/// let app = try XpediteClient(router)
/// try await app.connect()
/// try await app.tap("Customers")
/// try await app.tapRow(0)
/// #expect(app.title == "Alice")
/// ```
/// A step that can't be done throws a ``StepError``. A page that breaks the rules of the Xpedite module throws a
/// ``BackendError``, and an answer without a token an ``XpediteClientError``: as the real client, this one drops it.
public final class XpediteClient: SteppedClient {
    /// How the client behaves.
    public let configuration: XpediteClientConfiguration
    /// The address of the app.
    public let url: HTTPURL
    var session: ClientSession
    /// The token of the session; nil before it begins.
    public package(set) var token: String?
    /// The app's version, as the server last said.
    public internal(set) var version: Int?
    /// The packet of the page on the screen, with navigations as they were sent.
    public internal(set) var packet: JSONObject = [:]
    /// The return code of the last answer.
    public internal(set) var rc = 0
    /// Whether the page on the screen was kept from before, because the server could not be reached.
    public internal(set) var isCached = false
    /// The packets that were sent, the last one at the end.
    public internal(set) var sent: [JSONObject] = []
    /// The rows of the tables on the screen, by the methods they come from.
    public internal(set) var tables: [String: TableRows] = [:]
    /// The time on the client's clock, in seconds; it stands still but for ``wait(_:)``.
    public internal(set) var now = 0
    var kept = KeptPages()
    /// The navigations that the client has kept, by their ids.
    public internal(set) var navigations: [String: JSONObject] = [:]
    /// The pictures that were preloaded.
    public internal(set) var images: Set<String> = []
    /// The values that were typed and chosen: by form, then by field. Inputs outside of forms are under an empty text.
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

    /// A client of an app in this process, without a socket.
    ///
    /// - Throws: `StartupError`, which lists the mistakes in what was registered.
    public convenience init(
        _ router: Router,
        at path: String = "/xpedite",
        configuration: XpediteClientConfiguration = XpediteClientConfiguration()
    ) throws {
        let transport = try InProcessTransport(router.handler())
        self.init(transport, try HTTPURL(InProcessTransport.root).resolving(path), configuration)
    }

    /// A client of any backend, by its address, such as `http://127.0.0.1:8080/xpedite`.
    public convenience init(
        url: String,
        transport: any ClientTransport = SocketTransport(),
        configuration: XpediteClientConfiguration = XpediteClientConfiguration()
    ) throws {
        self.init(transport, try HTTPURL(url), configuration)
    }

    /// The title of the page on the screen.
    public var title: String? { packet["title"]?.string }

    /// The app's error text; nil after an answer whose return code is 0.
    public var errorText: String? { rc == 0 ? nil : labels.first ?? "" }

    /// Lets time pass, for pages that are kept for a time.
    public func wait(_ duration: Duration) { now += duration.wholeSeconds }
}

/// How an ``XpediteClient`` behaves where the reference leaves it open.
public struct XpediteClientConfiguration: Sendable {
    /// Where the value of a tapped row goes, for the field f that `clickRow` names.
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

    /// Where the parameters of a call go.
    public enum Parameters: Sendable, CaseIterable {
        /// `parameters.k`
        case nested
        /// `k` at the top level.
        case topLevel
    }

    /// How the value of a checkbox is written.
    public enum Checkbox: Sendable, CaseIterable {
        /// `"1"` or `"0"`, as pages have it.
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

    /// How the client describes its device when it connects. The `uuid` is random, so that each client has its own device.
    public var device: JSONObject = [
        "bundleID": "xpedite.software", "uuid": .string(Self.makeDeviceID()), "bounds": "390x844", "xpediteVersion": 1,
    ]
    /// Where the value of a tapped row goes.
    public var selection = Selection.parametersField
    /// Where the parameters of a call go.
    public var parameters = Parameters.nested
    /// How the value of a checkbox is written when a form is sent.
    public var checkbox = Checkbox.text
    /// The key under which it says how many rows of a table it has.
    public var offsetKey = "offset"
    /// The limits of size and time for each answer.
    public var limits = ClientLimits()

    /// The default configuration.
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

/// Why a client has dropped an answer, or got none.
public enum XpediteClientError: Error, Equatable, CustomStringConvertible {
    /// The answer is no packet. The text says why.
    case noPacket(String)
    /// The server can't be reached, and no page was kept.
    case serverAway(String)

    /// What went wrong.
    public var description: String {
        switch self {
        case .noPacket(let why): "the answer is no packet: \(why)"
        case .serverAway(let why): "the server can't be reached, and this page was not kept: \(why)"
        }
    }
}

/// The pages that a client has kept, for when the server can't be reached.
struct KeptPages {
    private struct Page {
        let packet: JSONObject
        /// The instant from which it is not shown any more; nil for never.
        let end: Int?
    }

    private var pages: [String: Page] = [:]
    /// Which page a call has led to.
    private var ids: [JSONValue: String] = [:]

    mutating func keep(_ packet: JSONObject, of call: JSONObject, now: Int) {
        guard let id = packet["id"]?.string, let disposition = packet["disposition"] else { return }
        let seconds = disposition["seconds"]?.number?.int64
        guard disposition == "permanent" || seconds != nil else { return }
        pages[id] = Page(packet: packet, end: seconds.map { now + Int($0) })
        ids[Self.key(call)] = id
    }

    func page(for call: JSONObject, now: Int) -> JSONObject? {
        guard let page = ids[Self.key(call)].flatMap({ pages[$0] }), page.end.map({ now < $0 }) ?? true else {
            return nil
        }
        return page.packet
    }

    /// The same call in another session leads to the same page.
    private static func key(_ call: JSONObject) -> JSONValue {
        var call = call
        call["token"] = nil
        return .object(call)
    }
}
