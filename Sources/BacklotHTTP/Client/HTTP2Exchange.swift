internal import CNGHTTP2
internal import HTTPTypes

/// An exchange over HTTP/2 (RFC 9113). The frames are the library's work; what it reads comes back in callbacks while
/// `receive` runs.
@safe final class HTTP2Exchange: OutgoingExchange {
    /// How many bytes of an answer may be on their way.
    private static let window: Int32 = 1024 * 1024
    /// About how many bytes `takeOutput` returns.
    private static let outputSize = 64 * 1024

    private let bounds: ClientBounds
    private var session: OpaquePointer?
    private let isHead: Bool
    private let requestBody: [UInt8]
    private var sentBody = 0
    private(set) var isBodyHeld: Bool

    /// The header list that is being read.
    private var status: Int?
    private var fields = HTTPFields()
    private var listSize = 0
    private(set) var response: (status: HTTPResponse.Status, headers: HTTPFields)?
    private(set) var body: [UInt8] = []
    private var pending: [UInt8] = []
    private var isContinued = false
    private var isFinished = false
    private var failure: ClientFault?
    /// Why the library refuses the server's bytes.
    private var problem: String?

    init(_ request: OutgoingRequest, scheme: String, bounds: ClientBounds) {
        self.bounds = bounds
        isHead = request.method == .head
        requestBody = request.body
        isBodyHeld = request.waitsForContinue && !request.body.isEmpty
        let code = unsafe nghttp2_session_client_new2(
            &session,
            Self.callbacks,
            Unmanaged.passUnretained(self).toOpaque(),
            Self.options
        )
        precondition(code == 0, "there is no memory for an HTTP/2 connection")
        begin(request, scheme)
    }

    deinit {
        unsafe nghttp2_session_del(session)
    }

