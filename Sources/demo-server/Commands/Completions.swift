import ArgumentParser

/// `demo-server completions`
struct Completions: ParsableCommand {
    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish

        var parserShell: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
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
        print(DemoServer.Command.completionScript(for: shell.parserShell))
    }
}
