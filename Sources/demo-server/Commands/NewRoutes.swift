import ArgumentParser
import BacklotMocks

/// `demo-server new-routes`
struct NewRoutes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new-routes",
        abstract: "Starts a folder of mock routes: a home page, a log-in, a list, and the schemas for editors.",
        discussion: "The folder is made if it isn't there, and must be empty."
    )

    @Argument(help: "The folder.", completion: .directory)
    var folder: String

    func run() throws {
        try NewFolder(folder).write(Self.files)
        let place = folder.contains(" ") ? "'\(folder)'" : folder
        print(
            """
            \(folder) has a home page, a log-in and a list now. Next:

                demo-server mock --routes \(place)

            Then open http://127.0.0.1:8080/ in a browser, which shows the pages as a phone would, or let your client use that \
            address. Each file is a route, and a file that is saved is live within a second: begin with index.page.yaml.
            In VS Code (with the extension YAML by Red Hat) and in JetBrains' editors, the files complete their keys.
            """
        )
    }

    /// The files, by their paths below the folder.
    static var files: [(path: String, text: String)] {
        SchemaCommand.Choice.allCases.map { (".schemas/\($0.rawValue).json", $0.text) } + routes
    }

    private static func heading(_ schema: String, _ folder: String = "") -> String {
        let path = "\(folder).schemas/\(schema).json"
        return "# yaml-language-server: $schema=\(path)\n# $schema: \(path)\n"
    }

    private static let routes: [(path: String, text: String)] = [
        (
            "index.page.yaml",
            heading("page") + """
                # The home page: it answers at /.
                page:
                  typ: nav_page
                  title: Home
                  widget:
                    typ: scroll
                    widget:
                      typ: form
                      widgets:
                        - {typ: text, text: "Hello {{session.user}}! This page is the file index.page.yaml."}
                        - {typ: nav_button, text: Tasks, actions: [{typ: push, page: /tasks}]}
                        - {typ: nav_button, text: Log In, actions: [{typ: push, page: /log_in}]}

                """
        ),
        (
            "log_in.page.yaml",
            heading("page") + """
                page:
                  typ: nav_page
                  title: Log In
                  widget:
                    typ: form
                    widgets:
                      - {typ: textfield, var_name: username, label: Name}
                      - typ: form_button
                        text: Log In
                        actions: [{typ: rpc, url: /account/log_in}, {typ: replace_all, page: /}]

                """
        ),
        (
            "account/log_in.rpc.yaml",
            heading("route", "../") + """
                # The first answer is taken whose request matches.
                responses:
                  - request:
                      variables: {username: {matches: "\\\\s*"}}
                    status: 422
                    body: Please enter your name.
                  - logIn: "{{variables.username}}"

                """
        ),
        (
            "tasks/index.page.json",
            """
            {
              "$schema": "../.schemas/page.json",
              "page": {
                "typ": "nav_page",
                "title": "Tasks",
                "widget": {
                  "typ": "scroll",
                  "widget": {
                    "typ": "form",
                    "widgets": [
                      {"typ": "nav_button", "text": "Buy bread", "actions": [{"typ": "push", "page": "/tasks/1"}]},
                      {"typ": "nav_button", "text": "Water the plants", "actions": [{"typ": "push", "page": "/tasks/2"}]}
                    ]
                  }
                }
              }
            }

            """
        ),
        (
            "tasks/[id].page.yaml",
            heading("page", "../") + """
                # It answers at /tasks/1, /tasks/2 and so on.
                requiresLogin: Please log in to see the task.
                page:
                  typ: nav_page
                  title: Task {{path.id}}
                  widget: {typ: form, widgets: [{typ: text, text: "This is task {{path.id}} of {{session.user}}."}]}

                """
        ),
    ]
}
