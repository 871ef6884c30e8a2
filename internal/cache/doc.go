// Package cache is gnaw's folder for what it can make again: overlays, linked test binaries, copies of modules, and what one process builds for
// itself. [Dir] finds the folder.
//
// A process says which part of the folder it uses ([Use]), and has a folder of its own until it ends ([OpenSite]). What no living process
// uses is removed when it is old or when there is too much of it ([Trim]), or when the user says so ([Clean]). Any part may be deleted at any
// time between two runs. The functions may be called at the same time, from several processes too.
package cache

// Folders of the cache. Each has parts, which are removed one by one, apart from Roots and Std.
const (
	Overlays   = "overlay" // edited standard libraries, with the probe
	Merged     = "merged"  // files for -overlay that join one of them with the user's
	Linked     = "linked"  // test binaries that were linked before
	modulesDir = "module"  // copies of modules; their paths are the same in each process, so the go command compiles them once
	sitesDir   = "run"     // sites; each process sweeps it
	oldBinDir  = "bin"     // test binaries of older versions of gnaw

	Roots = "goroot" // links to toolchains, which take no space
	Std   = "std"    // marks of the standard libraries that were announced
)
