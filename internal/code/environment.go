package code

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// outside says what the functions of a package have to do with what is outside of the process. Functions have their names in the package, as
// [LocalName] returns them.
type outside struct {
	acts  []string // functions that write or remove files, start processes or use the network
	calls []string // functions that call functions which the source does not name

	// The functions that depend on what is outside, or change it: those of some, or, if most is set, all but those of few. A type in few
	// stands for its methods too.
	some, few []string
	most      bool

	fails bool // the errors of its functions come from the environment, not from their arguments
}

// environment has the packages of the standard library that have to do with what is outside of the process. The functions of the standard
// library that no acts has only act through these. A path that ends in a slash stands for all packages below it.
var environment = map[string]outside{
	"os": {
		acts: []string{
			"Chdir", "Chmod", "Chown", "Chtimes", "CopyFS", "Create", "CreateTemp", "Lchown", "Link", "Mkdir", "MkdirAll", "MkdirTemp", "OpenFile", "Remove", "RemoveAll",
			"Rename", "StartProcess", "Symlink", "Truncate", "WriteFile", "File.Chdir", "File.Chmod", "File.Chown", "File.Truncate", "Process.Kill", "Process.Signal",
			"Root.Chmod", "Root.Chown", "Root.Chtimes", "Root.Create", "Root.Lchown", "Root.Link", "Root.Mkdir", "Root.MkdirAll", "Root.OpenFile", "Root.Remove",
			"Root.RemoveAll", "Root.Rename", "Root.Symlink", "Root.WriteFile",
		},
		most: true,
		few: []string{
			"Getenv", "LookupEnv", "Environ", "Expand", "ExpandEnv", "IsNotExist", "IsExist", "IsPermission", "IsTimeout", "IsPathSeparator", "Getpagesize",
			"FileMode", "PathError",
		},
		fails: true,
	},
	"os/":       {fails: true},
	"os/exec":   {acts: []string{"Cmd.CombinedOutput", "Cmd.Output", "Cmd.Run", "Cmd.Start"}, most: true},
	"os/signal": {acts: []string{"Ignore", "Notify", "NotifyContext", "Reset"}, most: true},
	"os/user":   {most: true},
	"net": {
		acts: []string{
			"Dial", "DialIP", "DialTCP", "DialTimeout", "DialUDP", "DialUnix", "Listen", "ListenIP", "ListenMulticastUDP", "ListenPacket", "ListenTCP", "ListenUDP",
			"ListenUnix", "ListenUnixgram", "Dialer.Dial", "Dialer.DialContext", "Dialer.DialIP", "Dialer.DialTCP", "Dialer.DialUDP", "Dialer.DialUnix",
			"ListenConfig.Listen", "ListenConfig.ListenPacket", "LookupAddr", "LookupCNAME", "LookupHost", "LookupIP", "LookupMX", "LookupNS", "LookupSRV", "LookupTXT",
			"ResolveIPAddr", "ResolveTCPAddr", "ResolveUDPAddr", "Resolver.LookupAddr", "Resolver.LookupCNAME", "Resolver.LookupHost", "Resolver.LookupIP",
			"Resolver.LookupIPAddr", "Resolver.LookupMX", "Resolver.LookupNS", "Resolver.LookupNetIP", "Resolver.LookupSRV", "Resolver.LookupTXT",
		},
		most: true,
		few: []string{
			"ParseIP", "ParseCIDR", "ParseMAC", "SplitHostPort", "JoinHostPort", "IPv4", "IPv4Mask", "CIDRMask", "IP", "IPNet", "IPMask", "HardwareAddr",
			"IPAddr", "TCPAddr", "UDPAddr", "Addr", "Error", "OpError", "DNSError", "ParseError", "AddrError", "TCPAddrFromAddrPort", "UDPAddrFromAddrPort",
		},
		fails: true,
	},
	"net/http": {
		acts: []string{
			"Get", "Head", "ListenAndServe", "ListenAndServeTLS", "Post", "PostForm", "Client.Do", "Client.Get", "Client.Head", "Client.Post", "Client.PostForm",
			"Server.ListenAndServe", "Server.ListenAndServeTLS",
		},
		most: true,
		few: []string{
			"Header", "StatusText", "CanonicalHeaderKey", "ParseHTTPVersion", "ParseTime", "DetectContentType", "ReadRequest", "ReadResponse", "Cookie",
			"Request", "NewRequest", "ParseCookie", "ParseSetCookie",
		},
		fails: true,
	},
	"net/rpc":          {most: true},
	"net/smtp":         {most: true},
	"io/fs":            {fails: true},
	"io/ioutil":        {acts: []string{"TempDir", "TempFile", "WriteFile"}, most: true, few: []string{"ReadAll", "NopCloser"}},
	"path/filepath":    {some: []string{"Abs", "Glob", "Walk", "WalkDir", "EvalSymlinks"}, fails: true},
	"time":             {some: []string{"Sleep", "After", "Tick"}, fails: true},
	"log":              {some: []string{"Fatal", "Fatalf", "Fatalln", "Logger.Fatal", "Logger.Fatalf", "Logger.Fatalln", "SetOutput"}, fails: true},
	"flag":             {most: true},
	"database/sql":     {most: true},
	"crypto/rand":      {fails: true},
	"plugin":           {acts: []string{"Open"}, most: true},
	"reflect":          {calls: []string{"Value.Call", "Value.CallSlice", "Value.Method", "Value.MethodByName"}},
	"runtime":          {fails: true},
	"runtime/":         {fails: true},
	"runtime/coverage": {acts: []string{"WriteCountersDir", "WriteMetaDir"}},
	"syscall":          {most: true, fails: true},
}

