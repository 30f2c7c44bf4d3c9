import Backlot
import BacklotClients
import BacklotService
import Floki

/// The settings of demo-server, besides those that every server has.
struct DemoSettings {
    static let publicFolder = Setting(
        name: "public",
        defaultText: "Public",
        allowed: "the path of a folder",
        read: ServiceSetting.path
    )
    static let routes = Setting(name: "routes", allowed: "the path of a folder", read: ServiceSetting.path)
    static let flokiRecord = Setting(name: "floki-record", allowed: "the path of a file", read: ServiceSetting.path)

    static let feeds = Setting(
        name: "feeds",
        allowed: DemoServer.feedStores.forms(),
        shown: FeedStoreKind.hidingPassword
    ) { try? DemoServer.feedStores.choice($0) }
    static let wire = Setting(name: "wire", defaultText: "on", allowed: "on or off") { text in
        ["on": true, "off": false][text]
    }
    static let deskPassword = Setting(
        name: "desk-password",
        allowed: "8 or more characters",
        isSecret: true
    ) { text in text.count >= 8 ? text : nil }
    static let deskToken = Setting(
        name: "desk-token",
        allowed: "16 or more ASCII letters, digits and -._~+/, such as 'openssl rand -hex 16' makes",
        isSecret: true
    ) { text in text.wholeMatch(of: /[A-Za-z0-9._~+\/-]{16,}/) != nil ? text : nil }
    static let breakingHook = Setting(
        name: "breaking-hook",
        allowed: "the URL of a program that takes POST, such as http://127.0.0.1:9000/breaking",
        // Paths and queries of such URLs often have a token.
        shown: { text in (try? HTTPURL(text)).map { "\($0.scheme.rawValue)://\($0.authority)/…" } ?? "(hidden)" },
        read: { try? HTTPURL($0) }
    )

    /// All settings, in the order of the list.
    static let all: [any ListedSetting] = [
        publicFolder, routes, feeds, flokiRecord, wire, deskPassword, deskToken, breakingHook,
    ]

    /// The folder of public files; nil without a setting if the usual folder doesn't exist.
    let publicFolder: String?
    /// Whether the folder comes from a setting.
    let isPublicFolderNamed: Bool
    /// nil for the usual folder, if it exists.
    let routes: String?
    /// The store for the stories and pictures of the Floki app.
    let feeds: FeedStoreChoice
    /// The file that keeps the version of the Floki app; nil for the store of its feeds.
    let flokiRecord: String?
    /// Whether reports from the wire are published.
    let wire: Bool
    /// The password of the newspaper's editors.
    let deskPassword: String?
    /// The token of scripts that publish.
    let deskToken: String?
    /// The URL that gets breaking news.
    let breakingHook: HTTPURL?

    /// - Throws: `SettingError` for the first wrong setting.
    init(_ sources: SettingSources) throws(SettingError) {
        (publicFolder, isPublicFolderNamed) = try Self.publicFiles(sources)
        routes = try Self.routesFolder(sources)
        feeds = try Self.feeds(sources)
        flokiRecord = try sources.value(Self.flokiRecord)
        do {
            if let flokiRecord { try Arguments.checkFile(sources.origin(of: Self.flokiRecord), flokiRecord) }
        } catch {
            throw SettingError("\(error)")
        }
        wire = try sources.required(Self.wire)
        deskPassword = try sources.value(Self.deskPassword)
        deskToken = try sources.value(Self.deskToken)
        breakingHook = try sources.value(Self.breakingHook)
    }

    /// The folder of public files, and whether it comes from a setting; nil without a setting if the usual folder doesn't exist.
    ///
    /// - Throws: `SettingError` for an empty path, and for a folder of a setting that doesn't exist.
    static func publicFiles(_ sources: SettingSources) throws(SettingError) -> (folder: String?, isNamed: Bool) {
        let folder = try sources.required(publicFolder)
        let isNamed = sources.text(publicFolder)?.isDefault == false
        if FolderLookup.exists(folder) { return (folder, isNamed) }
        guard !isNamed else {
            throw SettingError("\(sources.origin(of: publicFolder)) is '\(folder)': this folder doesn't exist.")
        }
        return (nil, false)
    }

    /// The folder of the mock routes; nil for the usual one, if it exists.
    ///
    /// - Throws: `SettingError` for an empty path, and for a folder that doesn't exist.
    static func routesFolder(_ sources: SettingSources) throws(SettingError) -> String? {
        let folder = try sources.value(routes)
        if let folder, !FolderLookup.exists(folder) {
            throw SettingError("\(sources.origin(of: routes)) is '\(folder)': this folder doesn't exist.")
        }
        return folder
    }

