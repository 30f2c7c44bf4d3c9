@testable import Backlot
@testable import BacklotHTTP

extension FuzzTarget {
    /// Conditions: the tags that are found stand in the field as they are, a date says the same when it is written anew, and of
    /// each pair of conditions at most one holds back.
    static let conditions = FuzzTarget(name: "conditions") { input async throws(Violation) in
        guard let request = RequestWith.field("If-None-Match", input), let field = request.headers[.ifNoneMatch] else {
            return false
        }
        var isUnderstood = false
        if let date = HTTPDate(field) {
            isUnderstood = true
            try require(HTTPDate(date.description) == date, "\(field.debugDescription) is \(date)")
            try checkDate(field, date)
        }
        switch ETagCondition(field) {
        case .any:
            isUnderstood = true
            let text = field.filter { $0 != " " && $0 != "\t" }
            try require(text == "*", "any: \(field.debugDescription)")
        case .tags(let tags):
            if !tags.isEmpty { isUnderstood = true }
            for tag in tags {
                try require(field.utf8.contains(tag.description.utf8), "\(tag) of \(field.debugDescription)")
                try require(ETag(parsing: tag.description) == tag, "\(tag) is read as another")
                try require(tag.weaklyMatches(tag) && tag.stronglyMatches(tag) == !tag.isWeak, "\(tag) and itself")
                try checkTag(field, tag)
            }
            let other = Validators(eTag: ETag("another"))
            if !tags.contains(where: { $0.value == "another" }) {
                try require(Preconditions(ifMatch: field).evaluate(other, .put) == .failed, "\(field) has another")
                try require(Preconditions(ifNoneMatch: field).evaluate(other, .get) == .met, "\(field) has another")
            }
        }
        return isUnderstood
    }

    private static func checkTag(_ field: String, _ tag: ETag) throws(Violation) {
        let current = Validators(eTag: tag)
        try require(Preconditions(ifNoneMatch: field).evaluate(current, .get) == .notModified, "\(tag) by GET")
        try require(Preconditions(ifNoneMatch: field).evaluate(current, .put) == .failed, "\(tag) by PUT")
        let matched = Preconditions(ifMatch: field).evaluate(current, .put) == .met
        let isStrong = !tag.isWeak
        // Another tag of the list may be the same one without W/, so a weak one says nothing.
        try require(matched || !isStrong, "\(tag) isn't matched by itself")
    }

    private static func checkDate(_ field: String, _ date: HTTPDate) throws(Violation) {
        for seconds in [-1, 0, 1] {
            let modified = HTTPDate(secondsSince1970: date.secondsSince1970 + seconds)
            let current = Validators(lastModified: modified)
            let isNewer = modified > date
            let since = Preconditions(ifModifiedSince: field).evaluate(current, .get)
            try require(since == (isNewer ? .met : .notModified), "\(modified) since \(date)")
            let before = Preconditions(ifUnmodifiedSince: field).evaluate(current, .put)
            try require(before == (isNewer ? .failed : .met), "\(modified) before \(date)")
        }
    }
}
