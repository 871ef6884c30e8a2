package overlay

import (
	"errors"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// refusing are the hooks in functions of the standard library that act outside of the process, by which a worker refuses what an input
// must not do. They cost one load and one branch where nothing listens.
var refusing = slices.Concat(
	refuse("os/file.go", "", "OpenFile(name, flag, perm)",
		"RefusedOpen(\"\", name, flag&(O_WRONLY|O_RDWR|O_TRUNC), flag&O_CREATE)", `nil, &PathError{Op: "open", Path: name, Err: ErrPermission}`),
	refuse("os/file.go", "", "Mkdir(name, perm)", `Refused(Make, "", name)`, pathError("mkdir")),
	refuse("os/file.go", "", "Rename(oldpath, newpath)", `Refused(Remove, "", oldpath) || Refused(Place, "", newpath)`,
		`&LinkError{"rename", oldpath, newpath, ErrPermission}`),
	refuse("os/file.go", "", "Chmod(name, mode)", `Refused(Change, "", name)`, pathError("chmod")),
	refuse("os/file_posix.go", "", "Chown(name, uid, gid)", `Refused(Change, "", name)`, pathError("chown")),
	refuse("os/file_posix.go", "", "Lchown(name, uid, gid)", `Refused(Change, "", name)`, pathError("lchown")),
	refuse("os/file_posix.go", "", "Chtimes(name, atime, mtime)", `Refused(Change, "", name)`, pathError("chtimes")),
	refuse("os/path.go", "", "RemoveAll(path)", `Refused(Remove, "", path)`, `&PathError{Op: "unlinkat", Path: path, Err: ErrPermission}`),
	refuse("os/exec.go", "", "StartProcess(name, argv, attr)", `Refused(Start, "", name)`, `nil, &PathError{Op: "fork/exec", Path: name, Err: ErrPermission}`),
	refuseFiles("os/file_unix.go"), refuseFiles("os/file_windows.go"), refuseRoot(),
	[]feature{{{"os/exec/exec.go", "os/exec.Cmd.Start", refuseStart}}},
	refuse("net/ipsock_posix.go", "", "internetSocket(ctx, net, laddr, raddr, sotype, proto, mode, ctrlCtxFn)",
		`mode == "dial" && raddr != nil && Refused(Connect, "", raddr.String())`, "nil, syscall.EACCES"),
	refuse("net/unixsock_posix.go", "", "unixSocket(ctx, net, laddr, raddr, mode, ctxCtrlFn)",
		`mode == "dial" && raddr != nil && Refused(ConnectTo, "", raddr.String()) || laddr != nil && Refused(Bind, "", laddr.String())`,
		"nil, syscall.EACCES"),
)

// pathError is the expression of an error about the file name.
func pathError(op string) string {
	return fmt.Sprintf(`&PathError{Op: %q, Path: name, Err: ErrPermission}`, op)
}

// refuse makes a function of file return results first thing if a condition holds. signature is its name with its parameters. In the condition,
// the functions and constants of package hook have no package.
func refuse(file, recv, signature, condition, results string) []feature {
	name, list, _ := strings.Cut(strings.TrimSuffix(signature, ")"), "(")
	anchor := strings.TrimPrefix(recv+"."+name, ".")
	return []feature{{{file, file[:strings.LastIndex(file, "/")] + "." + anchor, func(s *source) error {
		fn, err := s.function(recv, name)
		if err != nil {
			return err
		}
		if err := takes(fn, strings.Split(list, ", ")...); err != nil {
			return err
		}
		s.useHook()
		s.insert(fn.Body.Lbrace+1, " if "+qualified(condition)+" { return "+results+" };")
		return nil
	}}}}
}

// qualified puts the name of package hook before its functions and constants.
func qualified(condition string) string {
	return strings.NewReplacer("RefusedOpen(", hookName+".RefusedOpen(", "Refused(", hookName+".Refused("+hookName+".").Replace(condition)
}

// refuseFiles are the hooks in functions of package os that each system has its own of.
func refuseFiles(file string) []feature {
	link := func(op string) string { return fmt.Sprintf("&LinkError{%q, oldname, newname, ErrPermission}", op) }
	return slices.Concat(
		refuse(file, "", "Truncate(name, size)", `Refused(Change, "", name)`, pathError("truncate")),
		refuse(file, "", "Remove(name)", `Refused(Remove, "", name)`, pathError("remove")),
		refuse(file, "", "Link(oldname, newname)", `Refused(Make, "", newname)`, link("link")),
		refuse(file, "", "Symlink(oldname, newname)", `Refused(Link, "", newname)`, link("symlink")),
	)
}

// refuseRoot are the hooks in the methods of os.Root. Go 1.24 has only a few of these methods; what it does not have needs no hook.
func refuseRoot() (features []feature) {
	for _, m := range []struct{ signature, condition, op string }{
		{"OpenFile(name, flag, perm)", "RefusedOpen(r.Name(), name, flag&(O_WRONLY|O_RDWR|O_TRUNC), flag&O_CREATE)", "openat"},
		{"Mkdir(name, perm)", "Refused(Make, r.Name(), name)", "mkdirat"},
		{"MkdirAll(name, perm)", "Refused(MakeAll, r.Name(), name)", "mkdirat"},
		{"Chmod(name, mode)", "Refused(Change, r.Name(), name)", "chmodat"},
		{"Chown(name, uid, gid)", "Refused(Change, r.Name(), name)", "chownat"},
		{"Lchown(name, uid, gid)", "Refused(Change, r.Name(), name)", "lchownat"},
		{"Chtimes(name, atime, mtime)", "Refused(Change, r.Name(), name)", "chtimesat"},
		{"Remove(name)", "Refused(Remove, r.Name(), name)", "unlinkat"},
		{"RemoveAll(name)", "Refused(Remove, r.Name(), name)", "unlinkat"},
		{"Rename(oldname, newname)", "Refused(Remove, r.Name(), oldname) || Refused(Place, r.Name(), newname)", "renameat"},
		{"Link(oldname, newname)", "Refused(Make, r.Name(), newname)", "linkat"},
		{"Symlink(oldname, newname)", "Refused(Link, r.Name(), newname)", "symlinkat"},
	} {
		result := pathError(m.op)
		switch {
		case strings.Contains(m.signature, "newname"):
			result = fmt.Sprintf("&LinkError{%q, oldname, newname, ErrPermission}", m.op)
		case strings.HasPrefix(m.signature, "OpenFile"):
			result = "nil, " + result
		}
		for _, f := range refuse("os/root.go", "Root", m.signature, m.condition, result) {
			apply := f[0].apply
			f[0].apply = func(s *source) error {
				if err := apply(s); !errors.Is(err, errAbsent) {
					return err
				}
				return nil
			}
			features = append(features, f)
		}
	}
	return features
}

// refuseStart makes exec.Cmd.Start fail where it starts the program, if that is refused, as if there were no such program.
func refuseStart(s *source) error {
	fn, err := s.function("Cmd", "Start")
	if err != nil {
		return err
	}
	starts := func(a *ast.AssignStmt) bool {
		call, ok := a.Rhs[0].(*ast.CallExpr)
		return ok && code.Selector(call.Fun) == "os.StartProcess"
	}
	start, err := one(all(fn.Body, starts))
	if err != nil {
		return fmt.Errorf("call of os.StartProcess: %w", err)
	}
	if len(fn.Recv.List[0].Names) != 1 || fn.Recv.List[0].Names[0].Name != "c" {
		return errors.New("the receiver is not c")
	}
	s.useHook()
	s.insert(start.Pos(), "if "+qualified(`Refused(Start, c.Dir, c.Path)`)+" { return &Error{c.Path, ErrNotFound} }; ")
	return nil
}
