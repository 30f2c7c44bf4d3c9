import A2UIConformance
import ArgumentParser
import Backlot
import BacklotMocks

/// `demo-server a2ui`
struct A2UICommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "a2ui",
        abstract: "Works with A2UI.",
        subcommands: [A2UIConformanceCommand.self]
    )
}

/// `demo-server a2ui conformance`
struct A2UIConformanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Runs published conformance cases of A2UI.",
        discussion: """
            Files with cases are YAML or JSON: lists of cases with an action, verdicts on single messages, and examples with \
            messages. Catalogs and fixtures that cases name are looked for in the folders, and in 'catalogs' and 'test_data' \
            beside them.

            Exit status: 0 if no case fails, 1 if one does or a file can't be read, 64 wrong arguments.
            """
    )

    @Argument(help: "The folders.", completion: .directory)
    var folders: [String]

    func run() throws {
        var (cases, others): ([(path: String, document: JSONValue)], [String: JSONValue]) = ([], [:])
        var isUnreadable = false
        for folder in folders {
            guard let names = try? FileManager.default.subpathsOfDirectory(atPath: folder) else {
                throw ValidationError("\(folder) isn't a folder.")
            }
            for name in names.sorted() where [".json", ".yaml", ".yml"].contains(where: name.hasSuffix) {
                guard let document = Self.read("\(folder)/\(name)") else {
                    print("can't read \(folder)/\(name)")
                    isUnreadable = true
                    continue
                }
                cases.append(("\(folder)/\(name)", document))
            }
            for beside in ["catalogs", "test_data"] {
                for parent in ["\(folder)/../\(beside)", "\(folder)/../../\(beside)"] {
                    for name in (try? FileManager.default.subpathsOfDirectory(atPath: parent)) ?? [] {
                        others[Self.key(name)] = Self.read("\(parent)/\(name)")
                    }
                }
            }
        }
        for (path, document) in cases { others[Self.key(path)] = document }
        let run = ConformanceCases { [others] in others[Self.key($0)] }
        var (passed, failed, unsupported) = (0, 0, 0)
        for (path, document) in cases {
            for result in run.results(of: document, name: path) {
                switch result.outcome {
                case .passed:
                    passed += 1
                    print("passed         \(result.name)")
                case .failed(let reason):
                    failed += 1
                    print("FAILED         \(result.name): \(reason)")
                case .unsupported(let reason):
                    unsupported += 1
                    print("not supported  \(result.name): \(reason)")
                }
            }
        }
        guard isUnreadable || passed + failed + unsupported > 0 else {
            let all = folders.joined(separator: ", ")
            throw ValidationError("There is no case in \(all): name folders with files of cases.")
        }
        print("\(passed) passed, \(failed) failed, \(unsupported) not supported")
        if failed > 0 || isUnreadable { throw ExitCode.failure }
    }

    /// A file's name; published cases and their copies differ in folders, and in `_catalog`.
    private static func key(_ path: String) -> String {
        String(path.split(separator: "/").last ?? "").replacing("_catalog_", with: "_")
    }

    private static func read(_ path: String) -> JSONValue? {
        guard let bytes = try? Arguments.bytes(of: path), let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        return path.hasSuffix(".json") ? try? JSONValue(parsing: text) : try? YAMLDocument(text, file: path).value
    }
}
