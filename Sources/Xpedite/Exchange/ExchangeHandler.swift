import Backlot
import BacklotJSON
import Logging

/// Answers the packets of an app's clients. Each answer is HTTP 200 with JSON, failures too.
struct ExchangeHandler: Handler {
    private static let headers: HTTPFields = [.contentType: "application/json"]

    let table: MethodTable
    let sessions: TokenSessions
    let sender: PageSender
    let configuration: XpediteConfiguration
    let logger: Logger
    private let devices: Locked<DeviceSessions>

    init(
        table: MethodTable,
        sessions: TokenSessions,
        sender: PageSender,
        devices: DeviceSessions,
        configuration: XpediteConfiguration,
        logger: Logger
    ) {
        self.table = table
        self.sessions = sessions
        self.sender = sender
        self.devices = Locked(devices)
        self.configuration = configuration
        self.logger = logger
    }

    private var readings: ExchangeReadings { configuration.readings }
    private var codes: ReturnCodes { configuration.readings.codes }

    func answer(_ request: Request) -> Answer {
        .pending { Response(headers: Self.headers, body: .bytes(try await answer(to: request))) }
    }

    private func answer(to request: Request) async throws -> [UInt8] {
        let (bytes, error) = await request.body.collectReadable(upTo: configuration.packetLimit)
        if let error { return try unreadable(bytes, error) }
        let packet: JSONObject
        do throws(JSONParseError) {
            guard let object = try JSONValue(parsing: bytes).object else {
                return failure(codes.malformedPacket, "The packet is not an object.", token: nil)
            }
            packet = object
        } catch {
            return failure(
                codes.malformedPacket,
                "The packet is not JSON: \(error).",
                token: PacketToken.find(in: bytes)
            )
        }
        let token = packet["token"]?.string
        guard let method = packet["method"]?.string else {
            return failure(codes.malformedPacket, "The packet has no \"method\".", token: token)
        }
        do {
            if method == MethodTable.connect { return try await connect(packet, request) }
            return try await call(method, token, packet, request)
        } catch {
            return failure(for: error, of: method, token: token)
        }
    }

    /// Answers a packet of which only the beginning could be read.
    private func unreadable(_ beginning: [UInt8], _ error: any Error) throws -> [UInt8] {
        guard let error = error as? any HTTPError else { throw error }
        let token = PacketToken.find(in: beginning)
        switch error.status.code {
        case 413: return failure(codes.malformedPacket, "The packet is too large.", token: token)
        case 500...: return failure(codes.failure, "The server is busy. Please try again.", token: token)
        default: return failure(codes.malformedPacket, "The packet can't be read: \(error.reason).", token: token)
        }
    }

    /// Begins a session, whatever token the packet has, or begins the session anew that the device has.
    private func connect(_ packet: JSONObject, _ request: Request) async throws -> [UInt8] {
        let address = request.clientAddress(trusting: configuration.sessionLimits.trustedProxies).host
        let origin = DeviceSessions.Origin(device: packet["uuid"]?.string, address: address)
        if let token = devices.withLock({ $0.token(for: origin) }) {
            do {
                if let first = try await firstPage(token, packet, request, isNew: false) {
                    devices.withLock { $0.note(token, isLoggedIn: first.isLoggedIn) }
                    return first.answer
                }
            } catch {
                return failure(for: error, of: MethodTable.connect, token: token)
            }
            // The session has ended meanwhile.
            devices.withLock { $0.remove(token) }
        }
        let token = sessions.makeToken()
        do {
            guard let first = try await firstPage(token, packet, request, isNew: true) else {
                return failure(codes.unknownToken, Self.ended, token: nil)
            }
            let surplus = devices.withLock { devices in
                let surplus = devices.add(token, origin)
                if first.isLoggedIn { devices.note(token, isLoggedIn: true) }
                return surplus
            }
            // One that can't be removed now ends by time.
            for token in surplus { try? await sessions.end(token) }
            return first.answer
        } catch {
            // The client has no token yet, and one without a session would be useless.
            return failure(for: error, of: MethodTable.connect, token: nil)
        }
    }

    /// The first page of a session; nil where the session isn't there.
    private func firstPage(
        _ token: String,
        _ packet: JSONObject,
        _ request: Request,
        isNew: Bool
    ) async throws -> (answer: [UInt8], isLoggedIn: Bool)? {
        try await sessions.withSession(token, of: request, isNew: isNew) { session in
            let call = makeCall(MethodTable.connect, token, packet, session, request)
            guard let connect = table.connect else {
                return (failure(codes.unknownMethod, "This app has no first page.", token: token), false)
            }
            let page = try await connect(Device(packet), call)
            if !isNew { try session.set(SentFormsKey.self, to: nil) }
            return (try sender.send(page, for: call, known: nil, isFirst: true), session.user != nil)
        }
    }

