import Backlot
import Logging

/// Responds to the packets of an app's clients. Each response is HTTP 200 with JSON, even for failures.
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

    func respond(to request: Request) -> HandlerResult {
        .pending { Response(headers: Self.headers, body: .bytes(try await response(to: request))) }
    }

    private func response(to request: Request) async throws -> [UInt8] {
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

    /// Responds to a packet after only its beginning could be read.
    private func unreadable(_ beginning: [UInt8], _ error: any Error) throws -> [UInt8] {
        guard let error = error as? any HTTPError else { throw error }
        let token = PacketToken.find(in: beginning)
        switch error.status.code {
        case 413: return failure(codes.malformedPacket, "The packet is too large.", token: token)
        case 500...: return failure(codes.failure, "The server is busy. Please try again.", token: token)
        default: return failure(codes.malformedPacket, "The packet can't be read: \(error.reason).", token: token)
        }
    }

    /// Begins a session, regardless of the packet's token and device: a device's id isn't secret.
    private func connect(_ packet: JSONObject, _ request: Request) async throws -> [UInt8] {
        guard let connect = table.connect else {
            return failure(codes.unknownMethod, "This app has no first page.", token: nil)
        }
        do {
            let first = try await sessions.withSession(sessions.makeToken(), of: request, isNew: true) { session in
                let call = makeCall(MethodTable.connect, packet, session, request)
                let page = try await connect(Device(packet), call)
                let response = try sender.send(page, for: call, known: nil, isFirst: true)
                return (bytes: response, token: call.token, isLoggedIn: session.user != nil)
            }
            guard let first else { return failure(codes.unknownToken, Self.ended, token: nil) }
            if !first.isLoggedIn {
                let origin = DeviceSessions.Origin(device: packet["uuid"]?.string, request.clientAddress)
                await end(devices.withLock { $0.add(first.token, origin) })
            }
            return first.bytes
        } catch {
            // The client has no token yet, and a token without a session would be useless.
            return failure(for: error, of: MethodTable.connect, token: nil)
        }
    }

    private func call(
        _ method: String,
        _ token: String?,
        _ packet: JSONObject,
        _ request: Request
    ) async throws -> [UInt8] {
        guard let token else { return failure(codes.unknownToken, "The packet has no \"token\".", token: nil) }
        let result = try await sessions.withSession(token, of: request) { session in
            let call = makeCall(method, packet, session, request)
            let response: [UInt8]
            do {
                response = try await respond(to: call)
            } catch let error as any HTTPError {
                // The effects of the method stay, even a log-in.
                response = failure(for: error, of: method, token: call.token)
            }
            return (bytes: response, token: call.token, isLoggedIn: session.user != nil)
        }
        guard let result else {
            return failure(codes.unknownToken, Self.ended, token: readings.echoesUnknownToken ? token : nil)
        }
        await end(devices.withLock { $0.note(token, as: result.token, isLoggedIn: result.isLoggedIn) })
        return result.bytes
    }

    /// Ends sessions. A session that can't be removed now ends by time.
    private func end(_ tokens: [String]) async {
        for token in tokens { try? await sessions.end(token) }
    }

    private func respond(to call: Call) async throws -> [UInt8] {
        var call = call
        let method = call.method
        guard let registered = table.methods[method] else {
            return failure(codes.unknownMethod, "There is no method \"\(method.excerpt)\".", token: call.token)
        }
        for guardian in registered.guards { try await guardian.check(call) }
        let known = registered.isTable ? nil : call.session[ClientStateKey.self]
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
            switch try await registered.response(call) {
            case .page(let page): return try sender.send(page, for: call, known: known, isFirst: false)
            case .rows(let rows, let max, let components): return data(rows, max, components, call.token)
            }
        } catch let error as FormErrors {
            guard let form = returnable.first, !error.messages.isEmpty else {
                return failure(codes.application, error.description, token: call.token)
            }
            return send(form, error.messages, for: call, known: known)
        } catch let error as InputError {
            guard let form = returnable.first else {
                return failure(codes.application, "The value \(error).", token: call.token)
            }
            return send(form, [error.name: error.problem], for: call, known: known)
        }
    }

    private static let ended = "Your session has ended. Please start the app again."

    private func makeCall(
        _ method: String,
        _ packet: JSONObject,
        _ session: Session,
        _ request: Request
    ) -> Call {
        Call(method: method, packet: packet, session: session, request: request, readings: readings)
    }

    /// The known forms in a packet, in their original form.
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

    private func data(_ rows: [JSONObject], _ max: Int?, _ components: [JSONValue]?, _ token: String) -> [UInt8] {
        JSONWriter.document(capacity: 256 + 64 * rows.count) { writer in
            writer.object {
                $0.field("rc", 0)
                if readings.dataHasToken { $0.field("token", token) }
                if let components = components ?? (readings.dataHasComponents ? [] : nil) {
                    $0.member("components", .array(components))
                }
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
        // It is logged already.
        case is SessionStoreError: return failure(codes.failure, "The server is busy. Please try again.", token: token)
        case let error as any HTTPError: return failure(codes.application, error.reason, token: token)
        default:
            logger.error("the method \(method) failed: \(String(reflecting: error))")
            return failure(codes.failure, "Something went wrong. Please try again.", token: token)
        }
    }

    /// - Parameter token: the token of the session, or the client's text for one: only valid tokens are sent back.
    private func failure(_ code: Int, _ text: String, token: String?) -> [UInt8] {
        let token = token.flatMap { TokenSessions.canBeToken($0) ? $0 : nil }
        return Packet(page { label(text) }.rc(code), token: token).bytes
    }
}
