/// The clients that understand a kind or a key.
@usableFromInline package struct Support: Sendable {
    /// Every client.
    @usableFromInline package static let all = Support()

    /// The first version that supports it; nil: every version up to `until`.
    package let since: ClientVersion?
    /// The last version that supports it; nil: every version from `since` on.
    package let until: ClientVersion?
    /// The systems of the clients that support it; all if empty.
    package let platforms: [String]
    /// The dialects that have the part; all dialects if empty.
    package let dialects: [String]

    package init(
        since: ClientVersion? = nil,
        until: ClientVersion? = nil,
        platforms: [String] = [],
        dialects: [String] = []
    ) {
        self.since = since
        self.until = until
        self.platforms = platforms
        self.dialects = dialects
    }

    package static func since(_ version: ClientVersion) -> Support { Support(since: version) }
    package static func until(_ version: ClientVersion) -> Support { Support(until: version) }
    package static func on(_ platforms: String...) -> Support { Support(platforms: platforms) }
    package static func dialects(_ dialects: String...) -> Support { Support(dialects: dialects) }

    /// Whether every client of an audience supports the part.
    package func covers(_ audience: Audience) -> Bool {
        if let since, audience.versions.lowerBound < since { return false }
        if let until, audience.versions.upperBound > until { return false }
        return hasPlace(audience)
    }

    /// Whether some clients of an audience support the part.
    package func overlaps(_ audience: Audience) -> Bool {
        if let since, audience.versions.upperBound < since { return false }
        if let until, audience.versions.lowerBound > until { return false }
        return hasPlace(audience)
    }

    /// Whether the part exists on the platform and in the dialect of an audience.
    private func hasPlace(_ audience: Audience) -> Bool {
        (platforms.isEmpty || platforms.contains(audience.platform))
            && (dialects.isEmpty || dialects.contains(audience.dialect))
    }

    /// The versions that don't support it, for findings: `clients before 0.38`.
    var outsiders: String? {
        switch (since, until) {
        case (let since?, nil): "clients before \(since)"
        case (nil, let until?): "clients after \(until)"
        case (let since?, let until?): "clients before \(since) and after \(until)"
        case (nil, nil): nil
        }
    }
}

/// The clients that must support a document.
package struct Audience: Sendable {
    /// The dialect's name in the protocol.
    package let dialect: String
    /// The system, such as `ios`; empty for a protocol without that difference.
    package let platform: String
    package let versions: ClosedRange<ClientVersion>
    /// The clients, in sentences: `clients up to 0.30 (the documented dialect)`.
    package let noun: String
    /// The way for an app to reach these clients, as the end of a sentence: `serve the app in the objects dialect`.
    package let advice: String

    package init(
        dialect: String,
        platform: String = "",
        versions: ClosedRange<ClientVersion> = "0"..."0",
        noun: String,
        advice: String
    ) {
        self.dialect = dialect
        self.platform = platform
        self.versions = versions
        self.noun = noun
        self.advice = advice
    }

    /// The clients of some versions in this audience.
    ///
    /// - Parameter noun: the clients' name in findings; with nil, findings name the versions.
    package func narrowed(to versions: ClosedRange<ClientVersion>, noun: String? = nil) -> Audience {
        let range =
            versions.lowerBound == versions.upperBound
            ? "\(versions.lowerBound)" : "\(versions.lowerBound) to \(versions.upperBound)"
        return Audience(
            dialect: dialect,
            platform: platform,
            versions: versions,
            noun: noun ?? "clients of version \(range)",
            advice: advice
        )
    }
}
