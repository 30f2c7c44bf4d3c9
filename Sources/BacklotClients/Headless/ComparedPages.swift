package import Backlot

/// The functions that read a protocol's pages for a comparison of two backends. The protocol's clients fill in inputs and follow links.
package struct ComparedPages: Sendable {
    /// The media type of the pages.
    package let contentType: String
    /// The variables of the inputs, and whether each is a boolean or a text.
    package let inputs: @Sendable (JSONValue) -> [String: Bool]
    /// The links from a page to other pages.
    package let links: @Sendable (_ document: JSONValue, _ path: String) -> [(target: String, place: FindingPath)]
    /// The findings that make clients reject a page.
    package let judge: @Sendable (ClientResponse, _ path: String, _ base: HTTPURL, ClientLimits) -> [Finding]
    /// The body of a POST from a page with untouched inputs, and the rpcs of the page.
    package let form:
        @Sendable (ClientResponse, _ path: String, ClientLimits) -> (variables: JSONObject?, rpcs: [String])?
    /// The dialect of a page; nil if the page suits all dialects.
    package let dialect: @Sendable (JSONValue) -> String?
}
