/// How the files of a folder make up an app of one protocol, such as Xpedite's `NAME.method.yaml`.
///
/// Each protocol's module declares one: it says what a file can hold, and mounts the app that some files describe.
public struct AppFormat: Sendable {
    /// Mounts the app of a folder. It is called again whenever one of the files has changed, and remembers what must last.
    package typealias Mount = @Sendable (_ folder: AppFolder, _ routes: any Routes) -> Void

    /// What stands before the ending of a file's name: `method` in `log_in.method.yaml`.
    package let kind: String
    /// Whether tags in a file are filled in for each request.
    package let hasTags: Bool
    /// The words of a file.
    package let vocabulary: Vocabulary
    /// The kind of a file's outermost object.
    package let root: Kind
    private let rules: @Sendable (_ document: JSONValue, _ name: String) -> [Finding]
    /// Makes what mounts the app of one folder.
    package let newApp: @Sendable () -> Mount

    /// - Parameter rules: finds what no vocabulary can say, in a document whose words are right.
    package init(
        kind: String,
        hasTags: Bool,
        vocabulary: Vocabulary,
        root: Kind,
        rules: @escaping @Sendable (_ document: JSONValue, _ name: String) -> [Finding],
        newApp: @escaping @Sendable () -> Mount
    ) {
        self.kind = kind
        self.hasTags = hasTags
        self.vocabulary = vocabulary
        self.root = root
        self.rules = rules
        self.newApp = newApp
    }

    /// What is wrong with a file; empty when all is well.
    ///
    /// - Parameter name: what the file is called in findings.
    package func findings(in document: JSONValue, name: String) -> [Finding] {
        var reader = DocumentReader(vocabulary, for: vocabulary.audiences[0])
        reader.read(document, as: root)
        let findings = reader.remarks.findings(in: reader.tree, name: name)
        return findings.contains(where: \.isMistakeInFile) ? findings : findings + rules(document, name)
    }
}

extension AppFormat {
    /// The JSON Schema of a file.
    package var schema: JSONValue {
        let hasTags = hasTags
        return VocabularySchema(vocabulary, roots: [root]) { _ in hasTags }
            .document(of: root, title: "NAME.\(kind).yaml, NAME.\(kind).json")
    }
}

extension Finding {
    /// Whether a file with it isn't served: clients only pass over a key that is misspelt, but its author meant something by it.
    package var isMistakeInFile: Bool { severity == .error || rule == "unknown-key" || rule == "foreign-key" }
}

/// The files of one kind in a folder.
package struct AppFolder: Sendable {
    /// The files, by their names; never empty.
    package let files: [AppFile]
    /// The folder's whole path, without a slash at its end.
    package let path: String
    /// Where the app keeps its sessions.
    package let sessions: any SessionStore

    package init(files: [AppFile], path: String, sessions: any SessionStore) {
        self.files = files
        self.path = path
        self.sessions = sessions
    }
}

/// One file of an app.
package struct AppFile: Sendable {
    /// The file's path below the routes' folder.
    package let path: String
    /// What stands before the kind in its name: `log_in` in `log_in.method.yaml`.
    package let name: String
    /// What it holds; tags are filled in with samples.
    package let document: JSONValue
    /// Where its parts stand.
    package let lines: SourceLines
    /// What it holds for a request, with tags filled in.
    package let filled: @Sendable (AppCall) throws -> JSONValue

    package init(
        path: String,
        name: String,
        document: JSONValue,
        lines: SourceLines,
        filled: @escaping @Sendable (AppCall) throws -> JSONValue
    ) {
        self.path = path
        self.name = name
        self.document = document
        self.lines = lines
        self.filled = filled
    }

    /// The place of a part, for mistakes in what is mounted.
    package func source(_ pointer: String = "") -> CodeLocation {
        CodeLocation(file: path, line: lines.line(pointer) ?? 1)
    }
}

/// A request for which the tags of a file are filled in.
package struct AppCall: Sendable {
    package let request: Request
    /// The values that the client has sent, by their names.
    package let variables: JSONObject
    /// The user who is logged in; nil for nobody.
    package let user: String?

    package init(_ request: Request, variables: JSONObject = JSONObject(), user: String? = nil) {
        self.request = request
        self.variables = variables
        self.user = user
    }
}

/// A version that rises whenever some content changes, for protocols whose clients keep what they have got until it does.
///
/// It begins with the seconds since 2020, so that it also rises when the program is started anew.
package final class ContentVersion: Sendable {
    private let state: Locked<(content: [JSONValue], version: Int)>

    package init(_ clock: SessionClock = .system) {
        state = Locked(([], clock.secondsSince1970 - 1_577_836_800))
    }

    /// The version of some content.
    package func version(of content: [JSONValue]) -> Int {
        state.withLock { state in
            if state.content != content { state = (content, state.version + 1) }
            return state.version
        }
    }
}
