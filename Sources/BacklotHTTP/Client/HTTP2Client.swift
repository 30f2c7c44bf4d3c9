internal import CNGHTTP2
internal import HTTPTypes

/// HTTP/2 (RFC 9113). The library handles the frames, and reports their contents in callbacks while `receive` runs.
@safe final class HTTP2Client: HTTPClientCodec {
    /// The maximum number of bytes of a response that may be in transit.
    private static let window: Int32 = 1024 * 1024
    /// The approximate number of bytes that `takeOutput` returns.
    private static let outputSize = 64 * 1024

    private let bounds: ClientBounds
    private let scheme: String
    private var session: OpaquePointer?
    /// The number of the exchange's stream.
    private var stream: Int32 = 0
    private var isHead = false
    private var requestFields: NGHTTP2Fields?
    private var requestBody = ResponseQueue()
    private(set) var isRequestSent = false

    /// The header list that is being read.
    private var status: Int?
    private var fields = FieldList()
    private var listSize = 0
    private(set) var response: (status: HTTPResponse.Status, fields: FieldList)?
    private var body: [UInt8] = []
    private(set) var bodyCount = 0
    private var pending: [UInt8] = []
    private(set) var isContinued = false
    private(set) var isFinished = false
    private(set) var isRefused = false
    private var failure: ClientConnectionError?
    /// The reason why the library refuses the server's bytes.
    private var problem: String?

