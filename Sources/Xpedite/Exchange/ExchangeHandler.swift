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

    private var readings: ExchangeReadings { configuration.readings }
    private var codes: ReturnCodes { configuration.readings.codes }

    func answer(_ request: Request) -> Answer {
        .pending { Response(headers: Self.headers, body: .bytes(try await answer(to: request))) }
    }

    private func answer(to request: Request) async throws -> [UInt8] {
        let packet: JSONObject
        do {
            let bytes = try await request.body.collect(upTo: configuration.packetLimit)
            guard let object = try JSONValue(parsing: bytes).object else {
                return failure(codes.malformedPacket, "The packet is not an object.", token: nil)
            }
            packet = object
        } catch let error as JSONParseError {
            return failure(codes.malformedPacket, "The packet is not JSON: \(error).", token: nil)
        } catch let error as RequestError where error.status.code == 413 {
            return failure(codes.malformedPacket, "The packet is too large.", token: nil)
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

    /// Begins a session, whatever token the packet has.
    private func connect(_ packet: JSONObject, _ request: Request) async throws -> [UInt8] {
        let token = sessions.makeToken()
        do {
            let answer = try await sessions.withSession(token, of: request, isNew: true) { session in
                let call = makeCall(MethodTable.connect, token, packet, session, request)
                guard let connect = table.connect else {
                    return failure(codes.unknownMethod, "This app has no first page.", token: token)
                }
                let page = try await connect(Device(packet), call)
                return try sender.send(page, for: call, known: nil, isFirst: true)
            }
            return answer ?? failure(codes.unknownToken, Self.ended, token: token)
        } catch {
            // The client has no token yet, and one without a session would be useless.
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
        let answer = try await sessions.withSession(token, of: request) { session -> [UInt8] in
            guard let registered = table.methods[method] else {
                return failure(codes.unknownMethod, "There is no method \"\(method.excerpt)\".", token: token)
            }
            let call = makeCall(method, token, packet, session, request)
            let known = registered.isTable ? nil : session[ClientStateKey.self]
            do {
                if let returned = try returnedForm(for: call, FormErrors([:])) { return returned }
                switch try await registered.answer(call) {
                case .page(let page): return try sender.send(page, for: call, known: known, isFirst: false)
                case .rows(let rows, let max): return data(rows, max, token)
                }
            } catch let error as FormErrors {
                return try returnedForm(for: call, error) ?? failure(codes.application, error.description, token: token)
            } catch let error as InputError {
                let errors = FormErrors([error.name: error.problem])
                return try returnedForm(for: call, errors)
                    ?? failure(codes.application, "The value \(error).", token: token)
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

    /// The form of a packet with messages at its fields: the app's messages, or without any, those that follow from the form
    /// that was sent.
    ///
    /// - Returns: nil when nothing is wrong or the form is unknown.
    private func returnedForm(for call: Call, _ errors: FormErrors) throws -> [UInt8]? {
        guard !call.forms.isEmpty, let sent = call.session[SentFormsKey.self] else { return nil }
        for form in call.forms {
            guard let page = sent.page(of: form) else { continue }
            let returned = ReturnedForm(page: page, form: form, readings: readings)
            let values = call.formdata(form)
            let messages = errors.messages.isEmpty ? returned.problems(with: values) : errors.messages
            guard !messages.isEmpty else { continue }
            return JSONValue.object(returned.packet(values: values, messages: messages, token: call.token)).bytes
        }
        return nil
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