    private func begin(_ request: OutgoingRequest, _ scheme: String) {
        let settings = [
            (NGHTTP2_SETTINGS_ENABLE_PUSH, 0), (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, Int(Self.window)),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, bounds.head),
        ].map { nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: UInt32(clamping: $0.1)) }
        let none = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        unsafe nghttp2_submit_settings(session, none, settings, settings.count)
        unsafe nghttp2_session_set_local_window_size(session, none, 0, Self.window)
        let list = HTTP2RequestHead(request, scheme: scheme)
        var source = unsafe nghttp2_data_provider(source: nghttp2_data_source(), read_callback: Self.readBody)
        unsafe NGHTTP2Session.withFields(list.bytes, list.ends) { fields in
            let hasBody = !requestBody.isEmpty
            unsafe withUnsafePointer(to: &source) { source in
                _ = unsafe nghttp2_submit_request(
                    session,
                    nil,
                    fields.baseAddress,
                    fields.count,
                    hasBody ? source : nil,
                    nil
                )
            }
        }
    }

    /// The first frames are about the connection.
    var hasBegun: Bool { response != nil }

    // MARK: The connection

    func receive(_ bytes: Span<UInt8>) throws(ClientFault) -> ResponseParser.Progress {
        let count = unsafe bytes.withUnsafeBufferPointer {
            unsafe nghttp2_session_mem_recv(session, $0.baseAddress, $0.count)
        }
        if isFinished { return .finished }
        // A stream that the library gives up ends when it has said so to the server.
        // What a server makes the client answer stays with the library while too much of it waits: the library has a limit.
        if pending.count < Self.outputSize { pending += frames() }
        if let failure { throw failure }
        guard count >= 0, unsafe nghttp2_session_want_read(session) != 0 else {
            let error =
                unsafe count >= 0
                ? "the server ended the connection" : String(cString: nghttp2_strerror(Int32(clamping: count)))
            let reason = problem ?? error
            throw .malformed("it is no HTTP/2: \(reason)")
        }
        guard isContinued else { return .incomplete }
        isContinued = false
        return .continue
    }

    func resume() throws(ClientFault) -> ResponseParser.Progress { isFinished ? .finished : .incomplete }

    func end() throws(ClientFault) {
        guard !isFinished else { return }
        throw cutShort
    }

    private var cutShort: ClientFault { .cutShort(bodyBytes: response == nil ? nil : body.count) }

    func releaseBody() {
        guard isBodyHeld else { return }
        isBodyHeld = false
        unsafe nghttp2_session_resume_data(session, Self.stream)
    }

    func takeOutput() -> [UInt8] {
        defer { pending = [] }
        return pending + frames()
    }

    private func frames() -> [UInt8] {
        var output: [UInt8] = []
        while output.count < Self.outputSize {
            var frame: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &frame)
            guard count > 0 else { break }
            unsafe output.append(contentsOf: UnsafeBufferPointer(start: frame, count: count))
        }
        return output
    }

    // MARK: What the library calls

    /// The first stream of a client has this number.
    private static let stream: Int32 = 1

    private func take(_ name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        guard response == nil else { return true }
        listSize += name.count + value.count + 4
        guard listSize <= bounds.head else { return fail(.headTooLarge(limit: bounds.head)) }
        if name.count > 0, name[0] == ASCII.colon {
            status = Int(value.string(0..<value.count))
        } else if let name = HTTPField.Name(name.string(0..<name.count)) {
            fields.append(HTTPField(name: name, value: value.string(0..<value.count)))
        }
        return true
    }

    private func listEnded() -> Bool {
        defer { (status, fields, listSize) = (nil, HTTPFields(), 0) }
        guard response == nil, let status else { return true }
        if status == 100 { isContinued = true }
        // Other interim answers say nothing that a client needs (RFC 9110, section 15.2).
        guard status >= 200 else { return true }
        response = (HTTPResponse.Status(code: status), fields)
        guard let length = fields[.contentLength].flatMap({ Int($0) }), length > bounds.body, !isHead else {
            return true
        }
        return fail(.bodyTooLarge(limit: bounds.body))
    }

    private func take(_ data: UnsafeBufferPointer<UInt8>) -> Bool {
        guard body.count + data.count <= bounds.body else { return fail(.bodyTooLarge(limit: bounds.body)) }
        unsafe body.append(contentsOf: data)
        return true
    }

    private func streamClosed() {
        guard !isFinished, failure == nil else { return }
        failure = problem.map { .malformed("it is no HTTP/2: \($0)") } ?? cutShort
    }

    private func fail(_ fault: ClientFault) -> Bool {
        failure = fault
        return false
    }

    private static func exchange(_ pointer: UnsafeMutableRawPointer?) -> HTTP2Exchange {
        unsafe Unmanaged<HTTP2Exchange>.fromOpaque(pointer.unsafelyUnwrapped).takeUnretainedValue()
    }

    nonisolated(unsafe) private static let options: OpaquePointer? = {
        var options: OpaquePointer?
        unsafe nghttp2_option_new(&options)
        // The library also counts the pieces that the head of a CONTINUATION frame comes in. An endless list of such frames
        // ends with the client's patience.
        unsafe nghttp2_option_set_max_continuations(options, 10_000)
        return unsafe options
    }()

    private static let stop = NGHTTP2_ERR_CALLBACK_FAILURE.rawValue

    private static let readBody: nghttp2_data_source_read_callback = { _, _, buffer, most, flags, _, data in
        let exchange = unsafe exchange(data)
        guard !exchange.isBodyHeld else { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
        let (body, start) = (exchange.requestBody, exchange.sentBody)
        let count = min(most, body.count - start)
        unsafe body.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return }
            unsafe buffer?.update(from: first + start, count: count)
        }
        exchange.sentBody += count
        if exchange.sentBody == body.count {
            unsafe flags.unsafelyUnwrapped.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
        }
        return count
    }

    nonisolated(unsafe) private static let callbacks: OpaquePointer? = {
        var callbacks: OpaquePointer?
        unsafe nghttp2_session_callbacks_new(&callbacks)
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _,
            _,
            name,
            nameCount,
            value,
            valueCount,
            _,
            data in
            let name = unsafe UnsafeBufferPointer(start: name, count: nameCount)
            let value = unsafe UnsafeBufferPointer(start: value, count: valueCount)
            return unsafe exchange(data).take(name.span, value.span) ? 0 : stop
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, _, start, count, data in
            unsafe exchange(data).take(UnsafeBufferPointer(start: start, count: count)) ? 0 : stop
        }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, data in
            let header = unsafe frame.unsafelyUnwrapped.pointee.hd
            let exchange = unsafe exchange(data)
            if header.type == HTTP2FrameHeader.headers, !exchange.listEnded() { return stop }
            let endsStream = header.type <= HTTP2FrameHeader.headers && header.flags & HTTP2FrameHeader.endStream != 0
            if endsStream, exchange.response != nil { exchange.isFinished = true }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, _, error, data in
            let exchange = unsafe exchange(data)
            if exchange.problem == nil { exchange.problem = unsafe String(cString: nghttp2_strerror(error)) }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, _, _, data in
            unsafe exchange(data).streamClosed()
            return 0
        }
        unsafe nghttp2_session_callbacks_set_error_callback2(callbacks) { _, _, text, count, data in
            let bytes = unsafe UnsafeRawBufferPointer(start: text, count: count)
            unsafe exchange(data).problem = unsafe String(decoding: bytes, as: UTF8.self)
            return 0
        }
        return unsafe callbacks
    }()
}

/// The header list of a request, as HTTP/2 sends it (RFC 9113, section 8.3.1): names and values stand one after the other in
/// `bytes`, and `ends` says where each ends.
struct HTTP2RequestHead {
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [Int] = []

    init(_ request: OutgoingRequest, scheme: String) {
        add(":method", request.method.rawValue)
        add(":scheme", scheme)
        add(":authority", request.authority)
        add(":path", request.target)
        for field in request.headers
        where !Self.isAboutConnection(field.name) && !OutgoingRequest.ownFields.contains(field.name.canonicalName) {
            add(field.name.canonicalName, field.value)
        }
        // RFC 9110, section 8.6: also where the method would let one expect a body.
        if !request.body.isEmpty || request.method == .post || request.method == .put {
            add("content-length", "\(request.body.count)")
        }
        if request.waitsForContinue { add("expect", "100-continue") }
    }

    private mutating func add(_ name: String, _ value: String) {
        bytes.append(contentsOf: name.utf8)
        ends.append(bytes.count)
        bytes.append(contentsOf: value.utf8)
        ends.append(bytes.count)
    }

    /// The fields of HTTP/1's connections, which must not be sent (RFC 9113, section 8.2.2).
    private static func isAboutConnection(_ name: HTTPField.Name) -> Bool {
        [
            "connection", "keep-alive", "proxy-connection", "upgrade", "te", "http2-settings",
        ]
        .contains(name.canonicalName)
    }
}