// Acts reports whether a function of the standard library writes or removes files, starts processes or uses the network.
func Acts(f *types.Func) bool { return slices.Contains(outsideOf(f).acts, LocalName(f)) }

// CallsOthers reports whether a function of the standard library calls functions that the source does not name.
func CallsOthers(f *types.Func) bool { return slices.Contains(outsideOf(f).calls, LocalName(f)) }

func outsideOf(f *types.Func) outside {
	if f.Pkg() == nil {
		return outside{}
	}
	return environment[f.Pkg().Path()]
}

// plainSyscalls are the functions and types of package syscall that do not act outside of the process. A package of the standard library may
// call the others too: its functions that act outside are in environment.
var plainSyscalls = []string{
	"BytePtrFromString", "ByteSliceFromString", "Getenv", "Getgid", "Getpagesize", "Getpid", "Getppid", "Getuid", "Environ", "NsecToTimespec", "NsecToTimeval",
	"Errno", "Signal", "Timespec", "Timeval", "TimespecToNsec", "TimevalToNsec",
}

// IsSystemCall reports whether a function of package syscall, which a package outside of the standard library mentions, may act outside of the process.
func IsSystemCall(f *types.Func) bool {
	return f.Pkg() != nil && f.Pkg().Path() == "syscall" && !slices.Contains(plainSyscalls, first(f))
}

// first returns the name of a function, or of the type whose method it is.
func first(f *types.Func) string {
	name, _, _ := strings.Cut(LocalName(f), ".")
	return name
}

// outwardNames are names that functions of modules have if they connect or touch files.
var outwardNames = []string{
	"Dial", "DialContext", "DialTimeout", "DialTLS", "Listen", "ListenPacket", "ListenAndServe",
	"ReadFile", "WriteFile", "OpenFile", "OpenReader", "ReadDir", "RemoveAll", "MkdirAll", "MkdirTemp", "ParseFiles", "ParseGlob", "LookPath",
}

// IsOutward reports whether a function depends on what is outside of the process or changes it, so that no test with arbitrary arguments may
// call it. Of a package that is not in environment, its name decides.
func IsOutward(f *types.Func) bool {
	p, o := f.Pkg().Path(), outsideOf(f)
	switch {
	case o.most:
		return !slices.Contains(o.few, first(f))
	case o.some != nil:
		return slices.Contains(o.some, LocalName(f))
	}
	return strings.HasPrefix(p, "golang.org/x/sys/") || p != "io/fs" && p != "embed" && slices.Contains(outwardNames, f.Name())
}

// FailsOutside reports whether the errors of the functions of a package come from the environment, and not from their arguments.
func FailsOutside(pkg string) bool {
	top, _, below := strings.Cut(pkg, "/")
	return environment[pkg].fails || below && environment[top+"/"].fails
}

// ReadsOnly reports whether a call opens a file for reading only.
func ReadsOnly(info *types.Info, c *ast.CallExpr) bool {
	f := Called(info, c)
	if f == nil || len(c.Args) < 2 || f.FullName() != "os.OpenFile" && f.FullName() != "syscall.Open" {
		return false
	}
	v := info.Types[c.Args[1]].Value
	return v != nil && constant.Compare(v, token.EQL, constant.MakeInt64(0))
}
