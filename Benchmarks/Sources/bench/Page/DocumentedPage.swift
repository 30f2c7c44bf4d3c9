/// The answer of the Applin documentation's "Example Exchange", which every server gives.
enum DocumentedPage {
    /// The path under which it is asked for.
    static let path = "/new_account"

    /// The Content-Type of every page.
    static let contentType = "application/vnd.applin_response"

    /// The body in its shortest form.
    static let body = [
        #"{"page":{"typ":"nav_page","title":"New Account","widget":{"typ":"scroll","widget":{"typ":"form","widgets":["#,
        #"{"typ":"textfield","label":"Username","var_name":"username"},"#,
        #"{"typ":"nav_button","text":"Terms","actions":["push:/terms"]},"#,
        #"{"typ":"nav_button","text":"Privacy","actions":["push:/privacy"]},"#,
        #"{"typ":"checkbox","text":"I agree","var_name":"agree"},"#,
        #"{"typ":"form_button","text":"Create Account","actions":["rpc:/create_account","replace_all:/"]}"#,
        #"]}}}}"#,
    ].joined()
}