    init(scheme: String, bounds: ClientBounds) {
        self.bounds = bounds
        self.scheme = scheme
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        let code = unsafe nghttp2_session_client_new2(&session, Self.callbacks, me, Self.options)
        precondition(code == 0, "there is no memory for an HTTP/2 connection")
        let settings = [
            (NGHTTP2_SETTINGS_ENABLE_PUSH, 0), (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, Int(Self.window)),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, bounds.head),
        ]
        unsafe NGHTTP2Session.submit(settings, window: Self.window, to: session)
    }

    deinit {
        unsafe nghttp2_session_del(session)
    }

    // MARK: The exchange

    var version: StaticString { "2" }
    var unsent: Int { requestBody.count }

    func begin(_ request: OutgoingRequest) throws(ClientConnectionError) {
        (isHead, requestBody, isRequestSent) = (request.method == .head, ResponseQueue(), false)
        (response, body, bodyCount) = (nil, [], 0)
        (isContinued, isFinished, isRefused) = (false, false, false)
        var source = unsafe nghttp2_data_provider(source: nghttp2_data_source(), read_callback: Self.readBody)
        let hasBody = request.hasBody
        let fields = NGHTTP2Fields(FieldList(request, scheme: scheme))
        // The library reads the fields when it sends them.
        requestFields = fields
        let (start, count) = unsafe (fields.fields.baseAddress, fields.fields.count)
        unsafe withUnsafePointer(to: &source) { source in
            stream = unsafe nghttp2_submit_request(session, nil, start, count, hasBody ? source : nil, nil)
        }
        guard stream > 0 else { throw .malformed("it is not HTTP/2: the server takes no more requests") }
        if !hasBody { isRequestSent = true }
    }

    /// Whether the library accepts another request: after a GOAWAY frame it doesn't.
    var isReusable: Bool {
        unsafe isFinished && failure == nil && problem == nil && nghttp2_session_check_request_allowed(session) != 0
    }

    /// The first frames concern the connection.
    var hasBegun: Bool { response != nil }

    func send(_ body: [UInt8]) {
        requestBody.append(body)
        unsafe nghttp2_session_resume_data(session, stream)
    }

    func endBody() {
        requestBody.complete()
        unsafe nghttp2_session_resume_data(session, stream)
    }

    func takeBody() -> [UInt8] {
        defer { body = [] }
        return body
    }

    func consumed(_ count: Int) {
        unsafe nghttp2_session_consume(session, stream, count)
    }

    // MARK: The connection

    func receive(_ bytes: Span<UInt8>) throws(ClientConnectionError) {
        let result = unsafe NGHTTP2Session.receive(bytes, by: session)
        // When the library gives up a stream, the stream ends after the server has been informed.
        // The library keeps the frames that respond to the server's while too many wait. It limits their number.
        if pending.count < Self.outputSize { pending += frames() }
        if isFinished { return }
        if let failure { throw failure }
        guard result >= 0, unsafe nghttp2_session_want_read(session) != 0 else {
            let error =
                unsafe result >= 0 ? "the server ended the connection" : String(cString: nghttp2_strerror(result))
            let reason = problem ?? error
            throw .malformed("it is not HTTP/2: \(reason)")
        }
    }

    func end() throws(ClientConnectionError) {
        guard !isFinished else { return }
        throw cutShort
    }

    private var cutShort: ClientConnectionError { .cutShort(bodyBytes: response == nil ? nil : bodyCount) }

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

    // MARK: Calls from the library

    private func take(_ name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        guard response == nil else { return true }
        listSize += name.count + value.count + 4
        guard listSize <= bounds.head else { return fail(.headTooLarge(limit: bounds.head)) }
        if name.count > 0, name[0] == ASCII.colon {
            status = Int(value.string(0..<value.count))
        } else if let name = HTTPField.Name(name.string(0..<name.count)) {
            // Bytes that aren't UTF-8 stay unchanged.
            fields.append(unsafe value.withUnsafeBufferPointer { unsafe HTTPField(name: name, value: $0) })
        }
        return true
    }

    private func listEnded() -> Bool {
        defer { (status, fields, listSize) = (nil, FieldList(), 0) }
        guard response == nil, let status else { return true }
        if status == 100 { isContinued = true }
        // A client doesn't need other interim responses (RFC 9110, section 15.2).
        guard status >= 200 else { return true }
        response = (HTTPResponse.Status(code: status), fields)
        guard let length = fields["content-length"].flatMap({ Int($0) }), length > bounds.body, !isHead else {
            return true
        }
        return fail(.bodyTooLarge(limit: bounds.body))
    }

    private func take(_ data: UnsafeBufferPointer<UInt8>) -> Bool {
        bodyCount += data.count
        guard bodyCount <= bounds.body else { return fail(.bodyTooLarge(limit: bounds.body)) }
        unsafe body.append(contentsOf: data)
        return true
    }

    private func streamClosed(_ code: UInt32) {
        guard !isFinished, failure == nil else { return }
        isRefused = code == HTTP2ErrorCode.refusedStream.rawValue && response == nil
        failure = problem.map { .malformed("it is not HTTP/2: \($0)") } ?? cutShort
    }

    private func fail(_ fault: ClientConnectionError) -> Bool {
        failure = fault
        return false
    }

    private static func client(_ pointer: UnsafeMutableRawPointer?) -> HTTP2Client {
        unsafe Unmanaged<HTTP2Client>.fromOpaque(pointer.unsafelyUnwrapped).takeUnretainedValue()
    }

    nonisolated(unsafe) private static let options: OpaquePointer? = {
        var options: OpaquePointer?
        unsafe nghttp2_option_new(&options)
        // The library also counts the pieces of a CONTINUATION frame's head. The client's timeout ends an endless list of such
        // frames.
        unsafe nghttp2_option_set_max_continuations(options, 10_000)
        // Windows open when readers accept bytes.
        unsafe nghttp2_option_set_no_auto_window_update(options, 1)
        return unsafe options
    }()

    private static let stop = NGHTTP2_ERR_CALLBACK_FAILURE.rawValue

    private static let readBody: nghttp2_data_source_read_callback = { _, _, buffer, most, flags, _, data in
        let client = unsafe client(data)
        guard let frame = client.requestBody.nextFrame(upTo: most) else { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
        var bytes: [UInt8] = []
        client.requestBody.take(frame.count, into: &bytes)
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return }
            unsafe buffer?.update(from: first, count: bytes.count)
        }
        if frame.isLast {
            client.isRequestSent = true
            unsafe flags.unsafelyUnwrapped.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
        }
        return frame.count
    }

    nonisolated(unsafe) private static let callbacks: OpaquePointer? = {
        var callbacks: OpaquePointer?
        unsafe nghttp2_session_callbacks_new(&callbacks)
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            let name = unsafe UnsafeBufferPointer(start: $2, count: $3)
            let value = unsafe UnsafeBufferPointer(start: $4, count: $5)
            return unsafe client($7).take(name.span, value.span) ? 0 : stop
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, _, start, count, data in
            unsafe client(data).take(UnsafeBufferPointer(start: start, count: count)) ? 0 : stop
        }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, data in
            let header = unsafe frame.unsafelyUnwrapped.pointee.hd
            let client = unsafe client(data)
            if header.type == HTTP2FrameHeader.headers, !client.listEnded() { return stop }
            let endsStream = header.type <= HTTP2FrameHeader.headers && header.flags & HTTP2FrameHeader.endStream != 0
            if endsStream, client.response != nil { client.isFinished = true }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, _, error, data in
            let client = unsafe client(data)
            if client.problem == nil { client.problem = unsafe String(cString: nghttp2_strerror(error)) }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, _, code, data in
            unsafe client(data).streamClosed(code)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_error_callback2(callbacks) { _, _, text, count, data in
            let bytes = unsafe UnsafeRawBufferPointer(start: text, count: count)
            unsafe client(data).problem = unsafe String(decoding: bytes, as: UTF8.self)
            return 0
        }
        return unsafe callbacks
    }()
}
