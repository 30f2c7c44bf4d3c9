internal import COpenSSL

/// The keys that encrypt session tickets, for all connections of a server (RFC 5077, section 4; RFC 8446, section 4.6.1). They
/// are never stored: after a restart, clients begin with a full handshake.
final class TLSTicketKeys: Sendable {
    private let ring: Locked<TicketKeyRing>

    /// The time for resuming a session, in seconds; at most seven days (RFC 8446, section 4.6.1).
    let sessionLifetime: Int

    /// - Parameter lifetime: the time for using one key for new tickets.
    init(lifetime: Duration) {
        sessionLifetime = min(Int(clamping: lifetime.milliseconds / 1000 * 2), 7 * 24 * 3600)
        ring = Locked(TicketKeyRing(lifetime: lifetime.milliseconds, at: Self.now))
    }

    private static var now: Int64 { LoopClock.nanoseconds / 1_000_000 }

    /// The key for a new ticket.
    func current() -> TicketKey { ring.withLock { $0.current(at: Self.now) } }

    /// The key with a ticket's key name; nil if it was dropped or never existed.
    func key(named name: [UInt8]) -> TicketKey? { ring.withLock { $0.key(named: name, at: Self.now) } }
}

/// A key for session tickets.
struct TicketKey: Equatable {
    static let nameLength = 16
    static let keyLength = 32

    /// Sent in the ticket, in clear text.
    let name: [UInt8]
    /// The key of AES-256.
    let encryption: [UInt8]
    /// The key of HMAC-SHA-256.
    let authentication: [UInt8]
    /// The time of its creation, in milliseconds of a clock that never jumps.
    let made: Int64

    init(at now: Int64) {
        name = Self.random(Self.nameLength)
        encryption = Self.random(Self.keyLength)
        authentication = Self.random(Self.keyLength)
        made = now
    }

    private static func random(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        precondition(unsafe RAND_bytes(&bytes, Int32(count)) == 1, "the system has no random bytes")
        return bytes
    }
}

/// The key for new tickets, and the previous key. A value without a clock.
struct TicketKeyRing {
    private let lifetime: Int64
    private var newest: TicketKey
    private var previous: TicketKey?

    /// - Parameter lifetime: in milliseconds.
    init(lifetime: Int64, at now: Int64) {
        self.lifetime = max(1, lifetime)
        newest = TicketKey(at: now)
    }

    /// The key for a new ticket, replaced when it is too old.
    mutating func current(at now: Int64) -> TicketKey {
        let age = now - newest.made
        if age >= lifetime {
            // After two lifetimes without use, a key doesn't decrypt any valid ticket.
            previous = age < 2 * lifetime ? newest : nil
            newest = TicketKey(at: now)
        }
        return newest
    }

    /// The key with a name, if tickets encrypted with it are still valid.
    func key(named name: [UInt8], at now: Int64) -> TicketKey? {
        [newest, previous].compactMap(\.self).first { $0.name == name && now - $0.made < 2 * lifetime }
    }
}

/// The library's calls for tickets.
enum TLSTicketCallbacks {
    /// Fetched once: otherwise the library would look it up for each ticket.
    nonisolated(unsafe) private static let cipher = unsafe EVP_CIPHER_fetch(nil, "AES-256-CBC", nil)

    /// Encrypts (`isNew` is 1) or decrypts a ticket.
    static func key(
        _ ssl: OpaquePointer?,
        _ name: UnsafeMutablePointer<UInt8>?,
        _ vector: UnsafeMutablePointer<UInt8>?,
        _ cipher: OpaquePointer?,
        _ mac: OpaquePointer?,
        _ isNew: Int32
    ) -> Int32 {
        guard let ssl = unsafe ssl, let name = unsafe name, let vector = unsafe vector,
            let context = unsafe SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), 0),
            let keys = unsafe Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue().tickets
        else { return 0 }
        if isNew == 1 {
            let key = keys.current()
            for (index, byte) in key.name.enumerated() { unsafe name[index] = byte }
            guard unsafe RAND_bytes(vector, EVP_MAX_IV_LENGTH) == 1 else { return -1 }
            guard unsafe EVP_EncryptInit_ex2(cipher, Self.cipher, key.encryption, vector, nil) == 1 else { return -1 }
            return unsafe authenticate(with: key, mac) ? 1 : -1
        }
        let wanted = unsafe Array(UnsafeBufferPointer(start: name, count: TicketKey.nameLength))
        guard let key = keys.key(named: wanted) else { return 0 }
        guard unsafe EVP_DecryptInit_ex2(cipher, Self.cipher, key.encryption, vector, nil) == 1,
            unsafe authenticate(with: key, mac)
        else { return -1 }
        // 2 requests a new ticket: in TLS 1.3, each is for one connection only (RFC 8446, appendix C.4).
        return unsafe SSL_version(ssl) == TLS1_3_VERSION || key.name != keys.current().name ? 2 : 1
    }

    private static func authenticate(with key: TicketKey, _ mac: OpaquePointer?) -> Bool {
        var bytes = key.authentication
        return unsafe backlot_ticket_mac(mac, &bytes, bytes.count) == 1
    }
}
