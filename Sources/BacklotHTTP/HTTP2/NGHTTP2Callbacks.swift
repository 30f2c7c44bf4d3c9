internal import CNGHTTP2

/// Turns the library's callbacks into calls of an `HTTP2Connection` and its streams.
enum NGHTTP2Callbacks {
    nonisolated(unsafe) static let shared: OpaquePointer? = {
        var callbacks: OpaquePointer?
        unsafe nghttp2_session_callbacks_new(&callbacks)
        unsafe setReading(callbacks)
        unsafe setWriting(callbacks)
        return unsafe callbacks
    }()

    // MARK: Reading

    private static func setReading(_ callbacks: OpaquePointer?) {
        unsafe nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, data in
            let header = unsafe header.unsafelyUnwrapped.pointee
            let isFine = unsafe connection(data).frameBegan(HTTP2FrameHeader(header))
            return isFine ? 0 : stop
        }
        unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, data in
            let frame = unsafe frame.unsafelyUnwrapped
            let header = unsafe frame.pointee.hd
            let isRequest = unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
            unsafe connection(data).headersBegan(HTTP2FrameHeader(header), header.stream_id, isRequest: isRequest)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _,
            _,
            name,
            nameCount,
            value,
            valueCount,
            _,
            data in
            let isFine = unsafe connection(data).headerCame(bytes(name, nameCount).span, bytes(value, valueCount).span)
            return isFine ? 0 : stop
        }
        // Names and values that RFC 9113, section 8.2.1, forbids: the stream is reset.
        unsafe nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks) { _, _, _, _, _, _, _, _ in
            NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            _,
            _,
            id,
            start,
            count,
            data in
            unsafe connection(data).dataCame(id, bytes(start, count).span)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, data in
            let header = unsafe frame.unsafelyUnwrapped.pointee.hd
            let isFine = unsafe connection(data).frameCame(HTTP2FrameHeader(header), header.stream_id)
            return isFine ? 0 : stop
        }
        unsafe nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, frame, _, data in
            let header = unsafe frame.unsafelyUnwrapped.pointee.hd
            unsafe connection(data).frameRefused(HTTP2FrameHeader(header), header.stream_id)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, code, data in
            unsafe connection(data).streamClosed(id, HTTP2ErrorCode(rawValue: code))
            return 0
        }
    }

    // MARK: Writing

    private static func setWriting(_ callbacks: OpaquePointer?) {
        unsafe nghttp2_session_callbacks_set_send_data_callback(callbacks) { _, _, header, count, source, data in
            let connection = unsafe connection(data)
            guard let output = unsafe connection.session.output else { return stop }
            guard unsafe output.pointee.count < connection.session.outputLimit else {
                return NGHTTP2_ERR_WOULDBLOCK.rawValue
            }
            let start = unsafe output.pointee.count
            unsafe output.pointee.append(contentsOf: bytes(header, 9))
            guard unsafe stream(source).take(count, into: &output.pointee) else {
                unsafe output.pointee.removeLast(output.pointee.count - start)
                return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, data in
            let frame = unsafe frame.unsafelyUnwrapped
            let header = unsafe frame.pointee.hd
            if header.type == HTTP2FrameHeader.resetStream {
                let code = unsafe HTTP2ErrorCode(rawValue: frame.pointee.rst_stream.error_code)
                return unsafe connection(data).resetSent(code, header.stream_id) ? 0 : stop
            }
            if header.flags & HTTP2FrameHeader.endStream != 0, header.type <= HTTP2FrameHeader.headers {
                unsafe connection(data).answerSent(header.stream_id)
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, error, data in
            let header = unsafe frame.unsafelyUnwrapped.pointee.hd
            if header.type == HTTP2FrameHeader.headers {
                let isTooLarge = error == NGHTTP2_ERR_FRAME_SIZE_ERROR.rawValue
                unsafe connection(data).answerNotSent(header.stream_id, isTooLarge: isTooLarge)
            }
            return 0
        }
    }

    /// Asks a stream how much of its body goes into the next DATA frame. The bytes themselves are written by the
    /// callback for sending, without a copy between.
    static let readBody: nghttp2_data_source_read_callback = { _, _, _, most, flags, source, _ in
        guard let frame = unsafe stream(source).nextFrame(upTo: most) else {
            return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        }
        if frame.count > 0 { unsafe flags.unsafelyUnwrapped.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue }
        if frame.isLast { unsafe flags.unsafelyUnwrapped.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return frame.count
    }
}

extension HTTP2FrameHeader {
    fileprivate init(_ header: nghttp2_frame_hd) {
        self.init(type: header.type, flags: header.flags, length: Int(header.length))
    }
}

// The result of a callback after which nothing more may be read or written.
private let stop = NGHTTP2_ERR_CALLBACK_FAILURE.rawValue

@inline(__always)
private func connection(_ pointer: UnsafeMutableRawPointer?) -> HTTP2Connection {
    unsafe Unmanaged<HTTP2Connection>.fromOpaque(pointer.unsafelyUnwrapped).takeUnretainedValue()
}

@inline(__always)
private func stream(_ source: UnsafeMutablePointer<nghttp2_data_source>?) -> HTTP2Stream {
    unsafe Unmanaged<HTTP2Stream>.fromOpaque(source.unsafelyUnwrapped.pointee.ptr).takeUnretainedValue()
}

@inline(__always)
private func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: start, count: count)
}
