import Applin
import Backlot
import Testing

/// Rules about the variables of inputs.
@Suite struct InputRuleTests {
    @Test(arguments: cases)
    func `The bad page has the finding, the good one none`(rule: RuleCase) throws {
        try rule.check()
    }

    private static let cases: [RuleCase] = [
        RuleCase(
            "a variable twice",
            bad: """
                {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"field8",
                "label":"F9"},{"typ":"textfield","var_name":"field8","label":"F10"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"field8"},
                {"typ":"textfield","var_name":"field9"}]}}
                """,
            finding: """
                error: /p › form › textfield "field8" #2
                  The variable "field8" already belongs to textfield "field8" #1, and clients fail every POST from \
                a page with a variable twice.
                  Fix: Give this textfield another "var_name", such as "field8_2".
                  [duplicate-var-name] at /page/widget/widgets/1/var_name
                """
        ),
        RuleCase(
            "a variable of a textfield and a checkbox",
            bad: """
                {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"a"},
                {"typ":"form_section","widgets":[{"typ":"checkbox","var_name":"a"}]}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"a"},
                {"typ":"checkbox","var_name":"b"}]}}
                """,
            finding: """
                error: /p › form › form_section › checkbox "a"
                  The variable "a" already belongs to textfield "a", and clients fail every POST from a page with a \
                variable twice.
                  Fix: Give this checkbox another "var_name", such as "a_2".
                  [duplicate-var-name] at /page/widget/widgets/1/widgets/0/var_name
                """
        ),
        RuleCase(
            "a variable twice in one selector",
            bad: """
                {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","var_name1":"a"}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","var_name1":"b"}}
                """,
            finding: """
                error: /p › selector "a"
                  The variable "a" already belongs to its "var_name", and clients fail every POST from a page with \
                a variable twice.
                  Fix: Give this selector another "var_name1", such as "a_2".
                  [duplicate-var-name] at /page/widget/var_name1
                """
        ),
        RuleCase(
            "an object and an array",
            bad: """
                {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"color#red"},
                {"typ":"checkbox","var_name":"color%blue"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"color#red"},
                {"typ":"checkbox","var_name":"color#blue"}]}}
                """,
            finding: """
                error: /p › form › checkbox "color%blue"
                  The variables "color#red" and "color%blue" would go into a POST under one key, "color", as an \
                object and as an array.
                  Fix: Rename one of them, so that it begins differently.
                  [colliding-var-names] at /page/widget/widgets/1/var_name
                """
        ),
        RuleCase(
            "a value and an object",
            bad: """
                {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"color"},
                {"typ":"checkbox","var_name":"color#red"}]}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"shade"},
                {"typ":"checkbox","var_name":"color%red"},{"typ":"checkbox","var_name":"color%blue"}]}}
                """,
            finding: """
                error: /p › form › checkbox "color#red"
                  The variables "color" and "color#red" would go into a POST under one key, "color", as a plain \
                value and as an object.
                  Fix: Rename one of them, so that it begins differently.
                  [colliding-var-names] at /page/widget/widgets/1/var_name
                """
        ),
        RuleCase(
            "inputs without POST",
            app: ["/p": [.get]],
            bad: """
                {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a"}}
                """,
            good: """
                {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
                """,
            finding: """
                error: /p
                  The page has inputs, such as "a", so clients refresh it with POST, but it doesn't answer POST.
                  Fix: Let "/p" answer POST as well, with the same page.
                  [inputs-without-post] at /page
                """
        ),
    ]
}
