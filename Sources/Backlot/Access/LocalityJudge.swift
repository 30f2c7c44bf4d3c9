internal import BacklotHTTP

/// Judges whether a request is from a program of this machine: by what it says, and by what earlier requests said of proxies.
///
/// A value without I/O, which is told the time. A reverse proxy on this machine connects from a loopback address too, and may
/// send a `Host` of this machine, so that only what else it sends gives it away.
struct LocalityJudge {
    /// For how long nobody counts as local after a request that came through a proxy.
    static let closure = Duration.seconds(600)

    private var closedUntil: ContinuousClock.Instant?

    /// Notes that a request came through a proxy: until the closure ends, the next ones may come through it without a sign.
    ///
    /// - Returns: whether this is news: nothing was closed before.
    mutating func noteProxy(at now: ContinuousClock.Instant) -> Bool {
        defer { closedUntil = now + Self.closure }
        return !isClosed(at: now)
    }

    /// Whether a request counts as local.
    func admits(_ request: Request, at now: ContinuousClock.Instant) -> Bool {
        !isClosed(at: now) && Self.looksLocal(request)
    }

    private func isClosed(at now: ContinuousClock.Instant) -> Bool { closedUntil.map { now < $0 } ?? false }

    private static func looksLocal(_ request: Request) -> Bool {
        // nginx, unless told otherwise, asks over HTTP/1.0 for the Host of its proxy_pass and says nothing of its client.
        guard !request.isHTTP10, request.proxyField == nil else { return false }
        // A URL as the target is what a proxy gets.
        guard request.target.hasPrefix("/") else { return false }
        var hosts: [String] = []
        var origins: [String] = []
        for (name, value) in request.headers {
            switch name.lowercased() {
            case "host": hosts.append(value)
            case "origin": origins.append(value)
            // Fetch Metadata, section 2.3: `cross-site` and `same-site` are pages of other origins.
            case "sec-fetch-site": guard value == "same-origin" || value == "none" else { return false }
            default: break
            }
        }
        guard hosts.count == 1, isLocalName(hosts[0]) else { return false }
        return origins.allSatisfy { $0 == "http://\(hosts[0])" }
    }

    /// Whether a Host is one of this machine's names, with or without a port.
    private static func isLocalName(_ host: String) -> Bool {
        let host = host.lowercased()
        for name in ["localhost", "127.0.0.1", "[::1]"] where host.hasPrefix(name) {
            let port = host.dropFirst(name.count)
            if port.isEmpty { return true }
            return port.first == ":" && port.utf8.count <= 6
                && port.utf8.dropFirst().allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        }
        return false
    }
}
