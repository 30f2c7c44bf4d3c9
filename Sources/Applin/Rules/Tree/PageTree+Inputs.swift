/// The variables that the page's inputs set.
extension PageTree {
    /// One variable of one input.
    struct Input {
        let node: Int
        /// The key that names the variable: `var_name`, or `var_name1` of a selector.
        let key: String
        let varName: String
    }

    /// Every variable of every input, in the order of the page. A client sends all of them in each POST of the page.
    var inputs: [Input] {
        nodes(.widget, ["checkbox", "selector", "textfield"]).flatMap { node in
            let keys = nodes[node].typ == "selector" ? ["var_name", "var_name1", "var_name2"] : ["var_name"]
            return keys.compactMap { key in
                nodes[node].string(key).map { Input(node: node, key: key, varName: $0) }
            }
        }
    }
}
