import A2UI
import Applin
import Backlot
import DynamicViews
import Floki
import Logging
import TestSupport
import Xpedite

@testable import BacklotHTTP
@testable import BacklotMocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The mocks of a folder with their commands, as a server has them, in process.
struct FuzzedMocks {
    static let formats: [FileFormat] = [.applin(), .xpedite(), .floki(), .a2ui(), .dynamicViews()]
    /// The time for a request, in seconds. Debug builds are slower, and several targets share their process.
    private static let timeLimit: Double = {
        #if DEBUG
        30
        #else
        2
        #endif
    }()
    /// The longest wait that an input may have, in milliseconds.
    private static let longestWait = 3
    private static let silent = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }

    let backend: MockBackend
    let report: RouteFilesReport
    let journal: Journal
    private let faults = FaultBoard()
    private let admin: MockAdmin
    private let handler: any Handler

    init(_ folder: String, sharesState: Bool = false) throws {
        let system = MockClocks.system
        let clock = MockClock(now: 1_790_000_000_000, at: system, speed: 0) ?? .system
        var configuration = MockConfiguration(formats: Self.formats, clock: clock)
        let access = LocalAccess(host: "127.0.0.1")
        journal = Journal()
        configuration.seed = 1
        configuration.sharesState = sharesState
        configuration.observer = journal
        configuration.templateLimit = 1_000_000
        backend = MockBackend(configuration, logger: Self.silent)
        report = try RouteFiles(folder, backend: backend).load(keepsGoing: true)
        admin = MockAdmin(backend, journal: journal, faults: faults, access: access)
        let router = Router()
        router.use(admin)
        router.use(FaultInjection(faults, access: access) { [journal] in journal.responded($0, $1, $2) })
        router.mocks(backend)
        router.explainMismatches(of: backend)
        handler = router.handler()
        stayInside()
    }

    // MARK: Requests

    /// A request; nil for one that no client could send.
    static func request(_ call: MockScript.Call) -> Request? {
        guard let method = HTTPRequest.Method(call.method) else { return nil }
        return try? Request(method, call.target, headers: call.headers, body: call.body)
    }

    /// Sends a request, and receives all of the response.
    func response(to request: Request) async throws(Violation) -> (status: Int, body: [UInt8]) {
        let (start, work) = (ContinuousClock.now, clock())
        var result: (status: Int, body: [UInt8])
        do {
            let response = try await handler(request)
            result = (response.status.code, try await Self.bytes(of: response))
        } catch let error as any HTTPError {
            result = (error.status.code, [])
        } catch {
            throw Violation(description: "\(request.method) \(request.target) has no response, but \(error)")
        }
        // Others use the machine too.
        let wall = start.duration(to: .now)
        let seconds = min(Double(wall.milliseconds) / 1000, Double(clock() - work) / Double(CLOCKS_PER_SEC))
        try require(seconds < Self.timeLimit, "\(request.method) \(request.target) takes \(seconds) s")
        try require((100...599).contains(result.status), "the status \(result.status)")
        stayInside()
        return result
    }

    /// Carries out a command at once.
    func carryOut(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: [UInt8]
    ) throws(Violation) -> (status: Int, body: [UInt8]) {
        guard let request = try? MockRequest(method, path, body: body) else { return (0, []) }
        let response = admin.respond(to: request)
        stayInside()
        guard case .bytes(let bytes) = response.body else { return (response.status.code, []) }
        return (response.status.code, bytes)
    }

    private static func bytes(of response: Response) async throws -> [UInt8] {
        switch response.body {
        case .bytes(let bytes): return bytes
        case .stream(_, let write):
            let received = Locked<[UInt8]>([])
            // A stream ends by itself, or once its client has gone.
            try? await write(
                BodyWriter { bytes in
                    let count = received.withLock {
                        $0 += bytes
                        return $0.count
                    }
                    if count > 10_000 { throw CancellationError() }
                }
            )
            return received.withLock { $0 }
        default: return []
        }
    }

    // MARK: Bounds

    /// Whether the files would leave the process, or take longer than a run may.
    var isUnsuitable: Bool {
        backend.appParts.withLock { $0.values.contains { $0.contains(where: Self.isUnsuitable) } }
    }

    /// Removes whatever would leave the process or wait: stubs that send requests on, delays, slow networks. Webhooks stay, for
    /// these mocks may not call any address.
    private func stayInside() {
        for stub in backend.stubs.all where Self.isUnsuitable(stub) { backend.stubs.remove(stub.id) }
        admin.settings.set(.none, nil)
        if faults.orders.contains(where: { $0.fault.delay > .zero }) { faults.removeAll() }
        faults.removeNetworks()
    }

    private static func isUnsuitable(_ stub: Stub) -> Bool {
        let response = stub.response
        return response.forwarding != nil || response.delay.fixed > longestWait || response.delay.distribution != nil
            || response.dribble.map { $0.milliseconds > longestWait } ?? false
            || response.stream.map { waits($0.steps) } ?? false
    }

    private static func waits(_ steps: [StreamScript.Step]) -> Bool {
        steps.contains { step in
            if step.delay > longestWait { return true }
            return switch step.action {
            case .stall(let time): time > longestWait
            case .expect(_, let time): time.map { $0 > longestWait } ?? false
            // Known: loops that send nothing keep an event loop, and each round takes its time.
            case .loop(let steps, let times):
                times.map { $0 > 20 } ?? !steps.contains { if case .send = $0.action { true } else { false } }
                    || waits(steps)
            default: false
            }
        }
    }
}
