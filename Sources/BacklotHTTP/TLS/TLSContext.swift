internal import COpenSSL

/// The settings that many TLS connections share: certificates, trust, and the rules (versions, ciphers, protocols).
///
/// A session keeps its context, so a server can change the context for new connections at any time.
@safe final class TLSContext: @unchecked Sendable {
    let context: OpaquePointer
    /// The keys of session tickets, on a server that issues them.
    let tickets: TLSTicketKeys?
    /// The protocols over TLS in the format of ALPN: each after its length, the preferred one first.
    fileprivate let protocols: UnsafeMutableBufferPointer<UInt8>
    /// Contexts with other certificates. The certificate decides which hosts its context serves.
    fileprivate private(set) var others: [(identity: TLSIdentity, context: TLSContext)] = []

    private init(isServer: Bool, protocols: [String], tickets: TLSTicketKeys? = nil) {
        TLSLibrary.begin()
        let method = unsafe isServer ? TLS_server_method() : TLS_client_method()
        guard let context = unsafe SSL_CTX_new(method) else { fatalError("there is no memory for TLS") }
        unsafe self.context = unsafe context
        self.tickets = tickets
        let names = protocols.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8) }
        unsafe self.protocols = .allocate(capacity: names.count)
        _ = unsafe self.protocols.initialize(from: names)
        unsafe backlot_ssl_options(context, isServer ? 1 : 0)
        unsafe backlot_ssl_modes(context)
        unsafe backlot_ssl_no_session_cache(context)
        // RFC 9113, section 9.2.2, allows these of TLS 1.2. For TLS 1.3, only the library's own list exists.
        let isComplete =
            unsafe backlot_ssl_versions(context, TLS1_2_VERSION, TLS1_3_VERSION) == 1
            && SSL_CTX_set_cipher_list(context, Self.ciphers) == 1
            && backlot_ssl_groups(context, Self.groups) == 1
            && backlot_ssl_signatures(context, Self.signatures) == 1
        precondition(isComplete, "the TLS library lacks what TLS 1.2 and 1.3 need: \(TLSErrors.takeText())")
    }

    deinit {
        unsafe SSL_CTX_free(context)
        unsafe protocols.deallocate()
    }

    private static let ciphers = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ].joined(separator: ":")
    private static let groups = "X25519:P-256:P-384"
    private static let signatures = [
        "ECDSA+SHA256", "ed25519", "RSA-PSS+SHA256", "RSA+SHA256", "ECDSA+SHA384", "RSA-PSS+SHA384", "RSA+SHA384",
        "ECDSA+SHA512", "RSA-PSS+SHA512", "RSA+SHA512",
    ].joined(separator: ":")

    // MARK: Servers

    /// Creates a server's context.
    ///
    /// - Parameters:
    ///   - identities: the certificates. The first is for unknown hosts.
    ///   - protocols: the protocols over TLS, the preferred one first (RFC 7301). The server refuses a client that offers only
    ///     others.
    ///   - clients: the certificates requested from clients.
    ///   - tickets: the keys of session tickets; nil disables tickets.
    ///   - file: the file of the certificates, for the text of an error.
    /// - Throws: `TLSError` when the library's rules forbid a certificate.
    static func server(
        _ identities: [TLSIdentity],
        protocols: [String],
        clients: TLSConfiguration.ClientCertificates,
        tickets: TLSTicketKeys?,
        file: String? = nil
    ) throws(TLSError) -> TLSContext {
        var groups: [[TLSIdentity]] = []
        for identity in identities {
            // An RSA key and an ECDSA key for the same names form one group: the client's abilities decide.
            if let index = groups.firstIndex(where: { $0.first?.names == identity.names }) {
                groups[index].append(identity)
            } else {
                groups.append([identity])
            }
        }
        var contexts: [TLSContext] = []
        for group in groups {
            let context = TLSContext(isServer: true, protocols: protocols, tickets: tickets)
            for identity in group { try context.use(identity, file: file) }
            context.prepareServer(clients)
            contexts.append(context)
        }
        let first = contexts[0]
        if contexts.count > 1 { first.choose(among: zip(groups, contexts).map { ($0[0], $1) }) }
        return first
    }

    private func use(_ identity: TLSIdentity, file: String?) throws(TLSError) {
        let isUsed =
            unsafe SSL_CTX_use_certificate(context, identity.certificate) == 1
            && identity.chain.allSatisfy { unsafe backlot_ssl_add_chain(context, $0) == 1 }
            && SSL_CTX_use_PrivateKey(context, identity.key) == 1
        guard !isUsed else { return }
        throw TLSError(
            file: file,
            "is not secure enough (\(TLSErrors.takeText()))",
            fix: "make a new key, ECDSA P-256 or RSA with 2048 bits or more, and a certificate signed with SHA-256"
        )
    }

    private func prepareServer(_ clients: TLSConfiguration.ClientCertificates) {
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe SSL_CTX_set_ex_data(context, 0, me)
        unsafe SSL_CTX_set_info_callback(context) { unsafe TLSCallbacks.info($0, $1, $2) }
        if unsafe !protocols.isEmpty {
            unsafe SSL_CTX_set_alpn_select_cb(
                context,
                { unsafe TLSCallbacks.selectProtocol($1, $2, $3, $4, $5) },
                me
            )
        }
        // Sessions are for this program only. Without this name, OpenSSL refuses to resume sessions of clients with certificates.
        let name = Array("backlot".utf8)
        unsafe SSL_CTX_set_session_id_context(context, name, UInt32(name.count))
        if let tickets {
            unsafe SSL_CTX_set_timeout(context, max(1, tickets.sessionLifetime))
            unsafe backlot_ssl_ticket_keys(context) { unsafe TLSTicketCallbacks.key($0, $1, $2, $3, $4, $5) }
            unsafe SSL_CTX_set_num_tickets(context, 1)
        } else {
            unsafe backlot_ssl_no_tickets(context)
            unsafe SSL_CTX_set_num_tickets(context, 0)
        }
        switch clients {
        case .off: break
        case .optional(let trust): ask(SSL_VERIFY_PEER, trust.store)
        case .required(let trust): ask(SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, trust.store)
        }
    }

    private func ask(_ mode: Int32, _ trust: TLSTrustStore) {
        unsafe SSL_CTX_set_verify(context, mode, nil)
        unsafe backlot_ssl_verify_store(context, trust.store)
        // Browsers offer their users only certificates of these authorities.
        unsafe trust.certificates.forEach { unsafe SSL_CTX_add_client_CA(context, $0) }
    }

    private func choose(among contexts: [(identity: TLSIdentity, context: TLSContext)]) {
        // The first is this context: a reference to itself would keep it forever.
        others = Array(contexts.dropFirst())
        own = contexts[0].identity
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe backlot_ssl_server_name(context, { unsafe TLSCallbacks.chooseHost($0, $2) }, me)
    }

    private var own: TLSIdentity?

    /// The context for a host: first one with its exact name, then one with a wildcard, then the default.
    fileprivate func context(for host: String) -> TLSContext {
        for wildcards in [false, true] {
            if let own, own.matches(host, wildcards: wildcards) { return self }
            if let other = others.first(where: { $0.identity.matches(host, wildcards: wildcards) }) {
                return other.context
            }
        }
        return self
    }

    // MARK: Clients

    /// Creates a client's context. Servers must have a certificate of an authority in `trust` for the requested host.
    ///
    /// - Parameters:
    ///   - trust: the authorities; nil to accept every certificate.
    ///   - protocols: the offered protocols (RFC 7301), the preferred one first; empty to offer nothing.
    ///   - identity: the certificate for servers that request one.
    /// - Throws: `TLSError` when the library's rules forbid the certificate.
    static func client(
        trust: TLSTrust?,
        protocols: [String],
        identity: TLSIdentity? = nil
    ) throws(TLSError) -> TLSContext {
        let client = TLSContext(isServer: false, protocols: protocols)
        if let trust {
            unsafe SSL_CTX_set_verify(client.context, SSL_VERIFY_PEER, nil)
            unsafe SSL_CTX_set1_cert_store(client.context, trust.store.store)
        }
        if unsafe !client.protocols.isEmpty {
            unsafe SSL_CTX_set_alpn_protos(client.context, client.protocols.baseAddress, UInt32(client.protocols.count))
        }
        if let identity { try client.use(identity, file: nil) }
        return client
    }
}

