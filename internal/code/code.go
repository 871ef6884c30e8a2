// Package code reads Go code for all other packages: it loads and lists packages, and says what the code in them refers to. It executes
// nothing but the go command.
//
// load.go parses and type-checks packages, types.go reads the types that they export, list.go runs go list, and command.go runs the go command
// for them. names.go finds and names the functions and types that expressions refer to,
// methods.go compares methods, and environment.go says which functions have to do with what is outside of the process.
//
// graph.go builds a call graph of all that test binaries contain, with the places of function values in slots.go and their types in shape.go,
// and walk.go finds the functions that may be executed.
package code
