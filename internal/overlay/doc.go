// Package overlay makes what takes the place of the standard library in test binaries of gnaw: an overlay for the go command.
//
// It reads the testing and fuzzing files of the user's toolchain, and others, edits them at named anchors, adds the probe, and writes the
// result to gnaw's cache ([Inject]). Nothing of Go's source is part of gnaw. An anchor that is not found is an [AnchorError], or a hook that
// [Overlay.Announce] names as left out.
//
// The package builds nothing. Its functions may be called at the same time, from several processes too.
package overlay
