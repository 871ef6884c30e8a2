package main

import (
	"slices"
	"strings"
	"testing"
)

func TestParseFlags(t *testing.T) {
	tests := []struct {
		name, args string
		ok         bool
	}{
		{"nothing at all is the measurement of speed", "", true},
		{"speed with numbers", "-targets=noop,json -rounds=1 -secs=2 -workers=2", true},
		{"coverage with a longer time for go", "-coverage -go-secs=600 -targets=xml,shell", true},
		{"coverage of a puzzle", "-coverage -targets=keyword", true},
		{"ablation of two techniques", "-ablate -techniques=solve,trim -rounds=2", true},
		{"ablation from a minute on", "-ablate -after=60", true},
		{"a start other than the seeds in a comparison", "-coverage -after=60", false},
		{"peers on a puzzle and a parser", "-peers -targets=word,json", true},
		{"a time split with two workers", "-split -workers=2 -secs=60", true},
		{"a time split of a target", "-split -targets=json", false},
		{"a target that there is not", "-targets=nope", false},
		{"a target of another mode", "-coverage -targets=noop", false},
		{"a technique that there is not", "-ablate -techniques=magic", false},
		{"a negative number", "-rounds=-1", false},
		{"no workers", "-workers=0", false},
		{"two forms", "-json -markdown", false},
		{"two modes", "-coverage -peers", false},
		{"techniques without an ablation", "-coverage -techniques=solve", false},
		{"time for go in an ablation", "-ablate -go-secs=5", false},
		{"workers in a mode that has one", "-coverage -workers=2", false},
		{"a flag that there is not", "-what", false},
		{"a word that is no flag", "coverage", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var stderr strings.Builder
			if _, err := parseFlags(strings.Fields(tt.args), &stderr); (err == nil) != tt.ok {
				t.Errorf("parseFlags(%q): %v, want ok %v", tt.args, err, tt.ok)
			}
		})
	}
}

func TestDefaultsFollowTheMode(t *testing.T) {
	tests := []struct {
		args                 string
		mode                 mode
		rounds, secs, goSecs int
		target               string
	}{
		{"", modeSpeed, 3, 10, 10, "noop"},
		{"-coverage", modeCoverage, 3, 60, 60, "shell"},
		{"-coverage -secs=5", modeCoverage, 3, 5, 5, "x509"},
		{"-coverage -go-secs=600", modeCoverage, 3, 60, 600, "x509"},
		{"-ablate", modeAblate, 10, 10, 10, "gif"},
		{"-split", modeSplit, 1, 400, 400, ""},
		{"-peers", modePeers, 3, 30, 30, "keyword"},
	}
	for _, tt := range tests {
		o, err := parseFlags(strings.Fields(tt.args), &strings.Builder{})
		if err != nil || o.Mode != tt.mode || o.Rounds != tt.rounds || o.Secs != tt.secs || o.GoSecs != tt.goSecs || tt.target != "" && !slices.Contains(o.Targets, tt.target) {
			t.Errorf("parseFlags(%q) = %+v, %v, want %+v", tt.args, o, err, tt)
		}
	}
}
