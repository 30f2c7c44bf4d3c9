public import Backlot
internal import BacklotClients

/// The client versions to check pages for, in the format of `check --clients`.
///
/// | text | versions |
/// |---|---|
/// | `applin-ios@0.31` | this one |
/// | `applin-ios@0.28...` | this one and all later ones |
/// | `applin-ios@0.28...0.34` | these two and those between them |
/// | `applin-ios@...0.30` | all up to this one |
/// | `applin-ios` | every release |
/// | `all` | every release of every client |
///
/// Commas separate several items.
///
/// ```swift
/// let clients = try ClientSelection("applin-ios@0.28...0.34, applin-ios@0.36")
/// ```
public struct ClientSelection: Sendable, Equatable, CustomStringConvertible {
    /// A client with its selected versions.
    public struct Client: Sendable, Equatable {
        /// The name, such as `applin-ios`.
        public let name: String
        /// The client's protocol.
        public let appProtocol: AppProtocol
        /// The versions, oldest first; empty for a client without differences between releases.
        public internal(set) var versions: [ClientVersion]
    }

    /// The clients, each once, in the order of the known clients.
    public private(set) var clients: [Client] = []

    /// Every release of every client.
    public static let all = ClientSelection(known.map { Client(name: $1.name, appProtocol: $0, versions: $1.releases) })
    /// Every known client, with its protocol.
    static let known = AppProtocol.known.flatMap { spoken in spoken.clients.map { (appProtocol: spoken, client: $0) } }

    private init(_ clients: [Client]) { self.clients = clients }

    /// Reads a list such as `applin-ios@0.28...0.30,applin-ios@0.36...`.
    ///
    /// - Throws: `ClientSelectionError` with a suggestion.
    public init(_ text: String) throws(ClientSelectionError) {
        var chosen: [String: Set<ClientVersion>] = [:]
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let item = item.drop { $0 == " " }
            if item == "all" {
                for (_, client) in Self.known { chosen[client.name, default: []].formUnion(client.releases) }
                continue
            }
            let (client, versions) = try Self.read(item)
            chosen[client.name, default: []].formUnion(versions)
        }
        clients = Self.known.compactMap { appProtocol, client in
            chosen[client.name].map { versions in
                let versions = client.releases.filter(versions.contains)
                return Client(name: client.name, appProtocol: appProtocol, versions: versions)
            }
        }
    }

    /// Limits the selection to the clients of a protocol and the versions of a dialect.
    ///
    /// - Throws: `ClientSelectionError` if the result would be empty.
    public func speaking(
        _ appProtocol: AppProtocol,
        _ dialect: String? = nil
    ) throws(ClientSelectionError) -> ClientSelection {
        let speakers = clients.filter { $0.appProtocol == appProtocol }
        guard !speakers.isEmpty else {
            throw ClientSelectionError(
                "\(self) can't be used: the backend speaks \(appProtocol.name), with the clients "
                    + "\(appProtocol.clients.map(\.name).joined(separator: " and "))"
            )
        }
        guard let dialect, let speaks = appProtocol.releases?.dialect else { return ClientSelection(speakers) }
        let remaining = speakers.map { client in
            var client = client
            client.versions.removeAll { speaks($0) != dialect }
            return client
        }
        guard remaining.contains(where: { !$0.versions.isEmpty }) else {
            let all = appProtocol.clients.flatMap(\.releases).filter { speaks($0) == dialect }
            throw ClientSelectionError(
                "\(self) can't read the \(dialect) dialect: its clients are \(all.first.map { "\($0)" } ?? "none") to "
                    + "\(all.last.map { "\($0)" } ?? "none")"
            )
        }
        return ClientSelection(remaining)
    }

    /// The versions of the client with different releases; empty without such a client.
    var versions: [ClientVersion] { clients.first { !$0.versions.isEmpty }?.versions ?? [] }

    /// The version for the complete check of pages in a dialect: the newest selected one; nil for the newest of all.
    func judged(speaking dialect: String) -> ClientVersion? {
        guard let client = clients.first(where: { !$0.versions.isEmpty }),
            let speaks = client.appProtocol.releases?.dialect,
            let newest = client.versions.last(where: { speaks($0) == dialect })
        else { return nil }
        let all = client.appProtocol.clients.flatMap(\.releases)
        return newest == all.last { speaks($0) == dialect } ? nil : newest
    }

    /// The clients with their ranges of versions: `applin-ios 0.28 to 0.30, 0.36`.
    public var description: String {
        clients.map { client in
            let ranges = Self.client(client.name)?.ranges(of: client.versions) ?? []
            return ([client.name] + (ranges.isEmpty ? [] : [ranges.joined(separator: ", ")])).joined(separator: " ")
        }
        .joined(separator: "; ")
    }

    /// The known client with this name.
    static func client(_ name: String) -> KnownClient? { known.first { $0.client.name == name }?.client }
}

