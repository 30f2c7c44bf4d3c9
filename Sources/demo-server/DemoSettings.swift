import ArgumentParser
import BacklotService

/// The settings of demo-server beside those that every server has.
struct DemoSettings {
    static let publicFolder = Setting(
        name: "public",
        standard: "Public",
        allowed: "the path of a folder",
        read: ServiceSetting.path
    )
    static let routes = Setting(name: "routes", allowed: "the path of a folder", read: ServiceSetting.path)
    static let flokiRecord = Setting(name: "floki-record", allowed: "the path of a file", read: ServiceSetting.path)

    /// All that can be set, in the order in which it is listed.
    static let all: [any ListedSetting] = [publicFolder, routes, flokiRecord]

    /// nil where no setting names one and the usual one is missing.
    let publicFolder: String?
    /// Whether a setting names the folder.
    let isPublicFolderNamed: Bool
    /// nil for the usual folder, if it exists.
    let routes: String?
    /// Where the version of the Floki app is kept; nil for nowhere.
    let flokiRecord: String?

    /// - Throws: `SettingError` for the first wrong setting.
    init(_ sources: SettingSources) throws(SettingError) {
        let publicFolder = try sources.required(Self.publicFolder)
        let exists = FolderLookup.exists(publicFolder)
        let origin = sources.text(Self.publicFolder)?.origin ?? .standard
        isPublicFolderNamed = origin != .standard
        if isPublicFolderNamed, !exists {
            let place = origin.description(of: Self.publicFolder)
            throw SettingError("\(place) is '\(publicFolder)': there is no such folder.")
        }
        self.publicFolder = exists ? publicFolder : nil
        routes = try sources.value(Self.routes)
        flokiRecord = try sources.value(Self.flokiRecord)
    }
}

/// The folders to serve beside the demo.
struct FolderOptions: SettingOptions {
    @Option(
        name: .customLong("public"),
        help: ArgumentHelp("The folder whose files are served where no page is.", valueName: "dir")
    )
    var publicFolder: String?

    @Option(help: ArgumentHelp("The folder of the mock routes, one file for each.", valueName: "dir"))
    var routes: String?

    var given: [String: String] {
        [DemoSettings.publicFolder.name: publicFolder, DemoSettings.routes.name: routes].compactMapValues(\.self)
    }
}

/// The file that the Floki app keeps.
struct FlokiOptions: SettingOptions {
    @Option(
        help: ArgumentHelp(
            "The file that keeps the version of the Floki app from start to start; without one it begins with 1.",
            valueName: "file"
        )
    )
    var flokiRecord: String?

    var given: [String: String] { [DemoSettings.flokiRecord.name: flokiRecord].compactMapValues(\.self) }
}
