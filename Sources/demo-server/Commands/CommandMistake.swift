import ArgumentParser
import Backlot

/// Commands on the command line that there aren't.
enum CommandMistake {
    /// What is wrong with the command that the arguments name, and what to write; nil when there is such a command, or none is named.
    ///
    /// - Parameter command: the command whose subcommands the arguments begin with.
    static func text(_ arguments: [String], of command: any ParsableCommand.Type) -> String? {
        // After "help" each argument is a command; otherwise those are that come before any option or file.
        let isHelp = arguments.first == "help"
        var path = command._commandName
        var command = command
        for argument in isHelp ? arguments.dropFirst() : arguments[...] {
            let subcommands = command.configuration.subcommands
            if argument.hasPrefix("-") || argument == "help" || !isHelp && subcommands.isEmpty { return nil }
            guard let found = subcommands.first(where: { $0._commandName == argument }) else {
                let hint = Suggestion.hint(for: argument, among: subcommands.map { $0._commandName })
                return "'\(path)' has no command '\(argument)'\(hint)\n'\(path) --help' lists what there is."
            }
            command = found
            path += " \(found._commandName)"
        }
        return nil
    }
}
