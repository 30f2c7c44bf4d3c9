/// How clients may come to speak HTTP/2. There is no TLS here: it is for proxies and clouds that speak HTTP/2 in clear text.
public enum HTTP2Support: Sendable {
    /// Not at all.
    case off
    /// Those that know that it is spoken send its preface at once (RFC 9113, section 3.3). HTTP/1 is spoken to all others.
    case priorKnowledge
    /// In addition, a request of HTTP/1.1 without a body may ask for it with `Upgrade: h2c` (RFC 7540, section 3.2, which
    /// RFC 9113 has dropped). Only for clients that can't do otherwise: a proxy that passes the field on without looking
    /// lets its clients speak past it.
    case upgrade
}
