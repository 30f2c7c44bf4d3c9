import Applin
import Testing

/// Rules about lists of actions and modals.
@Suite(.timeLimit(.minutes(5))) struct ActionRuleTests {
    @Test(arguments: cases)
    func `The bad page has the finding, the good one none`(rule: RuleCase) throws {
        try rule.check()
    }

    private static let cases = RuleCase.cases(
        """
        actions after a modal [objects]
        - [{"typ":"modal","title":"Sure?","buttons":[{"text":"OK","actions":[]}]},{"typ":"pop"}]
        + [{"typ":"poll"},{"typ":"modal","title":"Sure?","buttons":[{"text":"OK","actions":[]}]}]
        warning: /p › button "Go" › pop
          Actions after a modal never run.
          Fix: Move them into the actions of the modal's buttons, or before the modal.
          [actions-after-modal] at /page/widget/actions/1

        two buttons Cancel [objects]
        - {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"modal","title":"Sure?",
          "buttons":[{"text":"Cancel","actions":[]},{"text":"OK","actions":[]},{"text":"Cancel",
          "actions":[]}]}]}}
        + {"typ":"plain_page","widget":{"typ":"button","text":"Go","actions":[{"typ":"modal","title":"Sure?",
          "buttons":[{"text":"Cancel","actions":[]},{"text":"!Delete","actions":[]}]}]}}
        error: /p › button "Go" › modal "Sure?" › button "Cancel" #2
          A modal with two buttons "Cancel" crashes the client.
          Fix: Remove this one, or give it another text.
          [two-cancel-buttons] at /page/widget/actions/0/buttons/2/text

        a modal without buttons [objects]
        - [{"typ":"modal","title":"Sure?","buttons":[]}]
        + [{"typ":"modal","title":"Sure?","buttons":[{"text":"OK","actions":[]}]}]
        error: /p › button "Go" › modal "Sure?"
          "buttons" has 0 elements, but must be an array of buttons, with 1 element or more: clients \
        reject the whole page.
          Fix: Make "buttons" an array of buttons, with 1 element or more.
          [wrong-count] at /page/widget/actions/0/buttons

        on_user_error_poll without an rpc [documented]
        - ["on_user_error_poll","pop"]
        + ["on_user_error_poll","rpc:/x"]
        warning: /p › button "Go" › on_user_error_poll
          on_user_error_poll does nothing in a list of actions without an rpc.
          Fix: Add an rpc to the list, or remove on_user_error_poll.
          [on-user-error-poll-without-rpc] at /page/widget/actions/0
        """
    )
}
