internal import Configuration
internal import Synchronization
internal import SystemPackage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The options, the environment, the file .env and the defaults, in this order.
public struct SettingSources: Sendable {
    /// The file in the current folder that has variables, one a line: `NAME=value`, and comments after `#`.
    public static let fileName = ".env"

    /// A value and its source.
    public struct Found: Sendable {
        /// The value, as it was written.
        public let text: String
        /// Where it was written.
        public let origin: SettingOrigin
    }

    /// The variables of the environment.
    package let environment: [String: String]
    private let reader: ConfigReader
    private let witness = Witness()

    /// Reads the sources.
    ///
    /// - Parameters:
    ///   - settings: all that can be set.
    ///   - options: what was given, by the names of the settings.
    ///   - environment: the variables; one that is empty is not set.
    ///   - file: where the file is, which need not be there; nil for none.
    /// - Throws: `SettingError` when the file or one of its lines can't be read.
    public init(
        _ settings: [any ListedSetting],
        options: [String: String],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        file: String? = fileName
    ) async throws {
        let given = settings.compactMap { setting in options[setting.name].map { (setting, $0) } }
        let standard = settings.compactMap { setting in setting.standard.map { (setting, $0) } }
        if let file { try Self.check(file) }
        self.environment = environment
        reader = ConfigReader(
            providers: [
                Self.provider("options", given),
                EnvironmentVariablesProvider(environmentVariables: environment.filter { !$0.value.isEmpty }),
                try await Self.provider(file),
                Self.provider("defaults", standard),
            ],
            accessReporter: witness
        )
    }

    private static func provider(_ name: String, _ values: [(any ListedSetting, String)]) -> InMemoryProvider {
        let pairs = values.map { (AbsoluteConfigKey($0.components), ConfigValue(.string($1), isSecret: $0.isSecret)) }
        return InMemoryProvider(name: name, values: Dictionary(uniqueKeysWithValues: pairs))
    }

    private static func provider(_ file: String?) async throws -> any ConfigProvider {
        guard let file else { return provider("no file", []) }
        return try await EnvironmentVariablesProvider(environmentFilePath: FilePath(file), allowMissing: true)
    }

    /// The library skips lines that it can't read; here they are errors.
    private static func check(_ file: String) throws {
        guard FileManager.default.fileExists(atPath: file) else { return }
        guard let data = try? Data(contentsOf: URL(filePath: file)), let text = String(data: data, encoding: .utf8)
        else {
            throw SettingError("\(file) can't be read as text: make it readable, or remove it.")
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.drop { $0 == " " || $0 == "\t" }
            if line.isEmpty || line == "\r" || line.first == "#" { continue }
            let name = line.prefix { $0 != "=" }
            guard name.count < line.count, !name.isEmpty else {
                throw SettingError(
                    "line \(index + 1) of \(file) is no setting: write NAME=value, or # before a comment."
                )
            }
        }
    }

    /// A setting as it was written; nil where nothing is set.
    public func text(_ setting: any ListedSetting) -> Found? {
        guard let text = reader.string(forKey: ConfigKey(setting.components), isSecret: setting.isSecret) else {
            return nil
        }
        return Found(text: text, origin: witness.last)
    }

    /// The value of a setting; nil where nothing is set.
    ///
    /// - Throws: `SettingError` when the text has no value of that type.
    public func value<Value>(_ setting: Setting<Value>) throws(SettingError) -> Value? {
        guard let found = text(setting) else { return nil }
        guard let value = setting.read(found.text) else { throw SettingError(setting, found) }
        return value
    }

    /// The value of a setting that always has one.
    public func required<Value>(_ setting: Setting<Value>) throws(SettingError) -> Value {
        guard let value = try value(setting) else { throw SettingError("\(setting.option) is missing.") }
        return value
    }
}

/// Remembers which provider had the value that was read last.
private final class Witness: AccessReporter {
    private let index = Atomic(0)

    var last: SettingOrigin { SettingOrigin(rawValue: index.load(ordering: .relaxed)) ?? .standard }

    func report(_ event: AccessEvent) {
        let found = event.providerResults.firstIndex { result in
            if case .success(let value) = result.result { return value.value != nil }
            return false
        }
        index.store(found ?? 0, ordering: .relaxed)
    }
}

/// Where a value comes from. The first that has one counts.
public enum SettingOrigin: Int, Sendable, CaseIterable {
    /// An option.
    case option
    /// A variable of the environment.
    case environment
    /// A variable in the file.
    case file
    /// The default.
    case standard

    /// The origin of one setting, for people.
    public func description(of setting: any ListedSetting) -> String {
        switch self {
        case .option: setting.option
        case .environment: "\(setting.variable) in the environment"
        case .file: "\(setting.variable) in \(SettingSources.fileName)"
        case .standard: "default"
        }
    }
}

/// A setting with a wrong value.
public struct SettingError: Error, CustomStringConvertible {
    /// The mistake, its place, and what to write instead.
    public let description: String

    /// A mistake in what was set.
    public init(_ description: String) {
        self.description = description
    }

    /// A value that a setting doesn't allow.
    public init(_ setting: any ListedSetting, _ found: SettingSources.Found) {
        let place = found.origin.description(of: setting)
        let value = setting.isSecret ? "wrong" : "'\(setting.display(found.text))'"
        description = "\(place) is \(value): write \(setting.allowed)."
    }
}
