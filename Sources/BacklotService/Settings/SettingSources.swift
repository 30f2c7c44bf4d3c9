internal import Backlot

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The options, the environment, systemd's credentials, the .env file and the defaults, in this order.
///
/// The variable of `drain-delay` is `DRAIN_DELAY`, or `BACKLOT_DRAIN_DELAY`, which has precedence. A secret may also be in a
/// file, named by `ADMIN_TOKEN_FILE`, or provided by systemd's `LoadCredential=admin-token:…`.
public struct SettingSources: Sendable {
    /// The file in the current folder with variables, one per line: `NAME=value`, and comments after `#`.
    public static let fileName = ".env"

    /// A value and its source.
    public struct Found: Sendable {
        /// The value, as written.
        public let text: String
        /// The source in words: an option, a variable, or `default`.
        public let origin: String
        /// Whether the value is the setting's default.
        public let isDefault: Bool
        /// The reason why the source has no value, such as an unreadable file; nil for a value.
        public let error: SettingError?
    }

    /// The variables of the environment, and the file's variables that the environment lacks.
    package let environment: [String: String]
    private let process: [String: String]
    private let options: [String: String]
    private let file: EnvironmentFile
    /// The path of the file; nil without a file.
    private let path: String?

    /// Reads the sources.
    ///
    /// - Parameters:
    ///   - options: the given texts, by the names of the settings.
    ///   - environment: the variables; an empty one counts as not set.
    ///   - file: the path of the file, which may be missing; nil to read no file.
    /// - Throws: `SettingError` when the file or one of its lines can't be read.
    public init(
        options: [String: String],
        environment: [String: String] = ProcessInfo.processInfo.environment,
        file: String? = fileName
    ) throws(SettingError) {
        self.options = options
        process = environment.filter { !$0.value.isEmpty }
        path = file
        self.file = if let file { try Self.read(file) } else { EnvironmentFile() }
        self.environment = self.file.variables.merging(process) { $1 }
    }

    /// The same options and environment, with the current contents of the file.
    ///
    /// - Throws: `SettingError` when the file or one of its lines can't be read.
    func readAgain() throws(SettingError) -> SettingSources {
        try SettingSources(options: options, environment: process, file: path)
    }

    private static func read(_ file: String) throws(SettingError) -> EnvironmentFile {
        guard FileManager.default.fileExists(atPath: file) else { return EnvironmentFile() }
        guard let data = try? Data(contentsOf: URL(filePath: file)), let text = String(validating: data, as: UTF8.self)
        else {
            throw SettingError("\(file) can't be read as UTF-8 text: make it readable, or remove it.")
        }
        do throws(EnvironmentFile.ParsingError) {
            return try EnvironmentFile(text)
        } catch {
            throw SettingError("line \(error.line) of \(file) \(error.reason)")
        }
    }

    /// A setting, as written; nil if it isn't set.
    public func text(_ setting: any ListedSetting) -> Found? {
        if let text = options[setting.name] { return Found(text, setting.option) }
        let variables = file.variables
        return variable(setting, in: process, "the environment") ?? credential(setting)
            ?? variable(setting, in: variables, Self.fileName)
            ?? setting.defaultText.map { Found(text: $0, origin: "default", isDefault: true, error: nil) }
    }

    /// Settings with their texts. The file of a secret is read, and may have another text later.
    func texts(of settings: [any ListedSetting]) -> [(setting: any ListedSetting, text: String?)] {
        settings.map { (setting: $0, text: text($0)?.text) }
    }

    /// The setting's variable, with or without the prefix, or the variable with the path of a secret's file.
    private func variable(_ setting: any ListedSetting, in variables: [String: String], _ source: String) -> Found? {
        for name in [Self.prefix + setting.variable, setting.variable] {
            let fileName = "\(name)_FILE"
            let path = setting.isConfidential ? variables[fileName] : nil
            guard let text = variables[name], !text.isEmpty else {
                guard let path, !path.isEmpty else { continue }
                return Found(contentsOf: path, "\(fileName) in \(source)")
            }
            if path != nil {
                let error = SettingError("\(name) and \(fileName) in \(source) are both set: leave one of the two out.")
                return Found(text: "", origin: "\(name) in \(source)", isDefault: false, error: error)
            }
            if !isForeign(text, name, setting) { return Found(text, "\(name) in \(source)") }
        }
        return nil
    }

    /// The setting's credential, from systemd's `LoadCredential=`.
    private func credential(_ setting: any ListedSetting) -> Found? {
        guard setting.isConfidential, let folder = process["CREDENTIALS_DIRECTORY"],
            FileManager.default.fileExists(atPath: "\(folder)/\(setting.name)")
        else { return nil }
        return Found(contentsOf: "\(folder)/\(setting.name)", "the credential \(setting.name)")
    }

