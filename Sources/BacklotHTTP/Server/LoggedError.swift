/// An unexpected error that is in the log already: the server answers it with 500, and doesn't log it again.
package struct LoggedError: Error {
    package let error: any Error

    package init(_ error: any Error) {
        self.error = error
    }
}
