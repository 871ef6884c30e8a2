#!/usr/bin/env bash
# Makes the pictures of the terminal interface in this folder from a campaign on a published module. Needs tmux, and fetches the module.
#
# docs/screenshots/make.sh [gnaw]
set -euo pipefail
cd "$(dirname "$0")"

module=github.com/hashicorp/go-version@v1.9.0
work=$(mktemp -d)
server=$work/tmux
trap 'tmux -S "$server" kill-server 2>/dev/null || true; rm -rf "$work"' EXIT

gnaw=${1:-$work/gnaw}
[ $# -gt 0 ] || (cd ../.. && go build -o "$gnaw" ./cmd/gnaw)
GOWORK=off go build -o "$work/draw" .

# sources makes a copy of the module, with targets.
sources() {
	rm -rf "$work/module"
	cp -r "$(go mod download -json "$module" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')" "$work/module"
	chmod -R u+w "$work/module"
	(cd "$work/module" && GOWORK=off "$gnaw" init ./... >/dev/null)
}

mux() { tmux -S "$server" -f /dev/null "$@"; }
keys() { mux send-keys "$@"; sleep 1; }

# await TEXT SECONDS waits until the terminal shows a text.
await() {
	local i
	for i in $(seq "$2"); do
		if mux capture-pane -p | grep -Eq "$1"; then return; fi
		sleep 1
	done
	mux capture-pane -p >&2
	echo "the terminal does not show $1" >&2
	exit 1
}

# shot NAME writes what the terminal shows to NAME-WIDTHxHEIGHT-THEME.svg.
shot() {
	local options=(-width="$width")
	[ "$theme" = dark ] || options+=(-light)
	mux capture-pane -e -N -p | "$work/draw" "${options[@]}" >"$1-${width}x$height-$theme.svg"
}

# campaign WIDTH HEIGHT THEME BACKGROUND makes the pictures of one campaign. The caches of the first one are empty, so that gnaw builds all
# packages.
campaign() {
	width=$1 height=$2 theme=$3
	local cold=0
	[ -d "$work/gocache" ] || cold=1
	rm -rf "$work/gocache/fuzz"
	sources
	local run="cd '$work/module'; sleep 1; env -u CI GOWORK=off XDG_CACHE_HOME='$work/cache' GOCACHE='$work/gocache'"
	mux new-session -d -x "$width" -y "$height" "$run '$gnaw' fuzz -cover -fuzztime=4m ./..."
	mux set-option -g window-style "bg=$4" # gnaw asks the terminal for it
	if [ $cold = 1 ]; then
		await 'packages\)' 300
		sleep 10
		shot building
	fi
	await '(edges|statements)  [1-9][0-9]* finding' 600
	sleep 20
	shot targets
	keys Enter
	shot target
	keys 2
	keys Enter
	shot finding
	keys C-c
	while mux has-session 2>/dev/null; do sleep 1; done
}

campaign 80 24 dark '#16181d'
campaign 120 40 dark '#16181d'
campaign 80 24 light '#ffffff'
campaign 120 40 light '#ffffff'
