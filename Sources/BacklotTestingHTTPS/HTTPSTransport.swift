internal import AsyncHTTPClient
public import BacklotClients
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Speaks HTTP over TLS, for `https://`; for `http://` too. It wraps async-http-client, which reuses connections and speaks
/// HTTP/2 where the server offers it.
///
/// ```swift
/// let app = try ApplinClient(url: "https://example.com/travel/", transport: HTTPSTransport())
/// ```
/// A body that is to wait for `100 Continue` is announced with `Expect` and held back for a second, so that the server can
/// refuse it unseen: async-http-client doesn't say when the server asks for it.
public final class HTTPSTransport: ClientTransport {
    /// The certificates that are trusted.
    public enum Trust: Sendable, Equatable {
        /// Those that the system trusts.
        case system
        /// Those in a text in PEM form, and those that they have signed: for a server with a self-signed certificate.
        case certificates(pem: String)
        /// All, also those of other hosts: for a look at a server on this machine.
        case anyone
    }

    private let client: HTTPClient

    /// A transport. Its connections close when the last reference to it goes.
    ///
    /// - Throws: `ClientFailure.notSecured` where the certificates can't be read.
    public init(trusting trust: Trust = .system) throws(ClientFailure) {
        var configuration = HTTPClient.Configuration(tlsConfiguration: try Self.configuration(trust))
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        // A server that is away is reported at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        client.shutdown { _ in }
    }

    private static func configuration(_ trust: Trust) throws(ClientFailure) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        switch trust {
        case .system: break
        case .anyone: configuration.certificateVerification = .none
        case .certificates(let pem):
            do {
                configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)))
            } catch {
                throw .notSecured("the certificates to trust can't be read: \(error)")
            }
        }
        return configuration
    }

    /// Sends the request and returns the answer.
    public func response(
        to request: ClientRequest,
        limits: ClientLimits
    ) async throws(ClientFailure) -> ClientResponse {
        let stopwatch = ContinuousClock().now
        var received: Int?
        do {
            let deadline = NIODeadline.now() + .nanoseconds(limits.total.nanoseconds)
            let response = try await client.execute(Self.outgoing(request), deadline: deadline)
            let firstByte = stopwatch.duration(to: .now)
            let headers = Self.fields(response.headers)
            guard headers.byteCount <= limits.head else { throw ClientFailure.headTooLarge(limit: limits.head) }
            var body: [UInt8] = []
            received = 0
            for try await piece in response.body {
                body.append(contentsOf: piece.readableBytesView)
                received = body.count
                guard body.count <= limits.body else { throw ClientFailure.bodyTooLarge(limit: limits.body) }
            }
            return ClientResponse(
                status: HTTPResponse.Status(
                    code: Int(response.status.code),
                    reasonPhrase: response.status.reasonPhrase
                ),
                headers: headers,
                body: body,
                firstByte: firstByte,
                total: stopwatch.duration(to: .now)
            )
        } catch {
            throw Self.failure(error, limits, received)
        }
    }

    private static func outgoing(_ request: ClientRequest) -> HTTPClientRequest {
        var outgoing = HTTPClientRequest(url: "\(request.url)")
        outgoing.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headers { outgoing.headers.add(name: field.name.rawName, value: field.value) }
        if request.waitsForContinue { outgoing.headers.add(name: "Expect", value: "100-continue") }
        if request.waitsForContinue, !request.body.isEmpty {
            let body = HeldBody(request.body, for: .seconds(1))
            outgoing.body = .stream(body, length: .known(Int64(request.body.count)))
        } else if !request.body.isEmpty || request.method == .post || request.method == .put {
            outgoing.body = .bytes(request.body)
        }
        return outgoing
    }

    private static func fields(_ headers: HTTPHeaders) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in headers {
            // Malformed names have been refused before.
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }

    // MARK: Failures

    /// The system's codes for a connection that broke.
    private static let cutOff: Set<Int32> = [ECONNRESET, EPIPE]

    /// - Parameter received: how many bytes of the body had come; nil where not even the head was there.
    private static func failure(_ error: any Error, _ limits: ClientLimits, _ received: Int?) -> ClientFailure {
        switch error {
        case let failure as ClientFailure: failure
        case let error as HTTPClientError: failure(error, limits, received)
        case is CancellationError: .cancelled
        case let error as NIOConnectionError:
            .notConnected(error.connectionErrors.first.map { "\($0.error)" } ?? "\(error.host):\(error.port)")
        case NIOSSLError.uncleanShutdown, HTTPParserError.invalidEOFState: .cutShort(bodyBytes: received)
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: .notSecured(handshakeProblem("\(error)"))
        case let error as HTTPParserError: .malformed("\(error)")
        case let error as IOError where received == nil && !cutOff.contains(error.errnoCode): .notConnected("\(error)")
        case is IOError: .cutShort(bodyBytes: received)
        default: .notConnected("\(error)")
        }
    }

    /// BoringSSL's words for a failed handshake, in plain English.
    private static func handshakeProblem(_ text: String) -> String {
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            "the server's certificate has expired, or no trusted authority has signed it"
        } else if text.contains("failedToValidateHostname") {
            "the server's certificate is for another host"
        } else if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
            "the server there doesn't speak TLS; its URL may begin with http://"
        } else {
            text
        }
    }

    private static func failure(_ error: HTTPClientError, _ limits: ClientLimits, _ received: Int?) -> ClientFailure {
        switch error {
        case .cancelled: .cancelled
        case .remoteConnectionClosed, .uncleanShutdown, .requestStreamCancelled: .cutShort(bodyBytes: received)
        case .deadlineExceeded, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout:
            .timedOut("the answer was not whole after \(limits.total)")
        case .connectTimeout: .timedOut("there was no connection after \(limits.total)")
        case .tlsHandshakeTimeout: .notSecured("the server didn't answer the handshake in time")
        default: .malformed("\(error)")
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

extension HTTPFields {
    fileprivate var byteCount: Int { reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 } }
}

/// A request's body that is held back for a while. When the answer comes before it, the body isn't sent.
///
/// A client may send the body without having seen `100 Continue` (RFC 9110, section 10.1.1).
struct HeldBody: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        fileprivate var body: ByteBuffer?
        fileprivate let delay: Duration

        /// The body, after the delay; then the end.
        mutating func next() async throws -> ByteBuffer? {
            guard let body else { return nil }
            try await Task.sleep(for: delay)
            self.body = nil
            return body
        }
    }

    private let body: ByteBuffer
    private let delay: Duration

    init(_ body: [UInt8], for delay: Duration) {
        self.body = ByteBuffer(bytes: body)
        self.delay = delay
    }

    func makeAsyncIterator() -> Iterator { Iterator(body: body, delay: delay) }
}
