import ArgumentParser
import Backlot
import BacklotJSON

/// `demo-server manual`
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the manual page, made from this help.",
        discussion: "To read it: demo-server manual | man -l -"
    )

    func run() throws {
        let help = try JSONValue(parsing: DemoServer.Command._dumpHelp())
        print(ManualPage(help["command"] ?? .null, version: BacklotVersion.current).text, terminator: "")
    }
}

/// A manual page in the macros of man(7), made from what ArgumentParser dumps of a command's help.
struct ManualPage {
    /// The page.
    private(set) var text = ""

    init(_ command: JSONValue, version: String) {
        let name = command["commandName"]?.string ?? ""
        text += ".TH \(Self.escaped(name.uppercased())) 1 \"\" \"Backlot \(version)\" \"User Commands\"\n"
        text += ".nh\n.ad l\n"
        section("NAME")
        text += "\(Self.escaped(name)) \\- \(Self.escaped(Self.lowercasedStart(command.sentence("abstract"))))\n"
        section("SYNOPSIS")
        text += Self.synopses(command, name).map { ".B \(Self.escaped($0))\n" }.joined(separator: ".br\n")
        section("DESCRIPTION")
        paragraphs([command.sentence("discussion")])
        section("COMMANDS")
        commands(below: command, name)
        section("FILES")
        tagged("Routes/", "The mock routes, where no option names another folder.")
        tagged("Public/", "Files that are served where no page is.")
        tagged(".env", "Settings, as variables of the environment.")
        tagged(
            "~/.local/state/backlot",
            "Sessions, the stories of the newspaper, and below tls/ the authority of --tls-self-signed."
        )
        section("EXIT STATUS")
        paragraphs([
            "0 for success, 64 for wrong arguments or settings, 1 for other failures, unless a command says otherwise."
        ])
    }

    private static func synopses(_ command: JSONValue, _ path: String) -> [String] {
        let subcommands = command.shown("subcommands")
        guard !subcommands.isEmpty else {
            let arguments = command.shown("arguments").filter { $0["kind"]?.string == "positional" }.map(\.shape)
            return [([path, "[options]"] + arguments).joined(separator: " ")]
        }
        return subcommands.flatMap { synopses($0, "\(path) \($0.name)") }
    }

    private mutating func commands(below command: JSONValue, _ path: String) {
        for subcommand in command.shown("subcommands") {
            let name = "\(path) \(subcommand.name)"
            text += ".SS \(Self.escaped(name))\n"
            paragraphs([subcommand.sentence("abstract"), subcommand.sentence("discussion")])
            for argument in subcommand.shown("arguments") {
                let texts = [argument.sentence("abstract"), argument.sentence("discussion")]
                tagged(argument.shape, texts.filter { !$0.isEmpty }.joined(separator: " "))
            }
            commands(below: subcommand, name)
        }
    }

    // MARK: Macros

    private mutating func section(_ title: String) { text += ".SH \(title)\n" }

    /// The lines of texts, each in a place of its own, as they stand in the help.
    private mutating func paragraphs(_ texts: [String]) {
        let lines = texts.flatMap { $0.split(separator: "\n") }.map { Self.escaped(String($0)) }
        text += lines.joined(separator: "\n.PP\n") + (lines.isEmpty ? "" : "\n")
    }

    private mutating func tagged(_ tag: String, _ line: String) {
        text += ".TP\n.B \(Self.escaped(tag))\n\(Self.escaped(line))\n"
    }

    /// A text that troff shows as it is (groff(7), "Escape sequences"): a line that begins with a dot or an apostrophe would be a
    /// request.
    private static func escaped(_ text: String) -> String {
        var result = text.first == "." || text.first == "'" ? "\\&" : ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            case "\n": result += " "
            case _ where character.isASCII: result.append(character)
            default:
                result += character.unicodeScalars.map {
                    "\\[u\(String($0.value, radix: 16, uppercase: true).leftPadded)]"
                }.joined()
            }
        }
        return result
    }

    private static func lowercasedStart(_ sentence: String) -> String {
        let bare = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
        return bare.prefix(1).lowercased() + bare.dropFirst()
    }
}

extension String {
    /// At least four digits, as troff wants them.
    fileprivate var leftPadded: String { String(repeating: "0", count: max(0, 4 - count)) + self }
}

extension JSONValue {
    fileprivate var name: String { self["commandName"]?.string ?? "" }

    fileprivate func sentence(_ key: String) -> String { self[key]?.string ?? "" }

    /// The elements of a list that the help shows.
    fileprivate func shown(_ key: String) -> [JSONValue] {
        (self[key]?.array ?? []).filter { $0["shouldDisplay"]?.bool != false && $0["commandName"]?.string != "help" }
    }

    /// How an argument is written: `-h, --help`, `--port <port>`, `<url>`.
    fileprivate var shape: String {
        let value = self["valueName"]?.string ?? "value"
        guard self["kind"]?.string != "positional" else {
            let shape = self["isRepeating"]?.bool == true ? "<\(value)> ..." : "<\(value)>"
            return self["isOptional"]?.bool == true ? "[\(shape)]" : shape
        }
        let names = (self["names"]?.array ?? []).map {
            ($0["kind"]?.string == "long" ? "--" : "-") + ($0["name"]?.string ?? "")
        }
        return names.joined(separator: ", ") + (self["kind"]?.string == "option" ? " <\(value)>" : "")
    }
}