/// The reason why a text isn't a selection of clients.
public struct ClientSelectionError: Error, Equatable, CustomStringConvertible {
    /// The mistake, and how to correct it.
    public let description: String

    init(_ description: String) { self.description = description }
}

extension ClientSelection {
    /// Reads the client and the versions in `applin-ios@0.28...`.
    private static func read(_ item: Substring) throws(ClientSelectionError) -> (KnownClient, [ClientVersion]) {
        let parts = item.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let names = known.map(\.client.name)
        guard !name.isEmpty else {
            throw ClientSelectionError(
                item.isEmpty
                    ? "a client's name is missing: write one of \(names.joined(separator: ", ")), or all"
                    : "'\(item.excerpted)' names no client: write applin-ios\(item.excerpted)"
            )
        }
        guard let client = client(name) else {
            throw ClientSelectionError(
                "unknown client '\(name.excerpt)'\(Suggestion.hint(for: name, among: names + ["all"]))"
                    + " (known: \(names.joined(separator: ", ")))"
            )
        }
        guard parts.count > 1 else { return (client, client.releases) }
        guard !client.releases.isEmpty else {
            throw ClientSelectionError("the versions of \(name) aren't distinguished: write \(name) without '@'")
        }
        return (client, try client.versions(in: parts[1]))
    }
}

extension KnownClient {
    /// The releases that match `0.31`, `0.28...`, `0.28...0.34` or `...0.30`.
    fileprivate func versions(in text: Substring) throws(ClientSelectionError) -> [ClientVersion] {
        guard let dots = text.firstRange(of: "...") else { return [try release(text, in: text)] }
        let (lower, upper) = (text[..<dots.lowerBound], text[dots.upperBound...])
        guard !lower.isEmpty || !upper.isEmpty else {
            throw ClientSelectionError("'\(name)@...' has no version: write \(name) for every release")
        }
        let first = lower.isEmpty ? releases[0] : try release(lower, in: text)
        let last = upper.isEmpty ? releases[releases.count - 1] : try release(upper, in: text)
        guard first <= last else {
            throw ClientSelectionError(
                "the range '\(name)@\(text.excerpted)' is empty: write \(name)@\(last)...\(first)"
            )
        }
        return releases.filter { (first...last).contains($0) }
    }

    private func release(_ text: Substring, in range: Substring) throws(ClientSelectionError) -> ClientVersion {
        guard let version = ClientVersion(String(text)) else {
            let isHalfOpen = range.contains("..<") || range.contains("..")
            throw ClientSelectionError(
                "'\(text.excerpted)' isn't a version of \(name): write a version, such as \(name)@0.34, or a range, such as "
                    + "\(name)@0.28...\(isHalfOpen ? " with three points" : "")"
            )
        }
        guard releases.contains(version) else {
            let near = [releases.last { $0 < version }, releases.first { $0 > version }].compactMap(\.self)
            let advice =
                near.count == 2
                ? "there are \(near[0].releaseName) and \(near[1].releaseName)"
                : version > near[0] ? "the newest is \(near[0])" : "the oldest is \(near[0].releaseName)"
            throw ClientSelectionError("\(name) has no release \(text.excerpted): \(advice)")
        }
        return version
    }

    /// Neighbouring releases as ranges: `0.28 to 0.30`.
    func ranges(of versions: [ClientVersion]) -> [String] {
        var ranges: [(first: ClientVersion, last: ClientVersion, end: Int)] = []
        for version in versions {
            guard let index = releases.firstIndex(of: version) else { continue }
            if let last = ranges.last, last.end == index - 1 {
                ranges[ranges.count - 1].last = version
                ranges[ranges.count - 1].end = index
            } else {
                ranges.append((version, version, index))
            }
        }
        return ranges.map { range in
            range.first == range.last
                ? range.first.releaseName : "\(range.first.releaseName) to \(range.last.releaseName)"
        }
    }
}

extension ClientVersion {
    /// The name of a release: 0.0.3, 0.34, 0.32.1.
    var releaseName: String { "\(self)" == "0.0" ? "0.0.0" : "\(self)" }
}

extension Substring {
    /// The text shortened to one line of a terminal.
    fileprivate var excerpted: String { String(self).excerpt }
}
