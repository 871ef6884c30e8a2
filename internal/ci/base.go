// Package ci decides what a check of a change has to fuzz, and which of its findings are new.
//
// [FindBase] finds the commit that a change starts from, [FindChanges] the files that it changes, and [Choose] the targets whose test binaries
// have one of these files. [Base.Judge] runs the input of a finding in the commit that the change starts from. Nothing here fuzzes.
package ci

import (
	"context"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// Base is the commit that a change starts from.
type Base struct {
	Revision string // as the user or the CI system names it
	Commit   string // full hash of the commit in which the change and the revision have separated
}

// Short returns the abbreviated hash of the commit.
func (b Base) Short() string { return b.Commit[:min(len(b.Commit), 12)] }

// variables are the variables in which CI systems name the branch or the commit that a change is to be merged into.
var variables = []struct {
	name   string
	remote bool // the value is a branch of the remote repository
}{
	{"GITHUB_BASE_REF", true},                     // GitHub, for a pull request
	{"CI_MERGE_REQUEST_DIFF_BASE_SHA", false},     // GitLab, for a merge request
	{"CI_MERGE_REQUEST_TARGET_BRANCH_NAME", true}, // GitLab
	{"BITBUCKET_PR_DESTINATION_COMMIT", false},    // Bitbucket
	{"SYSTEM_PULLREQUEST_TARGETBRANCHNAME", true}, // Azure
	{"CHANGE_TARGET", true},                       // Jenkins
	{"BUILDKITE_PULL_REQUEST_BASE_BRANCH", true},  // Buildkite
	{"DRONE_TARGET_BRANCH", true},                 // Drone, Woodpecker: also set for a push
}

// revisions returns the revisions that may be the base: the one of the flag, or else those that the environment names, and the branch that the
// remote repository has as its default.
func revisions(given string, getenv func(string) string) (list []string) {
	if given != "" {
		return []string{given}
	}
	for _, v := range variables {
		value := getenv(v.name)
		switch {
		case value == "":
		case v.remote:
			list = append(list, "refs/remotes/origin/"+strings.TrimPrefix(value, "refs/heads/"))
		default:
			list = append(list, value)
		}
	}
	if len(list) == 0 {
		list = []string{"refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master"}
	}
	return list
}

// FindBase finds the base of the work tree that dir is in. given is a revision; empty: that of the merge request that the environment
// describes, or else the default branch of the remote repository. The error is a *[usage.Error] if there is none.
func FindBase(ctx context.Context, environ []string, dir, given string, getenv func(string) string) (Base, error) {
	if _, err := project.Git(ctx, environ, dir, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil {
		if ctx.Err() != nil {
			return Base{}, err
		}
		return Base{}, usage.Errorf("%s is in no git work tree with a commit, and gnaw ci compares commits; `gnaw fuzz` fuzzes without git", dir)
	}
	list := revisions(given, getenv)
	for _, r := range list {
		if _, err := project.Git(ctx, environ, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", r+"^{commit}"); err != nil {
			continue
		}
		commit, err := project.Git(ctx, environ, dir, "merge-base", r, "HEAD")
		if err == nil {
			return Base{strings.TrimPrefix(strings.TrimPrefix(r, "refs/remotes/"), "refs/heads/"), commit}, nil
		}
		return Base{}, usage.Errorf("git finds no common ancestor of %s and HEAD%s", r, remedy(ctx, environ, dir))
	}
	if ctx.Err() != nil {
		return Base{}, ctx.Err()
	}
	if given != "" {
		return Base{}, usage.Errorf("-base %s: git does not know this revision%s", given, remedy(ctx, environ, dir))
	}
	return Base{}, usage.Errorf("git does not have the commit that the change is to be compared with (tried %s); write -base REVISION%s",
		strings.Join(list, ", "), remedy(ctx, environ, dir))
}

// remedy returns the part of a message that says how to get the commits that a shallow clone lacks; empty: the clone is not shallow.
func remedy(ctx context.Context, environ []string, dir string) string {
	if hint := project.ShallowHint(ctx, environ, dir); hint != "" {
		return "; " + hint + ", and `fetch-depth: 0` of actions/checkout or GIT_DEPTH: 0 of GitLab does it in CI"
	}
	return ""
}
