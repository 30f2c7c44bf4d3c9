import Applin
import Backlot
import Testing

/// Rules about the variables of inputs.
@Suite(.timeLimit(.minutes(5))) struct InputRuleTests {
    @Test(arguments: cases)
    func `The bad page has the finding, the good one none`(rule: RuleCase) throws {
        try rule.check()
    }

    private static let cases: [RuleCase] =
        RuleCase.cases(
            """
            a variable twice [objects]
            - {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"field8",
              "label":"F9"},{"typ":"textfield","var_name":"field8","label":"F10"}]}}
            + {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"field8"},
              {"typ":"textfield","var_name":"field9"}]}}
            error: /p › form › textfield "field8" #2
              The variable "field8" already belongs to textfield "field8" #1: clients since 0.34 fail every POST from the page.
              Fix: Give this textfield another "var_name", such as "field8_2".
              [duplicate-var-name] at /page/widget/widgets/1/var_name

            a variable of a textfield and a checkbox [objects]
            - {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"a"},
              {"typ":"form_section","widgets":[{"typ":"checkbox","var_name":"a"}]}]}}
            + {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"a"},
              {"typ":"checkbox","var_name":"b"}]}}
            error: /p › form › form_section › checkbox "a"
              The variable "a" already belongs to textfield "a": clients since 0.34 fail every POST from the page.
              Fix: Give this checkbox another "var_name", such as "a_2".
              [duplicate-var-name] at /page/widget/widgets/1/widgets/0/var_name

            a variable twice in one selector [objects]
            - {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","options":["A"],
              "initial_string":"A","var_name1":"a","options1":["A"],"initial_string1":"A"}}
            + {"typ":"plain_page","widget":{"typ":"selector","var_name":"a","options":["A"],
              "initial_string":"A","var_name1":"b","options1":["A"],"initial_string1":"A"}}
            error: /p › selector "a"
              The variable "a" already belongs to its "var_name": clients since 0.34 fail every POST from the page.
              Fix: Give this selector another "var_name1", such as "a_2".
              [duplicate-var-name] at /page/widget/var_name1

            an object and an array [objects]
            - {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"color#red"},
              {"typ":"checkbox","var_name":"color%blue"}]}}
            + {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"checkbox","var_name":"color#red"},
              {"typ":"checkbox","var_name":"color#blue"}]}}
            error: /p › form › checkbox "color%blue"
              The variables "color#red" and "color%blue" would go into a POST under one key, "color", as an object and \
            as an array: clients since 0.34 fail every POST from the page.
              Fix: Rename one of them, so that it begins differently.
              [colliding-var-names] at /page/widget/widgets/1/var_name

            a value and an object [objects]
            - {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"color"},
              {"typ":"checkbox","var_name":"color#red"}]}}
            + {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"shade"},
              {"typ":"checkbox","var_name":"color%red"},{"typ":"checkbox","var_name":"color%blue"}]}}
            error: /p › form › checkbox "color#red"
              The variables "color" and "color#red" would go into a POST under one key, "color", as a plain value and \
            as an object: clients since 0.34 fail every POST from the page.
              Fix: Rename one of them, so that it begins differently.
              [colliding-var-names] at /page/widget/widgets/1/var_name

            a variable twice, for clients that send the last one [documented]
            - {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"a"},
              {"typ":"checkbox","var_name":"a"}]}}
            + {"typ":"nav_page","title":"T","end":{"typ":"empty"},"widget":{"typ":"textfield","var_name":"a"}}
            warning: /p › form › checkbox "a"
              The variable "a" already belongs to textfield "a": clients since 0.34 fail every POST from the page.
              Fix: Give this checkbox another "var_name", such as "a_2".
              [duplicate-var-name] at /page/widget/widgets/1/var_name

            a value and an object, for clients that send both [documented]
            - {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"a"},
              {"typ":"checkbox","var_name":"a#b"}]}}
            + {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"a#b"},
              {"typ":"checkbox","var_name":"a#b"}]}}
            warning: /p › form › checkbox "a#b"
              The variables "a" and "a#b" would go into a POST under one key, "a", as a plain value and as an object: clients \
            since 0.34 fail every POST from the page.
              Fix: Rename one of them, so that it begins differently.
              [colliding-var-names] at /page/widget/widgets/1/var_name

            two names that differ after the second # [objects]
            - {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"a#b#c"},
              {"typ":"textfield","var_name":"a#b#d"}]}}
            + {"typ":"plain_page","widget":{"typ":"form","widgets":[{"typ":"textfield","var_name":"#a#b"},
              {"typ":"textfield","var_name":"a##c"},{"typ":"textfield","var_name":"%v%w"}]}}
            warning: /p › form › textfield "a#b#d"
              Clients since 0.34 send one value for the variables "a#b#c" and "a#b#d", as "a#b".
              Fix: Write names with one "#".
              [colliding-var-names] at /page/widget/widgets/1/var_name

            a name that ends in # [objects]
            - {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a#"}}
            + {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a##b"}}
            error: /p › textfield "a#"
              The variable "a#" has nothing before or after the "#": clients since 0.34 fail every POST from the page.
              Fix: Write a name without "#", or with something on both sides of it: "size#width".
              [malformed-var-name] at /page/widget/var_name

            a name that begins with % [documented]
            - {"typ":"plain_page","widget":{"typ":"textfield","var_name":"%a"}}
            + {"typ":"plain_page","widget":{"typ":"textfield","var_name":"b%a"}}
            warning: /p › textfield "%a"
              The variable "%a" has nothing before or after the "%": clients since 0.34 fail every POST from the page.
              Fix: Write a name without "%", or with something on both sides of it: "size%width".
              [malformed-var-name] at /page/widget/var_name
            """
        )
        + RuleCase.cases(
            app: ["/p": [.get]],
            """
            inputs without POST
            - {"typ":"plain_page","widget":{"typ":"textfield","var_name":"a"}}
            + {"typ":"plain_page","widget":{"typ":"text","text":"Hi"}}
            error: /p
              The page has inputs, such as "a", so clients refresh it with POST, but it doesn't accept POST.
              Fix: Let "/p" accept POST as well, with the same page.
              [inputs-without-post] at /page
            """
        )
}
