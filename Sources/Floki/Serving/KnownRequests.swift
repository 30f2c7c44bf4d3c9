import Backlot

/// How the requests for a feed's windows were understood: clients repeat them, and reading their parameters takes longer than to find
/// the answer.
///
/// Only requests that were answered from memory are among them, each in one of a few places that its words lead to.
final class KnownRequests: Sendable {
    final class Known: Sendable {
        fileprivate let target: String
        fileprivate let host: String
        fileprivate let scheme: String
        let key: AnswerCache.Key
        let device: Device

        fileprivate init(target: String, host: String, scheme: String, key: AnswerCache.Key, device: Device) {
            self.target = target
            self.host = host
            self.scheme = scheme
            self.key = key
            self.device = device
        }
    }

    private static let places = 256
    private static let longestTarget = 200

    private let known = Locked([Known?](repeating: nil, count: places))
    /// Whether the answer is the same for each name and scheme of the server.
    private let hasFixedAddress: Bool

    init(_ address: AppAddress) {
        if case .fixed = address { hasFixedAddress = true } else { hasFixedAddress = false }
    }

    /// - Parameter edition: the number of the app's edition.
    func find(_ request: Request, edition: Int) -> Known? {
        let target = request.target
        guard target.utf8.count <= Self.longestTarget else { return nil }
        guard let found = known.withLock({ $0[Self.place(of: target)] }), found.key.edition == edition,
            found.target == target, hasFixedAddress || isSame(found, request)
        else { return nil }
        return found
    }

    private func isSame(_ found: Known, _ request: Request) -> Bool {
        found.scheme == request.scheme && found.host == AppAddress.host(of: request)
    }

    func add(_ request: Request, _ key: AnswerCache.Key, _ device: Device) {
        let target = request.target
        // Without the code of a language, the answer depends on more.
        let code = request.parameters["language"]?.utf8.first
        guard target.utf8.count <= Self.longestTarget, let code, code != UInt8(ascii: "&") else { return }
        let host = hasFixedAddress ? "" : AppAddress.host(of: request) ?? ""
        let added = Known(target: target, host: host, scheme: request.scheme, key: key, device: device)
        known.withLock { $0[Self.place(of: target)] = added }
    }

    private static func place(of target: String) -> Int { Int(UInt(bitPattern: target.hashValue) % UInt(places)) }
}
