internal import BacklotHTTP
internal import HTTPTypes

extension Router {
    /// Serves the files of a folder where no route answers: regular files only, none that begin with a dot or lie in a folder
    /// that does, and none that a symbolic link leads to.
    ///
    /// Requests with conditions and for ranges are answered as RFC 9110 says, HEAD too, and other methods with 405. A file
    /// that may not be read is answered with 404, as if it weren't there. Large files go from the system to the client without
    /// passing through the program. A folder that has an index is redirected to the path with a slash.
    ///
    /// - Parameters:
    ///   - folder: the folder, from the working directory unless it begins with `/`. It must exist when the server starts;
    ///     when another takes its place, that one is served within a second.
    ///   - path: the path that the folder stands for.
    ///   - cacheControl: the `Cache-Control` of every file; nil for none, which leaves caches to guess. By default they ask each
    ///     time whether a file has changed, which costs little. For files whose names change when they do:
    ///     `"public, max-age=31536000, immutable"`.
    ///   - index: the name of the file that stands for its folder; nil for none.
    ///   - precompressed: whether `page.html.gz`, beside `page.html`, is sent to clients that accept gzip. It counts as long
    ///     as it isn't older than the file, in whole seconds.
    public func files(
        _ folder: String,
        at path: String = "/",
        cacheControl: String? = "no-cache",
        index: String? = "index.html",
        precompressed: Bool = true,
        file: String = #fileID,
        line: Int = #line
    ) {
        let source = SourceLocation(file: file, line: line)
        let names = path.split(separator: "/").map(String.init)
        if !path.hasPrefix("/") || path.contains(where: { "{}?#%\\".contains($0) }) {
            report("files can't be served at '\(path)': it must begin with / and have none of { } ? # % \\", source)
        }
        if let cacheControl, !HTTPField.isValidValue(cacheControl) {
            report("the Cache-Control '\(cacheControl)' can't be the value of a field", source)
        }
        if let index, !FilePath.isPlainName(index) {
            report("the index '\(index)' must be the name of a file, without a dot at its start", source)
        }
        guard let open = FileFolder(folder) else {
            return report("there is no folder '\(folder)' to serve files from", source)
        }
        add(
            StaticFiles(
                open,
                prefix: names.map { "/\($0)" }.joined(),
                fields: FileFields(cacheControl: cacheControl),
                index: index,
                usesPrecompressed: precompressed
            )
        )
    }
}
