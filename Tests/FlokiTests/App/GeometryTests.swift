import TestSupport
import Testing

@testable import Floki

/// The reference's examples of numbers and texts.
@Suite(.timeLimit(.minutes(5))) struct GeometryTests {
    @Test(arguments: [
        (79, 2, 4, 75, 75, 2), (79, 3, 6, 46, 73, 4), (79, 2, 1, 312, 75, 2), (100, 10, 3, 80, 80, 10),
        (79, 2, 400, -4, 75, 160),
    ])
    func `Thumbnails have the size that clients compute`(
        row: Int,
        padding: Int,
        count: Int,
        width: Int,
        height: Int,
        left: Int
    ) {
        let geometry = GalleryGeometry(rowHeight: row, padding: padding, cellsPerRow: count)
        #expect(geometry.imageWidth == width)
        #expect(geometry.imageHeight == height)
        #expect(geometry.left == left)
    }

    @Test func `A gallery computes its own`() {
        let gallery = galleryViewController(GalleryFeed("g", in: MemoryFeedStore()))
        #expect(gallery.geometry == GalleryGeometry(rowHeight: 79, padding: 2, cellsPerRow: 4))
        #expect(gallery.padding(3).cellsPerRow(6).geometry.imageWidth == 46)
    }

    @Test(arguments: [
        ("http://efaber.net/video/ts/roly-poly.m3u8", "http://efaber.net/video/html5/roly-poly.m4v"),
        ("http://efaber.net/x.mp4", "http://efaber.net/x.mp4"),
    ])
    func `A stream's URL becomes that of its file`(url: String, file: String) {
        #expect(MovieViewController.progressiveFile(from: url) == file)
    }

    @Test(arguments: [
        (10000, "Share this news..."), (10004, "Cancel"), (10005, "<TITLE>"), (10008, #"<A HREF="<URL>"><URL></A>"#),
        (10009, #"<A HREF="<URL>"><PHOTO_DESC></A>"#), (10010, "Share this movie..."), (10016, "Sections"),
    ])
    func `Each reserved number has its text`(number: Int, text: String) {
        #expect(ReservedTexts.text(number) == text)
    }

    @Test func `No other numbers are reserved`() {
        #expect(ReservedTexts.text(9_999) == nil)
        #expect(ReservedTexts.text(10_017) == nil)
        #expect(TextName.shareNews.reserved == 10_000)
        #expect(TextName.sectionsButton.reserved == 10_016)
    }

    @Test(arguments: [[], [0x89, 0x50, 0x4E], Array("GIF89a".utf8)])
    func `Bytes that are not a PNG file are refused`(bytes: [UInt8]) {
        #expect(throws: PictureError.self) { try Picture(png: bytes) }
        #expect(throws: PictureError(description: "the picture '/nowhere.png' can't be read")) {
            try Picture(file: "/nowhere.png")
        }
    }

    @Test func `A picture is read from a PNG file`() async throws {
        try await withTemporaryFolder { folder in
            let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0xFB, 0xFF]
            let picture = try Picture(file: folder.write(bytes, to: "tab.png"))
            #expect(picture.base64 == "iVBORw0KGgr7/w==")
            let text = try folder.write("no picture", to: "text.png")
            #expect(throws: PictureError(description: "the picture '\(text)' is not a PNG file")) {
                try Picture(file: text)
            }
        }
    }
}
