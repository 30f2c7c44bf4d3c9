internal import Backlot

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
        /// Where it was written, for people: an option, a variable, or `default`.
        public let place: String
        /// Whether it is the setting's default.
        public let isDefault: Bool
    }

    /// The variables of the environment.
    package let environment: [String: String]
    private let options: [String: String]
    /// The variables of the file.
    private let variables: [String: String]

    /// Reads the sources.
    ///
    /// - Parameters:
    ///   - options: what was given, by the names of the settings.
    ///   - environment: the variables; one that is empty is not set.
    ///   - file: where the file is, which need not be there; nil for none.
    /// - Throws: `SettingError` when the file or one of its lines can't be read.
    public init(
        options: [String: String],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        file: String? = fileName
    ) throws(SettingError) {
        self.options = options
        self.environment = environment
        variables = if let file { try Self.variables(in: file) } else { [:] }
    }

    private static func variables(in file: String) throws(SettingError) -> [String: String] {
        guard FileManager.default.fileExists(atPath: file) else { return [:] }
        guard let data = try? Data(contentsOf: URL(filePath: file)), let text = String(data: data, encoding: .utf8)
        else {
            throw SettingError("\(file) can't be read as text: make it readable, or remove it.")
        }
        var variables: [String: String] = [:]
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmed
            if line.isEmpty || line.first == "#" { continue }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw SettingError(
                    "line \(index + 1) of \(file) is no setting: write NAME=value, or # before a comment."
                )
            }
            variables[String(parts[0])] = String(parts[1])
        }
        return variables
    }

    /// A setting as it was written; nil where nothing is set.
    public func text(_ setting: any ListedSetting) -> Found? {
        let variable = setting.variable
        let texts = [
            (setting.option, options[setting.name]),
            ("\(variable) in the environment", environment[variable].flatMap { $0.isEmpty ? nil : $0 }),
            ("\(variable) in \(Self.fileName)", variables[variable]),
        ]
        for case (let place, let text?) in texts { return Found(text: text, place: place, isDefault: false) }
        return setting.standard.map { Found(text: $0, place: "default", isDefault: true) }
    }

    /// Where a setting was written, for people; the option where nothing is set.
    public func place(of setting: any ListedSetting) -> String { text(setting)?.place ?? setting.option }

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
        let value = setting.isSecret ? "wrong" : "'\(setting.display(found.text))'"
        description = "\(found.place) is \(value): write \(setting.allowed)."
    }
}
