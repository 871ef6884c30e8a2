package cli

const helpBuild = `usage: gnaw build -o FILE [flags] PKG TARGET

Writes one executable that fuzzes a target where there is neither Go nor sources, on Linux: gnaw, the test binaries of the target, the
words of its sources, the seeds, and the files that lie in the folder of the package and in its testdata. PKG is the folder or the
import path of a package.

The executable has the flags, the output and the exit codes of a fuzzer that was built with libFuzzer: FILE -help lists them.

	FILE corpus             fuzzes, and writes new inputs to the folder corpus
	FILE crash-...          executes the input of a file
	FILE -merge=1 all new   adds inputs of the folder new to the folder all

With CGO_ENABLED=0 neither gnaw nor the test binary needs a C library. See docs/oss-fuzz.md.

{flags}
`
