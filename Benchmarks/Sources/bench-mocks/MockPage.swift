/// The documented page as a mock file: three of its texts are tags, and a scenario says which of two answers it is.
enum MockPage {
    static let text = """
        scenarioName: visits
        responses:
          - requiredScenarioState: later
            status: 500
          - requiredScenarioState: Started
            page:
              typ: nav_page
              title: "{{query.title}}"
              widget:
                typ: scroll
                widget:
                  typ: form
                  widgets:
                    - {typ: textfield, label: "{{query.label}}", var_name: username}
                    - {typ: nav_button, text: Terms, actions: ["push:/terms"]}
                    - {typ: nav_button, text: Privacy, actions: ["push:/privacy"]}
                    - {typ: checkbox, text: "{{headers.X-Agree}}", var_name: agree}
                    - {typ: form_button, text: Create Account, actions: ["rpc:/create_account", "replace_all:/"]}

        """
}
