package cli

const helpCorpus = `usage: gnaw corpus stat    [flags] PKG TARGET
       gnaw corpus distill [flags] PKG TARGET
       gnaw corpus merge   [flags] PKG TARGET FOLDER...
       gnaw corpus import  [flags] PKG TARGET SOURCE...
       gnaw corpus export  [flags] PKG TARGET DEST
       gnaw corpus migrate [flags] PKG TARGET
       gnaw corpus push    [flags] PKG TARGET PLACE
       gnaw corpus pull    [flags] PKG TARGET PLACE

Works on the inputs of a fuzz target as files: its seeds in testdata/fuzz/<Target>, and its corpus in $GOCACHE/fuzz, where gnaw and
go test -fuzz keep it. PKG is the folder or the import path of a package. Only distill executes inputs and removes some. The others
build nothing as long as the source tells the types of the target's arguments.

	stat     prints where the inputs are, how many there are, and how large they are, by the types of their arguments
	distill  removes inputs of the corpus that show nothing which the seeds and smaller inputs do not show; -n only says which
	merge    adds the inputs of several folders or zips with files of go test to the corpus
	import   adds the inputs of other fuzzers to the corpus: folders or zips of a format, which is detected
	export   writes seeds and corpus to a folder, or to a zip if DEST ends in .zip, in a format
	migrate  prints what becomes of the inputs that the target no longer takes because its arguments came, went, moved or
	         changed their type; with -write it writes them
	push     adds the corpus to a PLACE that people or machines share
	pull     adds what is in a PLACE to the corpus

A PLACE is a folder, a zip, or git:REMOTE#BRANCH, such as git:origin#fuzz-corpus. It may have the corpora of any number of targets.
Formats: v1 (go test), libfuzzer, afl and go-fuzz (the only argument, as it is), ossfuzz-v1 and ossfuzz-v2 (compile_native_go_fuzzer
and compile_native_go_fuzzer_v2 of OSS-Fuzz). gnaw names files that it leaves out, with the reason. See docs/corpus.md.

{flags}
`
