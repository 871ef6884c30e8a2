// Package build turns the user's packages into test binaries that gnaw can drive.
//
// It finds the Go toolchain that the user's module asks for ([FindToolchain]), reads that toolchain's own testing and
// fuzzing files, edits them at named anchors, adds the probe and writes the result as an overlay ([Inject]); it makes
// the command line that replaces `go test` ([TestCommand]), finds the fuzz targets of packages ([List]) and builds one
// test binary ([Binary]). Nothing of Go's source is part of gnaw, and nothing of the user's files is changed: the
// overlay and everything else this package writes lie in the user's cache directory ([CacheDir]) and may be deleted.
//
// An anchor that is not found is an [AnchorError], never a silently weaker run. The package knows nothing of corpora,
// workers or findings. Its functions may be called at the same time, from several processes too.
package build
