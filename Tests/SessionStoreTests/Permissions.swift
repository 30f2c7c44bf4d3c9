import Foundation

/// The permissions of a file, as a number for `chmod`.
func permissions(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}
