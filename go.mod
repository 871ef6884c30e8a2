module github.com/gnaw-fuzz/gnaw

go 1.24.0

require (
	github.com/rogpeppe/go-internal v1.14.1
	golang.org/x/sys v0.26.0
)

require (
	golang.org/x/mod v0.21.0 // indirect
	golang.org/x/tools v0.26.0 // indirect
)