/// The library's calls during handshakes.
private enum TLSCallbacks {
    static func selectProtocol(
        _ selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
        _ length: UnsafeMutablePointer<UInt8>?,
        _ offered: UnsafePointer<UInt8>?,
        _ count: UInt32,
        _ argument: UnsafeMutableRawPointer?
    ) -> Int32 {
        guard let argument = unsafe argument else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        let own = unsafe Unmanaged<TLSContext>.fromOpaque(argument).takeUnretainedValue().protocols
        var name: UnsafeMutablePointer<UInt8>?
        let result = unsafe SSL_select_next_proto(&name, length, own.baseAddress, UInt32(own.count), offered, count)
        guard result == OPENSSL_NPN_NEGOTIATED else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        unsafe selected?.pointee = unsafe UnsafePointer(name)
        return SSL_TLSEXT_ERR_OK
    }

    static func chooseHost(
        _ ssl: OpaquePointer?,
        _ argument: UnsafeMutableRawPointer?
    ) -> Int32 {
        guard let name = unsafe SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name), let argument = unsafe argument
        else {
            return SSL_TLSEXT_ERR_NOACK
        }
        let first = unsafe Unmanaged<TLSContext>.fromOpaque(argument).takeUnretainedValue()
        let chosen = first.context(for: unsafe String(cString: name))
        if chosen !== first { unsafe SSL_set_SSL_CTX(ssl, chosen.context) }
        return SSL_TLSEXT_ERR_OK
    }

    /// Ends a connection if its client tries to renegotiate, or keeps changing its keys. The library only sends a warning for the
    /// first, and carries out the second as often as the client likes.
    static func info(_ ssl: OpaquePointer?, _ event: Int32, _ value: Int32) {
        let refusal = SSL3_AL_WARNING << 8 | SSL_AD_NO_RENEGOTIATION
        if event == SSL_CB_WRITE_ALERT, value == refusal {
            unsafe TLSMisuse.negotiatesAgain.note(on: ssl)
        } else if event == SSL_CB_ACCEPT_LOOP, unsafe SSL_get_state(ssl) == TLS_ST_SR_KEY_UPDATE {
            unsafe TLSMisuse.countKeyChange(on: ssl)
        }
    }
}

