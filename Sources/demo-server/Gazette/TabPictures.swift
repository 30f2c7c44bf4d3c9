import Floki

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The pictures of the tabs: 30 × 30 pixels, of which only the opacity counts.
enum TabPictures {
    static let news = picture(
        """
        iVBORw0KGgoAAAANSUhEUgAAAB4AAAAeCAQAAACROWYpAAAAIklEQVR42mNgGNngP5FwVDOKZsJBOurnUT+P+nmY+3mkAABzSHCe\
        ZTXwrAAAAABJRU5ErkJggg==
        """
    )
    static let photos = picture(
        """
        iVBORw0KGgoAAAANSUhEUgAAAB4AAAAeCAQAAACROWYpAAAAUElEQVR42mNgGAVUAP+xQAq0EqX9PwFIK83/iYBEaSVOBqsSUuSw\
        SBPi49CMyy6iNWMLpiGgmWw/kxHaFMUzhSmMorQ9kFmSwpKE4jJsuAMAFSg80mIebesAAAAASUVORK5CYII=
        """
    )
    static let movie = picture(
        """
        iVBORw0KGgoAAAANSUhEUgAAAB4AAAAeCAQAAACROWYpAAAAR0lEQVR42u2UORIAIAjE+P+nY2vheGWUQtk6KRjYiD84mH0BBqeK\
        gpcFGJxmFDwpwOAMouCu4CicsbD7R5LxGBllkFGAL0wBIHXNM26lrCwAAAAASUVORK5CYII=
        """
    )
    static let about = picture(
        """
        iVBORw0KGgoAAAANSUhEUgAAAB4AAAAeCAQAAACROWYpAAAAUElEQVR42mNgGGbgPxIkUxuJRvzHA8lwLJHa/xPU/J9YBxMSJ9Kv\
        BLUPlGZ8SghqH9VMomYGkjQzDB7NFGUMCrMkMSmcdsUQhQUghUXvEAAA9AeGiAjrobUAAAAASUVORK5CYII=
        """
    )

    private static func picture(_ base64: String) -> Picture? {
        Data(base64Encoded: base64).flatMap { try? Picture(png: Array($0)) }
    }
}
