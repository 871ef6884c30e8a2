package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// writeSBOM writes the modules that a binary is built from, as the go command has recorded them in it, in the JSON of CycloneDX. Modules that the
// binary does not contain are not listed.
func writeSBOM(name string, binary file, at time.Time) error {
	info, err := buildinfo.ReadFile(binary.path)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(binary.path)
	if err != nil {
		return err
	}
	main := componentOf(&info.Main, cyclonedx.ComponentTypeApplication)
	main.Name = "gnaw"
	main.Licenses = &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "BSD-3-Clause"}}}
	main.Hashes = &[]cyclonedx.Hash{{Algorithm: cyclonedx.HashAlgoSHA256, Value: fmt.Sprintf("%x", sha256.Sum256(content))}}
	std := componentOf(&debug.Module{Path: "std", Version: strings.TrimPrefix(info.GoVersion, "go")}, cyclonedx.ComponentTypeLibrary)
	components, needed := []cyclonedx.Component{std}, []string{std.BOMRef}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := componentOf(m, cyclonedx.ComponentTypeLibrary)
		components, needed = append(components, c), append(needed, c.BOMRef)
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Timestamp: at.Format(time.RFC3339), Component: &main}
	bom.Components = &components
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: main.BOMRef, Dependencies: &needed}}
	var b bytes.Buffer
	if err := cyclonedx.NewBOMEncoder(&b, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o666)
}

// componentOf returns a module as a part of a binary.
func componentOf(m *debug.Module, kind cyclonedx.ComponentType) cyclonedx.Component {
	url := "pkg:golang/" + m.Path + "@" + m.Version
	return cyclonedx.Component{BOMRef: url, Type: kind, Name: m.Path, Version: m.Version, PackageURL: url}
}