/// A reason to end a connection that the library would continue. It is stored in the library's object for the connection.
enum TLSMisuse: UInt {
    case negotiatesAgain = 0x1_0000
    case changesKeysTooOften

    /// The number of times that a client may change its keys: each key should suffice for more than a hundred gigabytes (RFC
    /// 8446, section 5.5).
    static let mostKeyChanges: UInt = 64

    /// The reason why a connection was ended; nil without one.
    init?(on ssl: OpaquePointer?) {
        self.init(rawValue: UInt(bitPattern: unsafe SSL_get_ex_data(ssl, 0)))
    }

    /// Stops the library from reading on.
    func note(on ssl: OpaquePointer?) {
        unsafe SSL_set_shutdown(ssl, SSL_RECEIVED_SHUTDOWN)
        unsafe SSL_set_ex_data(ssl, 0, UnsafeMutableRawPointer(bitPattern: rawValue))
    }

    static func countKeyChange(on ssl: OpaquePointer?) {
        let count = UInt(bitPattern: unsafe SSL_get_ex_data(ssl, 0)) + 1
        guard count <= mostKeyChanges else { return unsafe changesKeysTooOften.note(on: ssl) }
        unsafe SSL_set_ex_data(ssl, 0, UnsafeMutableRawPointer(bitPattern: count))
    }

    var failure: TLSConnectionError {
        switch self {
        case .negotiatesAgain: TLSConnectionError("the other side tried to negotiate again")
        case .changesKeysTooOften:
            TLSConnectionError("the other side changed its keys more than \(Self.mostKeyChanges) times")
        }
    }
}
