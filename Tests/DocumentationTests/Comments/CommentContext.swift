/// Declarations that the examples of comments may use.
enum CommentContext {
    /// Declarations for all modules.
    static let shared = """
        import Applin
        import Backlot
        import BacklotTesting
        import Foundation
        import Logging

        let router = Router()
        let logger = Logger(label: "examples")
        let metrics = PrometheusMetrics()
        let access = LocalAccess(host: "127.0.0.1")
        let host = "127.0.0.1"
        let reach = ClientReach.inProcess
        let names = ["Ann", "Bob"]
        nonisolated(unsafe) var server = Server(router)
        var request: Request { fatalError() }
        var group: RouteGroup { router.group("") }
        func addPages(to app: ApplinApp) {}
        func makeRouter() -> Router { router }

        struct User: Codable, Sendable { var name = "Ann" }
        struct Users {
            func user(_ id: Int) throws -> User { User() }
            func add(_ name: String) async throws {}
            func find(_ name: String, _ password: String) async throws -> User? { nil }
            func find(token: String?) async throws -> User? { nil }
        }
        let users = Users()
        struct Plot: Codable, Sendable { var id = 7, name = "North" }
        struct NewPlot: Codable, Sendable { var name: String }
        actor Garden {
            func add(_ new: NewPlot) throws -> Plot { Plot() }
            func plot(_ id: Int) throws -> Plot? { nil }
        }
        let garden = Garden()
        struct Price: Codable, Sendable { var id = "7", cents = 100 }
        func prices() -> AsyncStream<Price> { AsyncStream { _ in } }
        enum CartKey: SessionKey {
            static let name = "cart"
            typealias Value = [String]
        }
        """

    /// Declarations for the examples of one module.
    static let modules: [String: String] = [
        "A2UIServing": """
        import A2UI
        private var app: A2UIApp { fatalError() }
        private struct Slot: Codable, Sendable { var id = "" }
        private struct Booking: Codable, Sendable {
            var name = "", slots: [Slot] = [], isFull = false, doctors = [""], pain = 0, day = ""
        }
        private struct Counter: Codable, Sendable { var count = 0 }
        private struct Slots: Sendable { func take(_ id: String) async throws -> [Slot] { [] } }
        private let slots = Slots()
        private let (take, more) = (SurfaceAction<Slot>("take"), SurfaceAction<NoContext>("more"))
        private var booking: SurfaceDeclaration<Booking> { fatalError() }
        private var m: Dynamic<Booking> { fatalError() }
        """,
        "Applin": """
        private var app: ApplinApp { fatalError() }
        private var response: ClientResponse { fatalError() }
        private actor Plots { func water(_ id: Int) {} }
        private let plots = Plots()
        private enum Plan: String, CaseIterable, Decodable { case monthly, yearly }
        private struct SignUp: Decodable { var name: String, plan: Plan, agree: Bool }
        private let check = FormValidator(SignUp.self)
        private let signUp = RPCRoute<Never>("/sign_up/submit")
        private let (isLastPage, isMember, isShared, hasVoted, hasChanged) = (true, true, true, true, true)
        private let items = [(name: "Tea", price: 3)]
        private let days = [(name: "Monday", opens: "9:00", closes: Optional("17:00"))]
        """,
        "Backlot": """
        import Applin
        private var app: ApplinApp { fatalError() }
        private var events: EventWriter { fatalError() }
        private let board = FaultBoard()
        private let store: any SessionStore = MemorySessionStore()
        private struct Cart: Codable, Sendable {}
        private let cart = ["tea"]
        private struct Member: Codable { var email = "" }
        private struct Checksum { mutating func update(_ piece: [UInt8]) {} }
        nonisolated(unsafe) private var checksum = Checksum()
        """,
        "BacklotChecks": """
        import BacklotMocks
        private let (released, new, mocks, backend) = (Router(), Router(), MockBackend(), MockBackend())
        """,
        "BacklotHTTP": """
        private var head: HTTPRequest { fatalError() }
        private let address = SocketAddress(host: "127.0.0.1", port: 0)
        private let pieces = AsyncThrowingStream<[UInt8], any Error> { _ in }
        private func send(_ piece: [UInt8]) async throws {}
        """,
        "BacklotJSON": """
        private let label: String? = nil
        """,
        "BacklotMocks": """
        private let mocks = MockBackend()
        """,
        "BacklotService": """
        import Applin
        private struct Database {
            func check() async throws {}
            func watch() async {}
        }
        private let database = Database()
        """,
        "BacklotTesting": """
        private var client: HTTPClient { fatalError() }
        """,
        "DynamicViews": """
        private var view: View { fatalError() }
        private var views: DynamicViewsApp { fatalError() }
        private enum ShopKey: SessionKey {
            static let name = "shop"
            typealias Value = Int
        }
        """,
        "Floki": """
        import BacklotService
        private let store = MemoryFeedStore()
        private var app: FlokiApp { fatalError() }
        private let news = NewsFeed("news", in: store)
        private var service: AppContext { fatalError() }
        private struct Push { func send(_ text: String) async throws {} }
        private let push = Push()
        """,
        "Xpedite": """
        private var app: XpediteApp { fatalError() }
        private struct CustomerID: Codable, Sendable { let id: Int }
        private struct CustomerQuery: Codable, Sendable { var text: String }
        private struct Member: Codable, Sendable {
            var name = "", email = "", active = true, notes = "", pin = "", plan = "m", phone: String?
            var since = Day("2026-05-17")!, born: Day?
        }
        private actor Customers {
            func rows(from offset: Int, limit: Int) throws -> [Member] { [] }
            func matching(_ text: String, from offset: Int, limit: Int) throws -> [Member] { [] }
        }
        private let customers = Customers()
        private let customer: CustomerID? = nil
        private let entry = Member()
        private let home = Method("home")
        private let viewCustomer = Method<CustomerID>("viewCustomer")
        private let saveCustomer = Method<Member>("saveCustomer")
        private let addCustomer = Method("addCustomer")
        private let search = Method<CustomerQuery>("search")
        private let register = Method<Member>("register")
        private let customerRows = TableMethod("customerRows")
        private let mainMenu = label("Menu")
        private func save(_ member: Member) async throws -> Int { 7 }
        private func add(_ member: Member) async throws {}
        private func isTaken(_ email: String) async throws -> Bool { false }
        private func welcome(_ member: Member) -> Page { page("Welcome") { label(member.name) } }
        private func customerPage(_ id: Int) async throws -> Page { page("Customer") { label("\\(id)") } }
        private enum BirthYearKey: SessionKey {
            static let name = "birth"
            typealias Value = Int
        }
        """,
    ]
}
