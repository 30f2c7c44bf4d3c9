// Clients over TLS 1.3, for figures that no other load generator gives. In C: it costs least of the processors that it
// shares with the servers.
//
//     bench-tls full|resumed PORT SECONDS CONNECTIONS     shakes hands as often as the server does
//     bench-tls hold PORT PATH COUNT                      holds idle connections until SIGTERM
//
// And a server that keeps nothing of a connection but OpenSSL's own object, with the settings of Backlot's:
//
//     bench-tls serve CERTIFICATE KEY CIPHERS

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    int descriptor;
    SSL *ssl;
} Connection;

static SSL_CTX *context;
static int port;
static SSL_SESSION *latest;
static int hasTicket;

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, errno ? strerror(errno) : "failed");
    ERR_print_errors_fp(stderr);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static int keep(SSL *ssl, SSL_SESSION *session) {
    hasTicket = 1;
    SSL_SESSION_free(latest);
    latest = session;
    return 1;
}

static Connection begin(SSL_SESSION *session, int isBlocking) {
    Connection connection = {socket(AF_INET, SOCK_STREAM | (isBlocking ? 0 : SOCK_NONBLOCK), 0), SSL_new(context)};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connection.descriptor < 0) fail("socket");
    int yes = 1;
    setsockopt(connection.descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(connection.descriptor, (struct sockaddr *)&address, sizeof address) < 0 && errno != EINPROGRESS) fail("connect");
    errno = 0;
    SSL_set_fd(connection.ssl, connection.descriptor);
    SSL_set_connect_state(connection.ssl);
    if (session) SSL_set_session(connection.ssl, session);
    return connection;
}

static void end(Connection *connection) {
    SSL_shutdown(connection->ssl);
    SSL_free(connection->ssl);
    close(connection->descriptor);
}

/// Goes on with a connection. Returns the events to wait for; 0 when its handshake is over, its ticket included.
static int step(Connection *connection) {
    ERR_clear_error();
    hasTicket = 0;
    int result = SSL_do_handshake(connection->ssl);
    if (result == 1) {
        char byte;
        result = SSL_read(connection->ssl, &byte, 1);
        if (hasTicket) return 0;
    }
    switch (SSL_get_error(connection->ssl, result)) {
    case SSL_ERROR_WANT_READ: return POLLIN;
    case SSL_ERROR_WANT_WRITE: return POLLOUT;
    default: fail("handshake"); return 0;
    }
}

static void shakeHands(int isResumed, double seconds, int count) {
    Connection *connections = calloc(count, sizeof *connections);
    struct pollfd *waiting = calloc(count, sizeof *waiting);
    long handshakes = 0, resumed = 0;
    double start = now(), stop = start + seconds;
    for (int index = 0; index < count; index += 1) {
        connections[index] = begin(NULL, 0);
        waiting[index] = (struct pollfd){connections[index].descriptor, POLLOUT, 0};
    }
    while (now() < stop) {
        if (poll(waiting, count, 5000) <= 0) fail("poll");
        for (int index = 0; index < count; index += 1) {
            if (!waiting[index].revents) continue;
            int events = step(&connections[index]);
            if (!events) {
                handshakes += 1;
                resumed += SSL_session_reused(connections[index].ssl);
                end(&connections[index]);
                connections[index] = begin(isResumed ? latest : NULL, 0);
                events = POLLOUT;
            }
            waiting[index] = (struct pollfd){connections[index].descriptor, events, 0};
        }
    }
    double duration = now() - start;
    for (int index = 0; index < count; index += 1) end(&connections[index]);
    if (isResumed ? resumed + count < handshakes : resumed > 0) fail("sessions were not resumed as they should be");
    printf("%ld handshakes in %.3f s\n", handshakes, duration);
}

static void ask(Connection *connection, const char *path) {
    char text[65536];
    int count = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", path, port);
    if (SSL_write(connection->ssl, text, count) != count) fail("write");
    int length = 0;
    while (1) {
        count = SSL_read(connection->ssl, text + length, sizeof text - 1 - length);
        if (count <= 0) fail("read");
        text[length += count] = 0;
        char *body = strstr(text, "\r\n\r\n"), *field = strcasestr(text, "\r\nContent-Length:");
        if (!body) continue;
        if (strncmp(text, "HTTP/1.1 200 ", 13) || !field) fail(text);
        if (length >= body + 4 - text + atoi(field + 17)) return;
    }
}

static void hold(const char *path, int count) {
    Connection *connections = calloc(count, sizeof *connections);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    for (int index = 0; index < count; index += 1) {
        connections[index] = begin(NULL, 1);
        ask(&connections[index], path);
    }
    printf("holding %d connections\n", count);
    fflush(stdout);
    int signal;
    sigwait(&signals, &signal);
    // Some of them must still answer.
    int each = count > 100 ? count / 100 : 1;
    for (int index = 0; index < count; index += each) ask(&connections[index], path);
}

/// Answers what a connection asks, and closes it when it has ended.
static void answer(SSL *ssl) {
    static const char text[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    static char bytes[16384];
    ERR_clear_error();
    int result = SSL_do_handshake(ssl);
    if (result == 1) {
        while ((result = SSL_read(ssl, bytes, sizeof bytes)) > 0) {
            if (SSL_write(ssl, text, sizeof text - 1) <= 0) break;
        }
    }
    if (SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ) return;
    close(SSL_get_fd(ssl));
    SSL_free(ssl);
}

static void serve(const char *certificate, const char *key, const char *ciphers) {
    context = SSL_CTX_new(TLS_server_method());
    if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1) fail(certificate);
    if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) fail(key);
    if (SSL_CTX_set_cipher_list(context, ciphers) != 1) fail(ciphers);
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), poller = epoll_create1(0);
    if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 511)) fail("listen");
    getsockname(listener, (struct sockaddr *)&address, &length);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event);
    printf("listening on http://127.0.0.1:%d/\n", ntohs(address.sin_port));
    fflush(stdout);
    while (1) {
        if (epoll_wait(poller, &event, 1, -1) != 1) fail("epoll");
        if (event.data.ptr) {
            answer(event.data.ptr);
            continue;
        }
        int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (descriptor < 0) fail("accept");
        int yes = 1;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        SSL *ssl = SSL_new(context);
        SSL_set_fd(ssl, descriptor);
        SSL_set_accept_state(ssl);
        event = (struct epoll_event){.events = EPOLLIN, .data.ptr = ssl};
        epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event);
    }
}

int main(int count, char **arguments) {
    if (count != 5) return fprintf(stderr, "see the beginning of main.c\n"), 64;
    signal(SIGPIPE, SIG_IGN);
    if (!strcmp(arguments[1], "serve")) serve(arguments[2], arguments[3], arguments[4]);
    context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set1_groups_list(context, "X25519");
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context, keep);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_AUTO_RETRY);
    port = atoi(arguments[2]);
    if (!strcmp(arguments[1], "hold")) {
        hold(arguments[3], atoi(arguments[4]));
    } else {
        shakeHands(!strcmp(arguments[1], "resumed"), atof(arguments[3]), atoi(arguments[4]));
    }
    return 0;
}
