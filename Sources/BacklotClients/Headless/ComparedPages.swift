package import Backlot

/// The pages of a protocol whose clients fill in inputs and follow links, as a comparison of two backends reads them.
package struct ComparedPages: Sendable {
    /// Their media type.
    package let contentType: String
    /// The variables of the inputs, and whether each is a boolean or a text.
    package let inputs: @Sendable (JSONValue) -> [String: Bool]
    /// The links of a page to other pages.
    package let links: @Sendable (_ document: JSONValue, _ path: String) -> [(target: String, place: FindingPath)]
    /// The findings that make clients reject a page.
    package let judge: @Sendable (ClientResponse, _ path: String, _ base: HTTPURL, ClientLimits) -> [Finding]
    /// The body of a POST from a page while nobody has touched its inputs, and the rpcs that it leads to.
    package let form:
        @Sendable (ClientResponse, _ path: String, ClientLimits) -> (variables: JSONObject?, rpcs: [String])?
    /// The dialect of a page; nil for a page that is for all.
    package let dialect: @Sendable (JSONValue) -> String?
}
