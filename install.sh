#!/bin/sh
# Installs gnaw from a release: downloads the archive for this system, checks its SHA-256, and puts the command into a folder.
#
#	sh install.sh [-b FOLDER]
#
# GNAW_DIR     the folder, as -b; default: ~/.local/bin
# GNAW_VERSION a version such as v1.2.0; default: latest
# GNAW_URL     where the files of the release are, also file:///folder; default: the releases of github.com/gnaw-fuzz/gnaw
set -eu

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

# system prints the system as Go names it.
system() {
	case $(uname -s) in
	Linux) echo linux ;;
	Darwin) echo darwin ;;
	FreeBSD) echo freebsd ;;
	*) fail "there is no release for $(uname -s); with Go installed, run: go install github.com/gnaw-fuzz/gnaw/cmd/gnaw@latest" ;;
	esac
}

# architecture prints the architecture as Go names it.
architecture() {
	case $(uname -m) in
	x86_64 | amd64) echo amd64 ;;
	aarch64 | arm64) echo arm64 ;;
	*) fail "there is no release for the architecture $(uname -m); gnaw runs on amd64 and arm64" ;;
	esac
}

# download NAME gets a file of the release into the temporary folder.
download() {
	from=$url/$1
	case $url in
	file://*) cp "${from#file://}" "$temp/$1" 2>/dev/null || fail "there is no file ${from#file://}; see GNAW_URL and GNAW_VERSION" ;;
	*)
		if command -v curl >/dev/null; then
			curl -fsSL --retry 3 -o "$temp/$1" "$from" || fail "cannot download $from; see GNAW_URL and GNAW_VERSION"
		elif command -v wget >/dev/null; then
			wget -q -O "$temp/$1" "$from" || fail "cannot download $from; see GNAW_URL and GNAW_VERSION"
		else
			fail "downloading needs curl or wget; install one of them"
		fi
		;;
	esac
}

# sum FILE prints the SHA-256 of a file.
sum() {
	if command -v sha256sum >/dev/null; then
		sha256sum "$1" | cut -d ' ' -f 1
	elif command -v shasum >/dev/null; then
		shasum -a 256 "$1" | cut -d ' ' -f 1
	elif command -v sha256 >/dev/null; then
		sha256 -q "$1"
	else
		fail "checking the archive needs sha256sum, shasum or sha256; install one of them"
	fi
}

# All is in a function, so that a script that was cut off in the middle does nothing.
main() {
	dir=${GNAW_DIR:-}
	while getopts :b: flag; do
		case $flag in
		b) dir=$OPTARG ;;
		*) fail "usage: sh install.sh [-b FOLDER]" ;;
		esac
	done
	shift $((OPTIND - 1))
	[ $# = 0 ] || fail "$1 is not an argument; usage: sh install.sh [-b FOLDER]"
	[ -n "$dir" ] || dir=${HOME:?install.sh: there is no HOME; name a folder with -b}/.local/bin
	version=${GNAW_VERSION:-latest}
	case $version in
	latest) url=https://github.com/gnaw-fuzz/gnaw/releases/latest/download ;;
	v*) url=https://github.com/gnaw-fuzz/gnaw/releases/download/$version ;;
	*) fail "GNAW_VERSION is $version; it must be latest, or a version such as v1.2.0" ;;
	esac
	url=${GNAW_URL:-$url}
	system=$(system)
	archive=gnaw_${system}_$(architecture).tar.gz

	temp=$(mktemp -d) || fail "cannot make a temporary folder"
	trap 'rm -rf "$temp"' EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
	download checksums.txt
	want=$(awk -v name="$archive" '$2 == name { print $1 }' "$temp/checksums.txt")
	[ -n "$want" ] || fail "the release at $url has no $archive"
	download "$archive"
	got=$(sum "$temp/$archive")
	[ "$got" = "$want" ] || fail "the SHA-256 of $archive is $got, and the release says $want; it may be damaged or replaced, so nothing is installed"
	tar -xzf "$temp/$archive" -C "$temp" gnaw || fail "cannot unpack $archive"

	mkdir -p "$dir" || fail "cannot make the folder $dir; name another one with -b"
	# A command that is running cannot be written to, but replaced.
	if ! { cp "$temp/gnaw" "$dir/.gnaw.$$" && mv -f "$dir/.gnaw.$$" "$dir/gnaw"; }; then
		fail "cannot write to the folder $dir; name another one with -b"
	fi
	echo "$dir/gnaw: $("$dir/gnaw" version)"
	case :$PATH: in
	*":$dir:"*) ;;
	*) echo "add $dir to PATH to run it as gnaw" ;;
	esac
}

main "$@"
