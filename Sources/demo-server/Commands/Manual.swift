import ArgumentParser
import Backlot

/// The command `demo-server manual`, which prints the manual page.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the manual page, made from this help.",
        discussion: "To read it: demo-server manual | man -l -"
    )

    func run() { print(Self.page, terminator: "") }

    /// A page in the macros of man(7), with the help of each command as ArgumentParser writes it.
    private static var page: String {
        """
        .TH DEMO\\-SERVER 1 "" "Backlot \(BacklotVersion.current)" "User Commands"
        .SH NAME
        demo\\-server \\- \(escaped("serves the demo apps of Backlot, to try clients with"))
        .SH COMMANDS
        \(helps(of: DemoServer.Command.self, "demo-server"))
        .SH FILES
        .nf
        \(escaped(files))
        .fi
        .SH EXIT STATUS
        0 for success, 64 for wrong arguments or settings, 1 for other failures, unless a command says otherwise.

        """
    }

    private static let files = """
        Routes/                 The mock routes, where no option names another folder.
        Public/                 Files to serve at paths without a page.
        .env                    Settings, as variables of the environment.
        ~/.local/state/backlot  Sessions, the stories of the newspaper, and below tls/ the
                                authority of --tls-self-signed.
        """

    private static func helps(of command: any ParsableCommand.Type, _ path: String) -> String {
        let help = escaped(DemoServer.Command.helpMessage(for: command, columns: 78))
        let subcommands = command.configuration.subcommands.map { helps(of: $0, "\(path) \($0._commandName)") }
        return ([".SS \(path.replacing("-", with: "\\-"))\n.nf\n\(help)\n.fi"] + subcommands).joined(separator: "\n")
    }

    private static let escapes: [Character: String] = [
        "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "~": "\\(ti", "^": "\\(ha",
    ]

    /// Lines that troff shows unchanged (groff(7), "Escape sequences"); a line that begins with a dot or an apostrophe would be a
    /// request.
    static func escaped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { "\\&" + $0.map { escapes[$0] ?? String($0) }.joined() }.joined(separator: "\n")
    }
}

/// The command `demo-server completions`, which prints a script for a shell.
struct Completions: ParsableCommand {
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    static let configuration = CommandConfiguration(
        abstract: "Prints a script that completes commands and options in a shell.",
        discussion: """
            bash: demo-server completions bash > ~/.local/share/bash-completion/completions/demo-server
            zsh:  demo-server completions zsh > _demo-server, in a folder of $fpath
            fish: demo-server completions fish > ~/.config/fish/completions/demo-server.fish
            """
    )

    @Argument(help: "The shell.")
    var shell: Shell

    func run() {
        guard let shell = CompletionShell(rawValue: shell.rawValue) else { return }
        print(DemoServer.Command.completionScript(for: shell))
    }
}