    /// - Throws: `SettingError` with the mistake in the text.
    private static func feeds(_ sources: SettingSources) throws(SettingError) -> FeedStoreChoice {
        let found = sources.text(feeds)
        if let error = found?.error { throw error }
        do throws(StoreKindError) {
            return try DemoServer.feedStores.choice(found?.text ?? usualFeeds(sources))
        } catch {
            throw SettingError("\(found?.origin ?? "--\(feeds.name)"): \(error).")
        }
    }

    /// By default, the feeds are kept with the sessions: in a file beside theirs, or in the same database. If a store of sessions
    /// can't keep feeds, they are in memory.
    private static func usualFeeds(_ sources: SettingSources) -> String {
        let program = DemoServer.programName
        let setting = Setting(name: "sessions", allowed: "", shown: SessionStoreKind.hidingPassword) { $0 }
        let sessions =
            sources.text(setting)?.text
            ?? DemoServer.sessionStores.usual(program: program, environment: sources.environment)
        let scheme = sessions.prefix { $0 != ":" }
        if scheme == "sqlite" { return "\(scheme):\(fileBeside(String(sessions.dropFirst("sqlite:".count))))" }
        return DemoServer.feedStores.contains { $0.schemes.contains(String(scheme)) } ? sessions : "memory"
    }

    /// `a/sessions-feeds.sqlite` for `a/sessions.sqlite`.
    private static func fileBeside(_ path: String) -> String {
        let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let point = path[name...].lastIndex(of: "."), point > name else { return "\(path)-feeds" }
        return "\(path[..<point])-feeds\(path[point...])"
    }
}

/// The folders of public files and of the mock routes.
struct FolderOptions: SettingOptions {
    @Option(
        name: .customLong("public"),
        help: ArgumentHelp("The folder with files for paths without a page.", valueName: "dir"),
        completion: .directory
    )
    var publicFolder: String?

    @Option(
        help: ArgumentHelp("The folder of the mock routes, one file for each.", valueName: "dir"),
        completion: .directory
    )
    var routes: String?

    var given: [String: String] {
        [DemoSettings.publicFolder.name: publicFolder, DemoSettings.routes.name: routes].compactMapValues(\.self)
    }
}

/// The folder of the mock routes, for commands that need no public files.
struct RoutesOption: SettingOptions {
    @Option(
        help: ArgumentHelp(
            "The folder of the mock routes, one file for each. (default: as for serve)",
            valueName: "dir"
        ),
        completion: .directory
    )
    var routes: String?

    /// The folder of the option, the environment or .env; nil for the usual one, if it exists.
    var folder: String? {
        get throws { try DemoSettings.routesFolder(try DemoServer.settings(given: [self])) }
    }
}

/// The store of the Floki app's entries, and access for its editors.
struct FlokiOptions: SettingOptions {
    @Option(
        help: ArgumentHelp(
            "The store of the newspaper's stories: \(DemoServer.feedStores.forms()).",
            discussion:
                "Without the option: with the sessions, in an SQLite file beside theirs or in the same database.",
            valueName: "store"
        )
    )
    var feeds: String?

    @Option(
        help: ArgumentHelp(
            "The file that keeps the version of the Floki app between starts. (default: the store of its feeds)",
            valueName: "file"
        )
    )
    var flokiRecord: String?

    @Option(
        help: ArgumentHelp(
            "Whether the newspaper gets a report each minute: on or off. (default: on)",
            valueName: "on|off"
        )
    )
    var wire: String?

    @Option(
        help: ArgumentHelp(
            "With it, the user editor logs in to the editors' pages at /floki/desk/.",
            discussion:
                "Without it, the server makes up a password at each start on a terminal, and shows it there; elsewhere these pages are closed.",
            valueName: "password"
        )
    )
    var deskPassword: String?

    @Option(
        help: ArgumentHelp(
            "With 'Authorization: Bearer' and this token, scripts may publish by POST /floki/desk/items.",
            valueName: "token"
        )
    )
    var deskToken: String?

    @Option(
        help: ArgumentHelp(
            "A URL that gets breaking news, by POST with a body of JSON.",
            valueName: "url"
        )
    )
    var breakingHook: String?

    var given: [String: String] {
        let values = [
            DemoSettings.feeds.name: feeds, DemoSettings.flokiRecord.name: flokiRecord, DemoSettings.wire.name: wire,
            DemoSettings.deskPassword.name: deskPassword, DemoSettings.deskToken.name: deskToken,
            DemoSettings.breakingHook.name: breakingHook,
        ]
        return values.compactMapValues(\.self)
    }
}
