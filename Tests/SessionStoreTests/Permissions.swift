import Foundation

/// Who may do what with a file, as `chmod` has it.
func permissions(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
}
