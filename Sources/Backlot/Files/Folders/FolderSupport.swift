/// What the system can do with a folder; found out once, when it is opened.
struct FolderSupport {
    /// Whether one call opens a whole path, and keeps to the folder.
    var opensBeneath = false
    /// Whether such a call can be made that never waits for the disk.
    var opensCached = false
    /// Whether the folder is in a file system of the network, or in one that a program makes.
    var isRemote = false
}
