package cli

const helpList = `usage: gnaw list [-check] [-json] [-tags t] [packages]

Lists the fuzz targets of the packages (default ./...), one on each line: package and name. Packages that cannot be loaded, as
with an error in the syntax, are named on the error output, and the exit code is 3 then.

	-check   compile the packages with their tests too, and name those that do not build; on a cold build cache that takes
	         as long as a build
	-json    one object on each line: package, target, folder, file, line; or package and error
	-tags t  as in go build
`

const helpFindings = `usage: gnaw findings [-json]

Lists what gnaw fuzz has found in the module of the working directory, one finding on each line, the newest first: ID,
day, kind, target, place, message. The same bug is the same finding, in every run and by every target: what counts is the
kind, the top three frames of the code outside of the target and of the function that it calls, and the words of the message
without numbers and quoted text.

	-json  one object on each line with all that gnaw show prints: id, short_id, kind, message, place, frames, package,
	       folder, target, input, literals, path, seed, size, original_size, minimize_seconds, output, replays, repeats,
	       flaky, not_run (why go test does not run the input), first_seen, last_seen, times_seen, go, commit, changed (files of it were), flags, args (of the
	       test binary), environ, rerun; more
	       (other inputs: package, folder, target, input, size), other_frames (of a race), measure (of an oracle; its
	       times are in nanoseconds), known, unreadable (what another version wrote and this one does not
	       understand), kept and not_written (where the input is and why, if it is not where go test reads it)
`

const helpShow = `usage: gnaw show [-json] ID

Prints all that is known about a finding: the whole output with its stack, the whole input as Go literals, when and how
often it was seen, with which Go and at which commit. An ID may be shortened as long as it fits one finding only.

	-json  one object, as gnaw findings -json prints it
`

const helpRepro = `usage: gnaw repro ID[#n] [flags of go test]

Runs the input of a finding in plain go test, without anything of gnaw in it, and exits with its exit code. If the file
with the input is gone, it is there for the time of the test. Up to three inputs are kept of a finding: 5870#2 is the second
that gnaw show 5870 prints, which may be of another target. Flags such as -v, -race and -json are handed to go test.

A finding of an oracle (alloc, growth, leak, modify, keep) is measured once more instead, in a test binary of gnaw's: plain
go test passes with it. The exit code is 1 if the measurement shows it, and 0 otherwise.
`

const helpMinimize = `usage: gnaw minimize [flags] FILE|ID [-args ...]

Makes a failing input smaller as long as it fails in the same way, and writes what is left to testdata/fuzz/<Target> of
its package. With an ID the file of the finding is replaced; if there is none, as of one that is known, what is left is in
the history only. With a file, which may be one that go test -fuzz has found, it stays.

	-fuzzminimizetime d  time or executions; 0s: no limit (default 60s)
	-timeout d           limit for one execution (default 10s)
	-memlimit size       limit for the heap, such as 512MiB (default: as gnaw fuzz with one worker)
	-target name         target that the file is for (default: the name of its folder)
	-json                print one object: target, path (empty: there is no file), original_size, size, smaller, literals,
	                     seconds, candidates
	-package p           folder or import path of its package (default: the one in whose testdata/fuzz the file is, or else
	                     that of the working directory)
	-std hooks|plain     as of gnaw test
	-tags t              as in go build (default with an ID: as it was found)
	-args ...            what follows is for the test binary (default with an ID: as it was found)
`

const helpRegress = `usage: gnaw regress [-json] ID [-]

Writes an ordinary Go test of a finding into the folder of its package: the function that the target hands to F.Fuzz,
called with the input as typed literals. The file is fuzz_regress_<ID>_test.go; one that is there is never overwritten.
With "-" the test is printed.

	-json  print one object: id, path, test

It says so if the function cannot stand alone, because it uses the *testing.F. The test of a finding of an oracle measures
what the oracle has measured, with bounds that a busy machine keeps.
`

const helpBisect = `usage: gnaw bisect [-good rev] [-json] ID

Finds the commit that brought a finding. The commits are tested in a temporary git work tree with plain go test, so your
files are not touched and what the go command has built is used again. A commit that has no such target yet is tested with
the test file of HEAD; one that does not build, or fails in another way, is passed over.

	-json      one object for each commit that is tested, and one for the answer: commit, subject, verdict
	-good rev  a commit that passes (default: gnaw goes back in steps that double until one does)
`

const helpKnown = `usage: gnaw known [-json]
       gnaw known add ID -reason text [-until date] [-json]

Lists the findings that are known and not to be reported, or adds one. gnaw fuzz prints one line for such a finding, does
not keep its input in testdata, and does not exit with 1 because of it. After the last day it is reported again, with a
remark.

	-reason text  why it is not fixed yet
	-json         one object for each: id, what, reason, until, expired
	-until date   last day on which it is not reported, such as 2027-03-01 (default: for ever)

The list is .gnaw/known.toml in the root of the module, a file to be committed:

	[[known]]
	id = "3f9a1c2be07d"                        # at least four digits
	reason = "waits for the new lexer, issue 12"
	until = 2027-03-01                         # may be left out
	what = "FuzzParse: panic: …"               # for readers; may be left out
`

const helpClean = `usage: gnaw clean [-n] [-history] [-json]

Removes what gnaw can make again in its folder of the user cache directory: overlays, test binaries, links to toolchains;
and says what it removed and how much that was. What a gnaw uses that is running stays, and so do the history of findings
and campaigns, inputs in testdata, the corpus of go test -fuzz and .gnaw/known.toml. The next run builds what it needs again.

	-n        only say what would be removed
	-history  remove the history too. The input of a known finding is nowhere else; its entry in .gnaw/known.toml stays.
	-json     one object for each part: path, bytes, kept_bytes (in use), removed
`
