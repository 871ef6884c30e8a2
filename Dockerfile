# An image with Go, git and gnaw. See docs/install.md for how to use it.
ARG GO=1.27.3
FROM golang:${GO}-alpine AS build
RUN apk add --no-cache git
WORKDIR /gnaw
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 GOWORK=off go build -trimpath -ldflags="-s -w" -o /usr/local/bin/gnaw ./cmd/gnaw

FROM golang:${GO}-alpine
# gnaw reads the commit of the module, whoever owns the mounted folder. Any user may write to the cache.
RUN apk add --no-cache git && git config --system --add safe.directory /src && mkdir -m 1777 /cache
COPY --from=build /usr/local/bin/gnaw /usr/local/bin/gnaw
ENV GOCACHE=/cache/go-build GOMODCACHE=/cache/mod XDG_CACHE_HOME=/cache GOTOOLCHAIN=auto
WORKDIR /src
ENTRYPOINT ["gnaw"]
CMD ["fuzz", "./..."]
