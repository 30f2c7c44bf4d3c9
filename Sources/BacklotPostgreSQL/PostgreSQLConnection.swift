internal import Backlot
internal import CPostgreSQL

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// A connection to a PostgreSQL server, for one thread at a time. libpq implements the protocol. This class does the waiting,
/// since libpq has no time limit.
@safe package final class PostgreSQLConnection: ServerConnection, @unchecked Sendable {
    package typealias Failure = PostgreSQLError

    /// The reason why the connection can't be used any more; nil while it can.
    private(set) var failure: PostgreSQLError?
    /// The time limit of a statement.
    let timeout: Duration
    /// The first statement of a transaction, until it has been sent.
    var opening: String?
    var statements = PreparedStatements()
    let pointer: OpaquePointer

    /// Connects and logs in, at the first of the hosts that works.
    ///
    /// - Parameter timeout: the longest time for connecting to a host, and for a statement. Finding the host may take longer.
    /// - Throws: the `PostgreSQLError` of the last host.
    init(to address: PostgreSQLAddress, timeout: Duration) throws(PostgreSQLError) {
        self.timeout = timeout
        var pointer: OpaquePointer?
        var problem = PostgreSQLError.away("the address has no host")
        for parameters in address.hosts where unsafe pointer == nil {
            do throws(PostgreSQLError) {
                unsafe pointer = try Self.connect(parameters, until: .now + timeout)
            } catch {
                problem = error
            }
        }
        guard let pointer = unsafe pointer else { throw problem }
        unsafe self.pointer = unsafe pointer
        // Without a receiver, libpq would print notices.
        let receive: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = { context, result in
            guard let context = unsafe context, let result = unsafe result else { return }
            let connection = unsafe Unmanaged<PostgreSQLConnection>.fromOpaque(context).takeUnretainedValue()
            unsafe connection.receive(notice: result)
        }
        unsafe PQsetNoticeReceiver(pointer, receive, Unmanaged.passUnretained(self).toOpaque())
        unsafe PQsetnonblocking(pointer, 1)
        let limit = Int(timeout / .milliseconds(1))
        try execute(
            "SET statement_timeout = \(limit); SET idle_in_transaction_session_timeout = \(2 * limit); SET synchronous_commit = on",
            until: .now + timeout
        )
    }

    deinit { unsafe PQfinish(pointer) }

    /// Whether the server seems to be available: it has neither closed the connection nor announced that it will.
    package var isAlive: Bool {
        while failure == nil, ready(for: POLLIN, within: .zero) {
            guard unsafe PQconsumeInput(pointer) == 1, unsafe PQstatus(pointer) == CONNECTION_OK else { return false }
            // Makes libpq read the messages: a server's message about its shutdown goes to the notice receiver.
            takeNotifications { _ in }
        }
        return failure == nil
    }

    /// Runs statements without values, as one transaction unless they say otherwise.
    ///
    /// - Throws: `PostgreSQLError`.
    func execute(_ script: String, until deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
        try send(unsafe PQsendQuery(pointer, script))
        var problem: PostgreSQLError?
        while let result = unsafe try nextResult(until: deadline) {
            do throws(PostgreSQLError) {
                _ = unsafe try outcome(of: result)
            } catch {
                problem = problem ?? error
            }
        }
        if let problem { throw problem }
    }

    /// Takes the received notices of `NOTIFY`, each with its text.
    func takeNotifications(_ take: (String) -> Void) {
        while let notice = unsafe PQnotifies(pointer) {
            take(unsafe String(cString: notice.pointee.extra))
            unsafe PQfreemem(notice)
        }
    }

    /// Reads the received bytes, after waiting for them.
    ///
    /// - Parameter orSend: whether the wait also ends when the socket has room to send.
    /// - Returns: whether the socket was ready before the limit.
    /// - Throws: `PostgreSQLError.closed`.
    func receive(within limit: Duration, orSend: Bool = false) throws(PostgreSQLError) -> Bool {
        guard ready(for: orSend ? POLLIN | POLLOUT : POLLIN, within: limit) else { return false }
        guard unsafe PQconsumeInput(pointer) == 1 else { throw fail(.closed(message)) }
        return true
    }

    // MARK: Connecting

    private static func connect(
        _ parameters: [String: String],
        until deadline: ContinuousClock.Instant
    ) throws(PostgreSQLError) -> OpaquePointer {
        let settings = ["client_encoding": "UTF8", "fallback_application_name": "backlot"]
        guard let pointer = unsafe begin(parameters.merging(settings) { $1 }) else {
            throw .away("out of memory")
        }
        unsafe PQsetNoticeReceiver(pointer, { _, _ in }, nil)
        do throws(PostgreSQLError) {
            unsafe try finish(pointer, until: deadline)
            return unsafe pointer
        } catch {
            unsafe PQfinish(pointer)
            throw error
        }
    }

    private static func begin(_ parameters: [String: String]) -> OpaquePointer? {
        var names: [UnsafePointer<CChar>?] = unsafe []
        var values: [UnsafePointer<CChar>?] = unsafe []
        for (name, value) in parameters {
            unsafe names.append(UnsafePointer(strdup(name)))
            unsafe values.append(UnsafePointer(strdup(value)))
        }
        defer { unsafe (names + values).forEach { unsafe free(UnsafeMutableRawPointer(mutating: $0)) } }
        return unsafe PQconnectStartParams(names + [nil], values + [nil], 0)
    }

    private static func finish(
        _ pointer: OpaquePointer,
        until deadline: ContinuousClock.Instant
    ) throws(PostgreSQLError) {
        guard unsafe PQstatus(pointer) != CONNECTION_BAD else { throw .away(unsafe message(of: pointer)) }
        var (event, isLate) = (POLLOUT, false)
        while true {
            // The process may have been paused beyond the deadline. It looks once more, because the server may have responded in time.
            let rest = max(.zero, ContinuousClock.now.duration(to: deadline))
            let isReady = unsafe ready(pointer, for: event, within: rest)
            guard !isLate, isReady || rest > .zero else { throw .away("the server didn't respond in time") }
            isLate = rest == .zero
            guard isReady else { continue }
            switch unsafe PQconnectPoll(pointer) {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_READING: event = POLLIN
            case PGRES_POLLING_WRITING: event = POLLOUT
            default: throw .away(unsafe message(of: pointer))
            }
        }
    }

    // MARK: Sending and receiving

    /// Checks that libpq has accepted something to send.
    ///
    /// - Parameter accepted: 1 for success.
    func send(_ accepted: Int32) throws(PostgreSQLError) {
        if let failure { throw failure }
        guard accepted == 1 else { throw fail(.closed(message)) }
    }

    /// The next result; nil after the last one of a statement.
    func nextResult(until deadline: ContinuousClock.Instant) throws(PostgreSQLError) -> OpaquePointer? {
        if let failure { throw failure }
        // The process may have been paused beyond the deadline, with a response in the socket that came in time. It reads 8 KB or
        // more with each look. The number is limited because a server might never stop sending.
        var lateLooks = 32
        while true {
            let unsent = unsafe PQflush(pointer)
            guard unsent >= 0 else { throw fail(.closed(message)) }
            guard unsafe PQisBusy(pointer) == 1 else { return unsafe PQgetResult(pointer) }
            let rest = max(.zero, ContinuousClock.now.duration(to: deadline))
            if rest == .zero { lateLooks -= 1 }
            let isReady = try receive(within: rest, orSend: unsent == 1 && rest > .zero)
            guard lateLooks > 0, isReady || rest > .zero else { throw fail(.timeout) }
        }
    }

    /// Takes over a result of libpq: `SQLResult` frees it, or this method frees it and throws an error.
    func outcome(of result: OpaquePointer) throws(PostgreSQLError) -> SQLResult {
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_PIPELINE_SYNC: return unsafe SQLResult(result)
        case PGRES_PIPELINE_ABORTED:
            unsafe PQclear(result)
            throw .refused(state: "25P02", message: "a statement before it failed")
        default: break
        }
        defer { unsafe PQclear(result) }
        let state = unsafe field(BACKLOT_DIAG_SQLSTATE, of: result) ?? ""
        let text = unsafe field(BACKLOT_DIAG_MESSAGE, of: result) ?? message
        let isFatal = unsafe field(BACKLOT_DIAG_SEVERITY, of: result).map { $0 == "FATAL" || $0 == "PANIC" } ?? true
        let isLost = unsafe PQstatus(pointer) == CONNECTION_BAD
        if isFatal || isLost { throw fail(.closed(text)) }
        // A statement or a lock exceeded the limit that was set with the connection.
        if ["57014", "55P03"].contains(state) { throw .timeout }
        throw .refused(state: state, message: text)
    }

    /// Gives the connection up.
    func fail(_ failure: PostgreSQLError) -> PostgreSQLError {
        self.failure = self.failure ?? failure
        return failure
    }

    private func receive(notice: OpaquePointer) {
        guard let severity = unsafe field(BACKLOT_DIAG_SEVERITY, of: notice) else { return }
        guard ["FATAL", "PANIC"].contains(severity) else { return }
        failure = failure ?? .closed(unsafe field(BACKLOT_DIAG_MESSAGE, of: notice) ?? "the server has closed it")
    }

    private func field(_ code: Int32, of result: OpaquePointer) -> String? {
        unsafe PQresultErrorField(result, code).map { unsafe String(cString: $0) }
    }

    /// libpq's last error message, on one line.
    private var message: String { unsafe Self.message(of: pointer) }

    private static func message(of pointer: OpaquePointer) -> String {
        let text = unsafe PQerrorMessage(pointer).map { unsafe String(cString: $0) } ?? ""
        let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.isEmpty ? "the server has closed it" : line
    }

    private func ready(for events: Int32, within limit: Duration) -> Bool {
        unsafe Self.ready(pointer, for: events, within: limit)
    }

    private static func ready(_ pointer: OpaquePointer, for events: Int32, within limit: Duration) -> Bool {
        var descriptor = unsafe pollfd(fd: PQsocket(pointer), events: Int16(events), revents: 0)
        return unsafe poll(&descriptor, 1, Int32(clamping: Int((limit / .milliseconds(1)).rounded(.up)))) > 0
    }
}
