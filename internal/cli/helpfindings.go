package cli

const helpList = `usage: gnaw list [-check] [-deps] [-json] [-tags t] [packages]

Lists the fuzz targets of the packages (default ./...), one per line: package and target. gnaw list names packages that it
cannot load, for example because of a syntax error, on the standard error, and then exits with 3. With -deps, gnaw list prints
a table of the targets of the dependencies of the packages in place of their own.

{flags}
`

const helpFindings = `usage: gnaw findings [-json]

Lists the findings of gnaw fuzz in the module of the working directory, one per line, the newest first: ID, day, kind, target,
place, message. A bug has the same ID in every run and from every target. gnaw computes the ID from the kind, the top three
frames of the stack, and the message. It leaves out the target and the function that the target calls, and numbers and quoted
text in the message.

{flags}
`

const helpShow = `usage: gnaw show [-json] ID|FILE

Prints all that gnaw knows about a finding: the whole output with its stack, the whole input as Go literals, when and how often
gnaw has found it, with which version of Go and at which commit. You can shorten an ID as long as it matches one finding only.
In place of the ID you can write the corpus FILE with its input, in testdata/fuzz/<Target>; regress, bisect and known add take one too.

{flags}
`

const helpRepro = `usage: gnaw repro ID[#n][@version]|FILE [flags of go test]

Runs the input of a finding in plain go test, without gnaw's engine and instrumentation, and exits with the exit code of go test.
If the file with the input is missing, gnaw creates it for the duration of the test. gnaw keeps up to three inputs of a finding: 5870#2 is the
second one that gnaw show 5870 prints, and may belong to another target. With a corpus FILE in testdata/fuzz/<Target>, gnaw runs this input, also if there is no finding of it.
gnaw repro passes flags such as -v, -race and -json to
go test.

gnaw repro runs the input of a finding of a dependency in a private copy of the module, at the version that go.mod has now. With
5870@latest or 5870@v1.2.3 it uses that version of the module, which the go command downloads.

Plain go test passes with a finding of an oracle ({oracles}). For such a finding gnaw repro repeats the
measurement in a test binary of its own. The exit code is 1 if the measurement shows the finding again, and 0 otherwise.
`

const helpMinimize = `usage: gnaw minimize [flags] FILE|ID [-args ...]

Makes a failing input smaller as long as it fails in the same way, and writes the result to testdata/fuzz/<Target> of its package.
With an ID, the result replaces the file of the finding; if the finding has no file, for example because it is known, the result
is in the history only. With a FILE, such as one that go test -fuzz wrote, the result is a new file and FILE stays.

{flags}
`

const helpRegress = `usage: gnaw regress [-json] ID [-]

Writes an ordinary Go test for a finding into the folder of its package. The test calls the function that the target passes to
F.Fuzz, with the input as typed literals. The file is fuzz_regress_<ID>_test.go; gnaw never overwrites an existing file. With
"-" gnaw prints the test instead.

{flags}

If the function uses the *testing.F, gnaw regress prints an error, because an ordinary test has no *testing.F. The test for a
finding of an oracle repeats the measurement, with limits that also hold on a busy machine.
`

const helpBisect = `usage: gnaw bisect [-good rev] [-json] ID

Finds the commit that introduced a finding. gnaw tests the commits with plain go test in a temporary git work tree: it does not
touch your files, and it uses the build cache of the go command. If a commit does not have the target yet, gnaw tests it with the
test file of HEAD. gnaw skips commits that do not build or that fail in another way. Git hooks do not run.

{flags}
`

const helpKnown = `usage: gnaw known [-json]
       gnaw known add ID -reason text [-until date] [-json]

Lists the known findings, or adds one. gnaw fuzz does not report a known finding: it prints one line for it, does not keep its
input in testdata, and does not exit with 1 because of it. After the last day gnaw fuzz reports the finding again, with a note.

{flags}

The list is the file .gnaw/known.toml in the root of the module. Commit it. Its format is:

	[[known]]
	id = "3f9a1c2be07d"                        # at least four digits
	reason = "waits for the new lexer, issue 12"
	until = 2027-03-01                         # optional
	what = "FuzzParse: panic: …"               # for readers; optional
	module = "example.com/dep"                 # only findings of this dependency; optional
	version = "v1.2.0"                         # only in this version of it; optional

For a finding of a dependency, known add writes the module and the version, so gnaw reports the finding again after an update of the
dependency. Without the line of the version, the entry holds for all versions.
`

const helpClean = `usage: gnaw clean [-n] [-history] [-json]

Removes files that gnaw can create again from its folder in the user cache directory: overlays, test binaries and links to
toolchains. It prints what it removes and the size. It keeps files that a running gnaw uses, the history of findings and campaigns,
inputs in testdata, the corpus of go test -fuzz, and .gnaw/known.toml. The next run builds what it needs again.

{flags}
`
