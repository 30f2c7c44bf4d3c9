# demo-server as a container: a build stage with Swift, and a small one to run in, without it.
#
#     docker build -t backlot .
#     docker run --rm -p 8080:8080 --read-only --tmpfs /tmp -v backlot-data:/data backlot
#
# Mount mock routes of your own at /app/Routes, and files at /app/Public. What `demo-server config` lists can be set by
# variables: -e LOG_LEVEL=debug. compose.yaml and Examples/Kubernetes start two replicas.

FROM docker.io/library/swift:6.3-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libhiredis-dev libjs-codemirror libnghttp2-dev libpcre2-dev libpq-dev libqrencode-dev libsqlite3-dev libssl-dev \
        libxml2-dev libyaml-dev make zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN make static && strip -o /demo-server .build/release/demo-server

FROM docker.io/library/debian:bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates libhiredis0.14 libnghttp2-14 libpcre2-8-0 libpq5 libqrencode4 libsqlite3-0 libssl3 libstdc++6 libxml2 libyaml-0-2 \
        zlib1g \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/log/* \
    && install -d -o 10001 -g 10001 /data
COPY --from=build /demo-server /usr/local/bin/demo-server
COPY Routes /app/Routes
COPY Public /app/Public
WORKDIR /app
# A fixed number rather than a name, so that orchestrators can see that it isn't root.
USER 10001:10001
ENV HOST=0.0.0.0 PORT=8080 SESSIONS=sqlite:/data/sessions.sqlite
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s --retries=3 CMD ["demo-server", "health"]
ENTRYPOINT ["demo-server"]
CMD ["serve"]
