package import ArgumentParser
internal import Backlot

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Runs the command named by a command line. An error ends the program with one line, without the command's help, which would
/// hide the line.
struct CommandLineRun {
    private let root: any ParsableCommand.Type

    init(_ root: any ParsableCommand.Type) {
        self.root = root
    }

    /// The program's arguments, without its name.
    ///
    /// Swift finds the command line next to the environment in memory. A library loaded before the program, for example by
    /// LD_PRELOAD, may have moved the environment with setenv(3). Then only Linux still has the arguments; Swift lacks even the
    /// program's name.
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

    /// Runs a command, and ends the program if it fails.
    ///
    /// - Parameter arguments: the arguments after the program's name.
    func run(_ arguments: [String]) async {
        let failure = await failure(of: arguments)
        if let text = failure?.text { StandardError.print("Error: \(text)") }
        var error = failure?.error
        // Help and the version are results, too.
        if let result = error, root.exitCode(for: result) == .success {
            let text = root.fullMessage(for: result)
            if !text.isEmpty { print(text) }
            error = nil
        }
        if !StandardOutput.flush() {
            StandardError.print("Error: standard output can't be written: it is closed, or its disk is full.")
            error = error ?? ExitCode.failure
        }
        if let error { root.exit(withError: error) }
    }

    /// Runs a command.
    ///
    /// - Returns: nil on success; otherwise the text of the mistake, and the error to end the program with. The text is nil for a
    ///   request for help and for a bare exit status.
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
    /// The mistake in the command named by the arguments, and the command to write instead; nil for a known command, and without
    /// a command.
    ///
    /// - Parameter command: the command that the arguments follow.
    package static func text(_ arguments: [String], of command: any ParsableCommand.Type) -> String? {
        // After "help", each argument is a command. Otherwise only those before any option or file are.
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
