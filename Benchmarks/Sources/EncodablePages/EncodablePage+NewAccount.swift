extension EncodablePage {
    /// Builds the sign-up page of the Applin documentation's "Example Exchange".
    public static func newAccount() -> EncodablePage {
        let fields: [EncodableWidget] = [
            .textfield(.init(varName: "username", label: "Username")),
            .navButton(.init(text: "Terms", actions: ["push:/terms"])),
            .navButton(.init(text: "Privacy", actions: ["push:/privacy"])),
            .checkbox(.init(varName: "agree", text: "I agree")),
            .formButton(.init(text: "Create Account", actions: ["rpc:/create_account", "replace_all:/"])),
        ]
        let form = EncodableWidget.form(.init(widgets: fields))
        return EncodablePage(page: .navPage(.init(title: "New Account", widget: .scroll(.init(widget: form)))))
    }
}
