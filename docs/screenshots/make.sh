#!/usr/bin/env bash
# Makes the pictures in this folder from campaigns on published modules, which it fetches: those of the terminal interface, which need tmux, and
# those of the dashboard, which need Node and Chromium.
#
# docs/screenshots/make.sh [terminal|dashboard] [gnaw]
set -euo pipefail
cd "$(dirname "$0")"

what=all
case ${1:-} in terminal | dashboard) what=$1 && shift ;; esac
work=$(mktemp -d)
server=$work/tmux
trap 'kill $(jobs -p) 2>/dev/null || true; wait; tmux -S "$server" kill-server 2>/dev/null || true; rm -rf "$work"' EXIT

gnaw=${1:-$work/gnaw}
[ $# -gt 0 ] || (cd ../.. && go build -o "$gnaw" ./cmd/gnaw)
GOWORK=off go build -o "$work/draw" .

# sources MODULE makes a copy of a module, with targets.
sources() {
	rm -rf "$work/module"
	cp -r "$(go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')" "$work/module"
	chmod -R u+w "$work/module"
	(cd "$work/module" && GOWORK=off go mod tidy && GOWORK=off "$gnaw" init ./... >/dev/null)
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
	sources github.com/hashicorp/go-version@v1.9.0
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

# dashboard makes the pictures of a campaign of five minutes, and of its comparison with a short one before it. The newest version of the module
# does not have the bugs that the pictures show.
dashboard() {
	sources github.com/goccy/go-yaml@v1.12.0
	export GOWORK=off XDG_CACHE_HOME="$work/cache" GOCACHE="$work/gocache"
	local flags=(-fresh -oracles=none -skip=PathString -cover)
	(cd "$work/module" && "$gnaw" fuzz "${flags[@]}" -fuzztime=40s ./... >/dev/null) || [ $? = 1 ]
	rm -rf "$work"/module/testdata/fuzz "$work"/module/*/testdata/fuzz
	(cd "$work/module" && exec "$gnaw" fuzz "${flags[@]}" -http=127.0.0.1:0 -fuzztime=5m ./... >"$work/address" 2>&1) &
	(
		cd ../../internal/ui/web/app
		npm ci --no-audit --no-fund
		sleep 200
		npm run screenshots -- "$(grep -o 'http://[^ ]*' "$work/address" | head -n 1)" "$OLDPWD"
	)
}

if [ "$what" != dashboard ]; then
	campaign 80 24 dark '#16181d'
	campaign 120 40 dark '#16181d'
	campaign 80 24 light '#ffffff'
	campaign 120 40 light '#ffffff'
fi
if [ "$what" != terminal ]; then
	dashboard
fi
