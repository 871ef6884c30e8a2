package worker

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// digestEnv is set in the process that prints its digest when another file has taken the path of its binary.
const digestEnv = "GNAW_TEST_DIGEST"

func TestADigestIsOfTheBinaryThatRuns(t *testing.T) {
	if os.Getenv(digestEnv) != "" {
		fmt.Println("started")
		_, _ = io.Copy(io.Discard, os.Stdin)
		fmt.Printf("%x\n", binaryDigest())
		os.Exit(0)
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "binary")
	if err := os.WriteFile(path, data, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), digestEnv+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%x\n", fileDigest(path))
	answers := bufio.NewReader(out)
	if _, err := answers.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	other := path + ".new"
	if err := os.WriteFile(other, []byte("another binary"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	_ = in.Close() // the process goes on
	got, err := answers.ReadString('\n')
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if err != nil || got != want {
		t.Errorf("the digest is %q (%v), want %q", got, err, want)
	}
}
