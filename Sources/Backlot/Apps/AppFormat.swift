/// The way that the files of a folder make up an app of one protocol, such as Xpedite's `NAME.method.yaml`.
///
/// Each protocol's module declares its own. It defines the contents of a file, and mounts the app that the files describe.
public struct AppFormat: Sendable {
    /// Mounts the app of a folder. The mock server calls it again after each change to a file; it keeps the state that must
    /// survive.
    package typealias Mount = @Sendable (_ folder: AppFolder, _ routes: any Routes) -> Void

    /// The part of a file's name before its extension: `method` in `log_in.method.yaml`.
    package let kind: String
    /// Whether tags in a file are filled in for each request.
    package let hasTags: Bool
    /// The vocabulary of a file.
    package let vocabulary: Vocabulary
    /// The kind of a file's outermost object.
    package let root: Kind
    /// The key of a file's responses to what users do, and their role: mocks let them depend on scenarios and data, and change both.
    package let reactions: (key: String, role: Role)?
    /// The form of files in JSON lines, `NAME.KIND.jsonl`; nil without such files.
    package let lines: Lines?
    private let rules: @Sendable (_ document: JSONValue, _ name: String) -> [Finding]
    /// Whether to leave out a finding, because a file's blocks may add or remove what it is about.
    package let ignores: Ignoring

    package typealias Ignoring = @Sendable (_ finding: Finding, _ hasBlocks: Bool) -> Bool
    /// Makes the function that mounts the app of one folder.
    package let newApp: @Sendable () -> Mount

    /// The lines of a file: elements of a list, and reactions, each with the elements after it.
    package struct Lines: Sendable {
        /// The key of the list, in the file and in a reaction.
        package let key: String
        /// The reaction that a line begins; nil for an element.
        package let reaction: @Sendable (JSONValue) -> JSONObject?

        package init(_ key: String, reaction: @escaping @Sendable (JSONValue) -> JSONObject?) {
            (self.key, self.reaction) = (key, reaction)
        }
    }

    /// - Parameter rules: finds the faults that a vocabulary can't describe, in a document that uses the vocabulary correctly.
    package init(
        kind: String,
        hasTags: Bool,
        vocabulary: Vocabulary,
        root: Kind,
        reactions: (key: String, role: Role)? = nil,
        lines: Lines? = nil,
        rules: @escaping @Sendable (_ document: JSONValue, _ name: String) -> [Finding],
        ignores: @escaping Ignoring = { _, _ in false },
        newApp: @escaping @Sendable () -> Mount
    ) {
        self.kind = kind
        self.hasTags = hasTags
        self.vocabulary = vocabulary
        self.root = root
        self.reactions = reactions
        self.lines = lines
        self.rules = rules
        self.ignores = ignores
        self.newApp = newApp
    }

    /// The findings of a file; empty for a correct file.
    ///
    /// - Parameter name: the file's name in findings.
    package func findings(in document: JSONValue, name: String) -> [Finding] {
        var reader = DocumentReader(vocabulary, for: vocabulary.audiences[0])
        reader.read(document, as: root)
        let findings = reader.remarks.findings(in: reader.tree, name: name)
        if findings.contains(where: \.isMistakeInFile) { return findings }
        // The rules of some protocols read a page by the same vocabulary.
        let known = Set(findings.map { "\($0.rule) \($0.path.pointer)" })
        return findings + rules(document, name).filter { !known.contains("\($0.rule) \($0.path.pointer)") }
    }
}

extension AppFormat {
    /// The same with further keys for reactions, and the kinds of the keys' values.
    package func adding(_ keys: [Key], _ kinds: [Kind]) -> AppFormat {
        guard let reactions else { return self }
        return AppFormat(
            kind: kind,
            hasTags: hasTags,
            vocabulary: vocabulary.adding(keys, to: reactions.role).adding(kinds),
            root: root,
            reactions: reactions,
            lines: lines,
            rules: rules,
            ignores: ignores,
            newApp: newApp
        )
    }

    /// The JSON Schema of a file.
    package var schema: JSONValue {
        let hasTags = hasTags
        return VocabularySchema(vocabulary, roots: [root]) { _ in hasTags }
            .document(of: root, title: "NAME.\(kind).yaml, NAME.\(kind).json")
    }
}

extension Finding {
    /// Whether a file with this finding isn't served. Clients only skip a misspelt key, but its author meant it to have an effect.
    package var isMistakeInFile: Bool { severity == .error || rule == "unknown-key" || rule == "foreign-key" }
}

/// The files of one kind in a folder.
package struct AppFolder: Sendable {
    /// The files; at least one.
    package let files: [AppFile]
    /// The folder's whole path, without a slash at its end.
    package let path: String
    /// The store of the app's sessions.
    package let sessions: any SessionStore
    /// The clock of the app, for its sessions and entries.
    package let clock: SessionClock

    package init(files: [AppFile], path: String, sessions: any SessionStore, clock: SessionClock = .system) {
        self.files = files
        self.path = path
        self.sessions = sessions
        self.clock = clock
    }
}

/// One file of an app.
package struct AppFile: Sendable {
    /// The file's path relative to the routes' folder.
    package let path: String
    /// The part of its name before the kind: `log_in` in `log_in.method.yaml`.
    package let name: String
    /// Its contents, with samples in place of tags.
    package let document: JSONValue
    /// The lines of its parts.
    package let lines: SourceLines
    /// Its contents for one request, with tags filled in, but without its reactions.
    package let filled: @Sendable (AppCall) throws -> JSONValue
    /// The first of its reactions that fits a request, and that the states and data of the client allow. It makes the reaction's changes,
    /// and fills in its tags afterwards.
    package let reaction: Reaction

    package typealias Reaction =
        @Sendable (AppCall, _ fits: @Sendable (JSONValue) -> Bool) async throws -> JSONValue?

    package init(
        path: String,
        name: String,
        document: JSONValue,
        lines: SourceLines,
        filled: @escaping @Sendable (AppCall) throws -> JSONValue,
        reaction: @escaping Reaction = { _, _ in nil }
    ) {
        self.path = path
        self.name = name
        self.document = document
        self.lines = lines
        self.filled = filled
        self.reaction = reaction
    }

    /// The location of a part, for error texts about the mounted app.
    package func source(_ pointer: String = "") -> CodeLocation {
        CodeLocation(file: path, line: lines.line(pointer) ?? 1)
    }
}

/// A request and the values that fill in the tags of a file.
package struct AppCall: Sendable {
    package let request: Request
    /// The values that the client sent, by name.
    package let variables: JSONObject
    /// The user who is logged in; nil for nobody.
    package let user: String?

    package init(_ request: Request, variables: JSONObject = JSONObject(), user: String? = nil) {
        self.request = request
        self.variables = variables
        self.user = user
    }
}

/// A version that rises with each change to some content, for protocols with clients that cache content by version.
///
/// It starts at the number of seconds since 2020, so that it also rises when the program restarts.
package final class ContentVersion: Sendable {
    private let state: Locked<(content: [JSONValue], version: Int)>

    package init(_ clock: SessionClock = .system) {
        state = Locked(([], clock.secondsSince1970 - 1_577_836_800))
    }

    /// The current version of some content.
    package func version(of content: [JSONValue]) -> Int {
        state.withLock { state in
            if state.content != content { state = (content, state.version + 1) }
            return state.version
        }
    }
}
