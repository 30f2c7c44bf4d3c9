internal import ArgumentParser
internal import Backlot
internal import BacklotHTTP

/// A limit or a timeout of the server: its setting, and the part of the configuration that it changes.
struct LimitSetting: Sendable {
    let setting: any ListedSetting
    /// The text for `--help`: the meaning, the default, the allowed values and the variable.
    let help: ArgumentHelp
    fileprivate let apply: @Sendable (SettingSources, inout ServerConfiguration) throws(SettingError) -> Void

    /// The limits of all servers, in the order of their list.
    static let all = [
        maxBody, bufferedBytes, maxConnections, maxConnectionsPerAddress, maxRequests, headTimeout, bodyTimeout,
        idleTimeout,
        writeTimeout, drainIdle, drainTimeout, proxyProtocol,
    ]

    static let maxBody = bytes(
        "max-body",
        "The largest body of a request, unless its route sets another limit.",
        0,
        \.limits.body
    )
    static let bufferedBytes = bytes(
        "buffered-bytes",
        "The most memory for slow clients: bodies, responses and heads that haven't been sent completely.",
        1024 * 1024,
        \.limits.bufferedBytes
    )
    static let maxConnections = count("max-connections", "The most connections at a time.", \.limits.connections)
    static let maxConnectionsPerAddress = Self(
        number("max-connections-per-address"),
        "The most connections at a time of one address; IPv6 addresses count by their first 64 bits.",
        valueName: "number"
    ) { $0.limits.connectionsPerAddress = $1 }
    static let maxRequests = count("max-requests", "The most requests in flight.", \.limits.requestsInFlight)
    static let headTimeout = seconds("head-timeout", "The time for the head of a request.", \.timeouts.head)
    static let bodyTimeout = seconds("body-timeout", "The time for the next bytes of a body.", \.timeouts.body)
    static let idleTimeout = seconds("idle-timeout", "The time for the next request on a connection.", \.timeouts.idle)
    static let writeTimeout = seconds(
        "write-timeout",
        "The time for a client to accept the next bytes of a response.",
        \.timeouts.write
    )
    static let drainIdle = seconds(
        "drain-idle",
        "The time for one more request on an idle connection when the server stops.",
        \.timeouts.drainIdle
    )
    static let drainTimeout = seconds(
        "drain-timeout",
        "The time for requests in flight when the server has stopped accepting; then connections are cut.",
        \.timeouts.drain
    )
    static let proxyProtocol = Self(
        ServiceSetting.ranges("proxy-protocol"),
        "The load balancers that begin each connection with the client's address (PROXY protocol, version 1 or 2).",
        valueName: "ranges"
    ) { $0.proxyProtocolSources = $1 }

    private init<Value>(
        _ setting: Setting<Value>,
        _ meaning: String,
        valueName: String,
        apply: @escaping @Sendable (inout ServerConfiguration, Value) -> Void
    ) {
        self.setting = setting
        let defaultText = setting.defaultText.map { " (default: \($0))" } ?? ""
        help = ArgumentHelp(
            "\(meaning)\(defaultText)",
            discussion:
                "\(setting.allowed.prefix(1).uppercased())\(setting.allowed.dropFirst()). \(setting.variable) in the environment.",
            valueName: valueName
        )
        self.apply = { sources, configuration throws(SettingError) in
            if let value = try sources.value(setting) { apply(&configuration, value) }
        }
    }

    private static func bytes(
        _ name: String,
        _ meaning: String,
        _ least: Int,
        _ path: any WritableKeyPath<ServerConfiguration, Int> & Sendable
    ) -> Self {
        let setting = Setting(
            name: name,
            defaultText: ByteCount.text(ServerConfiguration()[keyPath: path]),
            allowed: "a number of bytes from \(ByteCount.text(least)) to 1TiB, such as 1500000, 64KiB or 10MiB"
        ) { text in ByteCount.bytes(text).flatMap { (least...(1 << 40)).contains($0) ? $0 : nil } }
        return Self(setting, meaning, valueName: "bytes") { $0[keyPath: path] = $1 }
    }

    private static func number(_ name: String, default value: Int? = nil) -> Setting<Int> {
        Setting(name: name, defaultText: value.map(String.init), allowed: "a number from 1 to 1000000") { text in
            Int(text).flatMap { (1...1_000_000).contains($0) ? $0 : nil }
        }
    }

    private static func count(
        _ name: String,
        _ meaning: String,
        _ path: any WritableKeyPath<ServerConfiguration, Int> & Sendable
    ) -> Self {
        Self(number(name, default: ServerConfiguration()[keyPath: path]), meaning, valueName: "number") {
            $0[keyPath: path] = $1
        }
    }

    private static func seconds(
        _ name: String,
        _ meaning: String,
        _ path: any WritableKeyPath<ServerConfiguration, Duration> & Sendable
    ) -> Self {
        let setting = Setting(
            name: name,
            defaultText: "\(ServerConfiguration()[keyPath: path].components.seconds)",
            allowed: "a number of seconds from 0.1 to 3600"
        ) { text in Double(text).flatMap { (0.1...3600).contains($0) ? Duration.seconds($0) : nil } }
        return Self(setting, meaning, valueName: "seconds") { $0[keyPath: path] = $1 }
    }
}

extension ServerConfiguration {
    /// Creates the default configuration, with the limits from the settings.
    init(_ sources: SettingSources) throws(SettingError) {
        self.init()
        for limit in LimitSetting.all { try limit.apply(sources, &self) }
    }
}

/// Numbers of bytes in the usual notation: `1500000`, `64KiB`, `10MiB`.
enum ByteCount {
    private static let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)]

    /// The number; nil for other texts.
    static func bytes(_ text: String) -> Int? {
        guard let (unit, shift) = units.first(where: { text.hasSuffix($0.0) }) else { return Int(text) }
        let (product, isTooLarge) = (Int(text.dropLast(unit.count)) ?? -1).multipliedReportingOverflow(by: 1 << shift)
        return isTooLarge || product < 0 ? nil : product
    }

    /// The text, with the largest unit that gives a whole number.
    static func text(_ bytes: Int) -> String {
        for (unit, shift) in units where bytes > 0 && bytes % (1 << shift) == 0 { return "\(bytes >> shift)\(unit)" }
        return "\(bytes)"
    }
}

/// The limits that a server sets its clients, and its timeouts.
public struct LimitOptions: SettingOptions {
    /// Creates the options; ArgumentParser then fills them in.
    public init() {}

    @Option(help: LimitSetting.maxBody.help) var maxBody: String?
    @Option(help: LimitSetting.bufferedBytes.help) var bufferedBytes: String?
    @Option(help: LimitSetting.maxConnections.help) var maxConnections: String?
    @Option(help: LimitSetting.maxConnectionsPerAddress.help) var maxConnectionsPerAddress: String?
    @Option(help: LimitSetting.maxRequests.help) var maxRequests: String?
    @Option(help: LimitSetting.headTimeout.help) var headTimeout: String?
    @Option(help: LimitSetting.bodyTimeout.help) var bodyTimeout: String?
    @Option(help: LimitSetting.idleTimeout.help) var idleTimeout: String?
    @Option(help: LimitSetting.writeTimeout.help) var writeTimeout: String?
    @Option(help: LimitSetting.drainIdle.help) var drainIdle: String?
    @Option(help: LimitSetting.drainTimeout.help) var drainTimeout: String?
    @Option(help: LimitSetting.proxyProtocol.help) var proxyProtocol: String?
}
