package import ArgumentParser
internal import Backlot

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Runs the command that a command line names. An error ends the program with one line, and not with the help of the command, in
/// which the line would be lost.
struct CommandLineRun {
    private let root: any ParsableCommand.Type

    init(_ root: any ParsableCommand.Type) {
        self.root = root
    }

    /// The program's arguments, without its name.
    ///
    /// Swift finds the command line beside the environment. A library that was loaded before the program, such as by LD_PRELOAD, may
    /// have moved the environment by setenv(3): then Swift has no arguments, not even the program's name, and Linux still has them.
    static var arguments: [String] {
        var arguments = CommandLine.arguments
        #if os(Linux)
        if arguments.isEmpty, let text = try? Data(contentsOf: URL(filePath: "/proc/self/cmdline")) {
            arguments = text.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        #endif
        return Array(arguments.dropFirst())
    }

    /// Runs a command, and ends the program when it fails.
    ///
    /// - Parameter arguments: those after the program's name.
    func run(_ arguments: [String]) async {
        guard let (text, error) = await failure(of: arguments) else { return }
        if let text { StandardError.print("Error: \(text)") }
        root.exit(withError: error)
    }

    /// Runs a command.
    ///
    /// - Returns: nil when it worked; otherwise the mistake, and the error to end with, which alone says all where help was asked for and
    ///   where it is a bare status.
    func failure(of arguments: [String]) async -> (text: String?, error: any Error)? {
        if let mistake = UnknownCommand.text(arguments, of: root) { return (mistake, ExitCode.validationFailure) }
        do {
            let command = try root.parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
            return nil
        } catch let error as SettingError {
            return ("\(error)", ExitCode.validationFailure)
        } catch {
            let code = root.exitCode(for: error)
            return code == .success || error is ExitCode ? (nil, error) : (root.message(for: error), code)
        }
    }
}

/// Refuses commands that a program doesn't have: ArgumentParser would take them for arguments of the default command.
package enum UnknownCommand {
    /// What is wrong with the command that the arguments name, and what to write; nil for a command that exists, and where none is
    /// named.
    ///
    /// - Parameter command: the command whose subcommands the arguments begin with.
    package static func text(_ arguments: [String], of command: any ParsableCommand.Type) -> String? {
        // After "help" each argument is a command; otherwise those are that come before any option or file.
        let isHelp = arguments.first == "help"
        var path = command._commandName
        var command = command
        for argument in isHelp ? arguments.dropFirst() : arguments[...] {
            let subcommands = command.configuration.subcommands
            if argument.hasPrefix("-") || argument == "help" || !isHelp && subcommands.isEmpty { return nil }
            let named = subcommands.first {
                $0._commandName == argument || $0.configuration.aliases.contains(argument)
            }
            guard let found = named else {
                let hint = Suggestion.hint(for: argument, among: subcommands.map { $0._commandName })
                return
                    "'\(path)' has no command '\(argument)'\(hint.isEmpty ? "." : hint) '\(path) --help' lists the commands."
            }
            command = found
            path += " \(found._commandName)"
        }
        return nil
    }
}
