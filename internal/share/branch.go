package share

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// branch is a temporary repository with the newest commit of a branch of a remote one, and without a work tree. Nothing of the branch is
// checked out.
type branch struct {
	place   Place
	remote  string // its address
	temp    string // folder of all that is temporary
	environ []string
	base    string // the newest commit; empty: there is no such branch
}

// localSettings are the settings of the user's repository that git needs to reach its remotes, and for the author of a commit.
const localSettings = `^((http|credential|url|user|ssh)\.|core\.(sshcommand|askpass|gitproxy)$)`

// openBranch makes the temporary repository. The caller closes it.
func openBranch(ctx context.Context, w World, p Place) (b *branch, err error) {
	b = &branch{place: p, remote: p.Remote, environ: w.settings(ctx)}
	if address, err := project.Git(ctx, w.Environ, w.Dir, "remote", "get-url", p.Remote); err == nil {
		b.remote = address
	}
	if path := filepath.Join(w.Dir, b.remote); !filepath.IsAbs(b.remote) {
		if _, err := os.Stat(path); err == nil { // git runs in another folder
			b.remote = path
		}
	}
	if _, err := project.Git(ctx, b.environ, w.Dir, "check-ref-format", b.ref()); err != nil {
		return nil, usage.Errorf("git knows no branch of the name %q", p.Branch)
	}
	if b.temp, err = os.MkdirTemp("", "gnaw-branch-"); err != nil {
		return nil, fmt.Errorf("make a folder for a git repository: %w", err)
	}
	_, err = project.Git(ctx, b.environ, b.temp, "init", "--quiet", "--bare", "--template=", b.repository())
	// Attributes of the branch must not change what a file has.
	err = errors.Join(err, disk.Write(filepath.Join(b.repository(), "info", "attributes"),
		[]byte("* -text -filter -ident -export-ignore -export-subst -working-tree-encoding\n")))
	if err == nil {
		err = b.fetch(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b, nil
}

// settings returns the environment with the settings of the user's repository.
func (w World) settings(ctx context.Context) []string {
	text, err := project.Git(ctx, w.Environ, w.Dir, "config", "--local", "--includes", "--null", "--get-regexp", localSettings)
	if err != nil {
		return w.Environ // there is no repository, or it has no such setting
	}
	environ := append([]string{}, w.Environ...)
	count := 0
	for _, v := range environ {
		if n, ok := strings.CutPrefix(v, "GIT_CONFIG_COUNT="); ok {
			_, _ = fmt.Sscan(n, &count) // git itself refuses what is no number
		}
	}
	for entry := range strings.SplitSeq(strings.TrimRight(text, "\x00"), "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		environ = append(environ, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", count, key), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", count, value))
		count++
	}
	return append(environ, fmt.Sprintf("GIT_CONFIG_COUNT=%d", count))
}

func (b *branch) repository() string { return filepath.Join(b.temp, "repository") }

func (b *branch) ref() string { return "refs/heads/" + b.place.Branch }

// close removes the temporary repository.
func (b *branch) close() error { return os.RemoveAll(b.temp) }

// git runs git in the temporary repository.
func (b *branch) git(ctx context.Context, args ...string) (string, error) {
	// Git would leave a process that cleans up behind.
	always := []string{"-c", "gc.auto=0", "-c", "maintenance.auto=false", "--git-dir=" + b.repository()}
	return project.Git(ctx, b.environ, b.temp, append(always, args...)...)
}

// head returns the newest commit of the remote branch; empty: there is no such branch.
func (b *branch) head(ctx context.Context) (string, error) {
	list, err := b.git(ctx, "ls-remote", b.remote, b.ref())
	if err != nil {
		return "", fmt.Errorf("look for the branch %s: %w", b.place.Branch, err)
	}
	hash, _, _ := strings.Cut(list, "\t")
	return hash, nil
}

// fetch gets the newest commit of the branch, without older ones.
func (b *branch) fetch(ctx context.Context) (err error) {
	if b.base, err = b.head(ctx); err != nil || b.base == "" {
		return err
	}
	const base = "refs/gnaw/base"
	if _, err := b.git(ctx, "fetch", "--quiet", "--no-tags", "--depth=1", b.remote, "+"+b.ref()+":"+base); err != nil {
		return fmt.Errorf("fetch the branch %s: %w", b.place.Branch, err)
	}
	b.base, err = b.git(ctx, "rev-parse", base) // which may be newer by now
	return err
}

// pullBranch is Pull for a branch.
func pullBranch(ctx context.Context, w World, p Place, c Corpus) (r Result, err error) {
	b, err := openBranch(ctx, w, p)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if b.base == "" {
		return r, usage.Errorf("there is no branch %s in %s; gnaw corpus push makes it", p.Branch, p.Remote)
	}
	if kind, err := b.git(ctx, "cat-file", "-t", b.base+":"+c.Target); err != nil || kind != "tree" {
		return r, p.none(c)
	}
	archive := filepath.Join(b.temp, "branch.zip")
	if _, err := b.git(ctx, "--literal-pathspecs", "archive", "--format=zip", "--output="+archive, b.base, "--", c.Target); err != nil {
		return r, fmt.Errorf("read the branch %s: %w", p.Branch, err)
	}
	return pullPath(ctx, archive, p, c)
}

// refusals is how often a push is tried again although nobody has written to the branch: another writer may be about to. It is far more
// than a writer needs to take and give back the lock of a branch.
const refusals = 5

// refusalPause is the time before such a try.
const refusalPause = 200 * time.Millisecond

// pushBranch adds the inputs of a target to a branch. If another writer was faster, it adds them to what that one has left.
func pushBranch(ctx context.Context, w World, p Place, target string, files []corpus.File) (added int, err error) {
	b, err := openBranch(ctx, w, p)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if len(files) == 0 {
		return 0, nil
	}
	stage := filepath.Join(b.temp, "stage")
	if err := os.Mkdir(stage, 0o700); err != nil {
		return 0, fmt.Errorf("make a folder for the inputs: %w", err)
	}
	if _, err := corpus.Add(stage, files); err != nil {
		return 0, err
	}
	for refused := 0; ; {
		commit, added, err := b.commit(ctx, stage, target)
		if err != nil || commit == "" {
			return 0, err
		}
		_, err = b.git(ctx, "push", "--quiet", "--no-verify", b.remote, commit+":"+b.ref())
		if err == nil {
			return added, nil
		}
		before := b.base
		if fetched := b.fetch(ctx); fetched != nil {
			return 0, errors.Join(err, fetched)
		}
		if b.base != before {
			continue // another writer was faster
		}
		if refused++; refused == refusals {
			return 0, fmt.Errorf("push to the branch %s: %w", p.Branch, err)
		}
		select {
		case <-time.After(refusalPause):
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
}

// commit makes a commit of what the branch has and the files in the folder stage, which are inputs of a target. It is empty if the branch has all of them. added is the
// number of the others.
func (b *branch) commit(ctx context.Context, stage, target string) (commit string, added int, err error) {
	begin, parent := "--empty", []string{}
	if b.base != "" {
		begin, parent = b.base, []string{"-p", b.base}
	}
	if _, err := b.git(ctx, "read-tree", begin); err != nil {
		return "", 0, fmt.Errorf("read the branch: %w", err)
	}
	if _, err := b.git(ctx, "--work-tree="+stage, "-c", "core.autocrlf=false", "-c", "core.safecrlf=false", "add", "--force", "--ignore-removal", "--", stage); err != nil {
		return "", 0, fmt.Errorf("add the inputs: %w", err)
	}
	tree, err := b.git(ctx, "write-tree")
	if err != nil {
		return "", 0, fmt.Errorf("write the inputs: %w", err)
	}
	compare := []string{"diff-tree", "-r", "--name-only", "--no-renames", b.base, tree}
	if b.base == "" {
		compare = []string{"ls-files"}
	}
	changed, err := b.git(ctx, compare...)
	if err != nil {
		return "", 0, fmt.Errorf("compare with the branch: %w", err)
	}
	if changed == "" {
		return "", 0, nil
	}
	added = strings.Count(changed, "\n") + 1
	args := append([]string{"commit-tree", "-m", fmt.Sprintf("corpus of %s: %d new", target, added), tree}, parent...)
	if _, err := b.git(ctx, "var", "GIT_COMMITTER_IDENT"); err != nil { // the user has no name, as in most CI jobs
		args = append([]string{"-c", "user.name=gnaw", "-c", "user.email=gnaw@localhost"}, args...)
	}
	if commit, err = b.git(ctx, args...); err != nil {
		return "", 0, fmt.Errorf("make a commit of the inputs: %w", err)
	}
	return commit, added, nil
}