    private func call(
        _ method: String,
        _ token: String?,
        _ packet: JSONObject,
        _ request: Request
    ) async throws -> [UInt8] {
        guard let token else { return failure(codes.unknownToken, "The packet has no \"token\".", token: nil) }
        let answer = try await sessions.withSession(token, of: request) { session -> [UInt8] in
            defer { devices.withLock { $0.note(token, isLoggedIn: session.user != nil) } }
            guard let registered = table.methods[method] else {
                return failure(codes.unknownMethod, "There is no method \"\(method.excerpt)\".", token: token)
            }
            var call = makeCall(method, token, packet, session, request)
            for guardian in registered.guards { try await guardian.check(call) }
            let known = registered.isTable ? nil : session[ClientStateKey.self]
            let forms = sentForms(of: call)
            let saved = forms.filter { $0.save == method }
            call.ignoresFormMistakes = !forms.isEmpty && saved.isEmpty
            // People who leave a form don't want to see it again.
            let returnable = forms.filter { $0.save == method || $0.cancel != method }
            do {
                for form in saved {
                    var messages = form.problems(with: call.formdata(form.form))
                    if let problems = registered.problems {
                        messages.merge(try await problems(call, Set(messages.keys))) { first, _ in first }
                        call.isChecked = true
                    }
                    guard messages.isEmpty else { return send(form, messages, for: call, known: known) }
                }
                switch try await registered.answer(call) {
                case .page(let page): return try sender.send(page, for: call, known: known, isFirst: false)
                case .rows(let rows, let max): return data(rows, max, token)
                }
            } catch let error as FormErrors {
                guard let form = returnable.first, !error.messages.isEmpty else {
                    return failure(codes.application, error.description, token: token)
                }
                return send(form, error.messages, for: call, known: known)
            } catch let error as InputError {
                guard let form = returnable.first else {
                    return failure(codes.application, "The value \(error).", token: token)
                }
                return send(form, [error.name: error.problem], for: call, known: known)
            }
        }
        return answer ?? failure(codes.unknownToken, Self.ended, token: readings.echoesUnknownToken ? token : nil)
    }

    private static let ended = "Your session has ended. Please start the app again."

    private func makeCall(
        _ method: String,
        _ token: String,
        _ packet: JSONObject,
        _ session: Session,
        _ request: Request
    ) -> Call {
        Call(method: method, token: token, packet: packet, session: session, request: request, readings: readings)
    }

    /// The forms of a packet that are known, as they were sent.
    private func sentForms(of call: Call) -> [ReturnedForm] {
        let forms = call.forms
        guard !forms.isEmpty, let sent = call.session[SentFormsKey.self] else { return [] }
        return forms.compactMap { form in
            sent.page(of: form).map { ReturnedForm(page: $0, form: form, readings: readings) }
        }
    }

    /// A form with the typed values, and with messages at its fields.
    private func send(
        _ form: ReturnedForm,
        _ messages: [String: String],
        for call: Call,
        known: ClientState?
    ) -> [UInt8] {
        let packet = form.packet(values: call.formdata(form.form), messages: messages, token: call.token)
        return sender.send(again: packet, for: call, known: known)
    }

    private func data(_ rows: [JSONObject], _ max: Int?, _ token: String) -> [UInt8] {
        JSONWriter.document(capacity: 256 + 64 * rows.count) { writer in
            writer.object {
                $0.field("rc", 0)
                if readings.dataHasToken { $0.field("token", token) }
                if readings.dataHasComponents { $0.array("components") { _ in } }
                $0.array("data") { writer in
                    for row in rows { writer.value(.object(row)) }
                }
                $0.field("max", max)
            }
        }
    }

    // MARK: Failures

    private func failure(for error: any Error, of method: String, token: String?) -> [UInt8] {
        switch error {
        case let error as PageSender.Broken: return failure(codes.brokenPage, error.text, token: token)
        // The log has it already.
        case is SessionStoreError: return failure(codes.failure, "The server is busy. Please try again.", token: token)
        case let error as any HTTPError: return failure(codes.application, error.reason, token: token)
        default:
            logger.error("the method \(method) failed: \(String(reflecting: error))")
            return failure(codes.failure, "Something went wrong. Please try again.", token: token)
        }
    }

    private func failure(_ code: Int, _ text: String, token: String?) -> [UInt8] {
        Packet(page { label(text) }.rc(code), token: token).bytes
    }
}