    /// Whether a value belongs to another program: Kubernetes sets `ADMIN_PORT=tcp://10.0.0.7:80` for a service named "admin".
    private func isForeign(_ text: String, _ name: String, _ setting: any ListedSetting) -> Bool {
        guard !name.hasPrefix(Self.prefix), let scheme = text.atScheme?.scheme else { return false }
        return ["tcp", "udp", "sctp"].contains(scheme) && !setting.accepts(text)
    }

    /// The warnings of `serve` and `config`: unknown names, names that the file sets twice, and values that belong to other
    /// programs.
    ///
    /// - Parameter settings: all settings of the program.
    func warnings(_ settings: [any ListedSetting]) -> [String] {
        let own = settings.flatMap { [$0.variable] + ($0.isConfidential ? ["\($0.variable)_FILE"] : []) }
        let names = Set(own + own.map { Self.prefix + $0 })
        func isUnknown(_ name: String) -> Bool { !names.contains(name) && !name.hasPrefix("OTEL_") }
        var warnings: [String] = []
        var lines: [String: Int] = [:]
        for assignment in file.assignments {
            let place = "line \(assignment.line) of \(path ?? Self.fileName)"
            if let first = lines.updateValue(assignment.line, forKey: assignment.name) {
                warnings.append("\(place) sets \(assignment.name) once more: it counts instead of line \(first).")
            } else if isUnknown(assignment.name) {
                let hint = Suggestion.hint(for: assignment.name, among: own)
                warnings.append("\(place) sets \(assignment.name), which is not a setting of this program\(hint.ended)")
            }
        }
        for name in process.keys.filter({ $0.hasPrefix(Self.prefix) && isUnknown($0) }).sorted() {
            let hint = Suggestion.hint(for: name, among: own.map { Self.prefix + $0 })
            warnings.append("\(name) in the environment is not a setting of this program\(hint.ended)")
        }
        for setting in settings {
            let (name, sources) = (setting.variable, [(process, "the environment"), (file.variables, Self.fileName)])
            for case (let text?, let source) in sources.map({ ($0.0[name], $0.1) }) where isForeign(text, name, setting)
            {
                warnings.append(
                    "\(name) in \(source) is '\(text)', another program's value, and is ignored: to set it, write \(Self.prefix)\(name)."
                )
            }
        }
        return warnings
    }

    /// OpenTelemetry's variables that are set, for people: name, value and source. Header fields may contain secrets.
    var telemetry: [[String]] {
        environment.filter { $0.key.hasPrefix("OTEL_") }.sorted { $0.key < $1.key }.map { name, value in
            let source = process[name] == nil ? Self.fileName : "the environment"
            return [name, name.hasSuffix("_HEADERS") ? "(hidden)" : value, "\(name) in \(source)"]
        }
    }

    private static let prefix = "BACKLOT_"

    /// The source of a setting in words; the option if it isn't set.
    public func origin(of setting: any ListedSetting) -> String { text(setting)?.origin ?? setting.option }

    /// The value of a setting; nil if it isn't set.
    ///
    /// - Throws: `SettingError` when the text isn't a value of that type.
    public func value<Value>(_ setting: Setting<Value>) throws(SettingError) -> Value? {
        guard let found = text(setting) else { return nil }
        if let error = found.error { throw error }
        guard let value = setting.read(found.text) else { throw SettingError(setting, found) }
        return value
    }

    /// The value of a setting that always has one.
    public func required<Value>(_ setting: Setting<Value>) throws(SettingError) -> Value {
        guard let value = try value(setting) else { throw SettingError("\(setting.option) is missing.") }
        return value
    }
}

extension SettingSources.Found {
    fileprivate init(_ text: String, _ origin: String) {
        self.init(text: text, origin: origin, isDefault: false, error: nil)
    }

    /// The text of a file, without the line break at its end.
    fileprivate init(contentsOf path: String, _ origin: String) {
        let data = FileManager.default.contents(atPath: path)
        if let text = data.flatMap({ String(validating: $0, as: UTF8.self) }) {
            self.init(text.withoutBlanks, origin)
        } else {
            let error = SettingError("\(origin) is '\(path)': there is no such file, or it can't be read as text.")
            self.init(text: "", origin: origin, isDefault: false, error: error)
        }
    }
}

extension String {
    /// A sentence with its end.
    fileprivate var ended: String { hasSuffix("?") ? self : "\(self)." }
}

/// A setting with a wrong value.
public struct SettingError: Error, CustomStringConvertible {
    /// The mistake, its source, and the value to write instead.
    public let description: String

    /// Creates an error for a mistake in the settings.
    public init(_ description: String) {
        self.description = description
    }

    /// Creates an error for a value that a setting doesn't allow.
    public init(_ setting: any ListedSetting, _ found: SettingSources.Found) {
        let value = setting.isSecret ? "wrong" : "'\(setting.display(found.text))'"
        description = "\(found.origin) is \(value): write \(setting.allowed)."
    }
}
