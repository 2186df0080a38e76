# SPDX-License-Identifier: GPL-2.0
#
# What the tools share. Read with ".", never run.

# "su" alone leaves out what only root needs.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
top=$(cd "${0%/*}/.." && pwd)
cache=$(realpath -m "${TRACEPOINT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/rust-tracepoint}")
suite=${SUITE:-trixie}
flavour=${FLAVOUR:-amd64}

# A root for each suite. Which kernel was chosen is said there, in a file of this
# name in /etc/rust-tracepoint.
root=$cache/root
[ "$suite" = trixie ] || root=$root-$suite
chosen=$flavour${SERIES:+-$SERIES}

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# "make clean" would not stop at it.
case $cache/ in
"$(realpath "$top")"/*) die "the cache folder $cache is in the checkout: name one outside with TRACEPOINT_CACHE" ;;
esac

# The same where Debian's archive has not what it takes, which is nobody's mistake.
lacks() {
	echo "${0##*/}: $*" >&2
	exit 3
}

# lock FILE TEXT: one run at a time of what TEXT says, until this one exits.
lock() {
	exec 9>"$1"
	flock -n 9 || {
		echo "  waiting for another run that $2"
		flock 9
	}
}

# step TEXT COMMAND...: one line on the terminal, the details in $log. Not for
# use in a condition: "set -e" would not hold inside COMMAND.
step() {
	step=$1
	shift
	start=$(date +%s)
	printf '  %-56s' "$step"
	echo "=== $step" >>"$log"
	"$@" >>"$log" 2>&1 </dev/null
	printf '%4d s\n' $(($(date +%s) - start))
	step=
}

# For "trap … EXIT": says where a step stopped.
step_failed() {
	status=$?
	if [ "$status" = 130 ]; then
		echo
		echo "${0##*/}: interrupted, the same command takes it up again"
	elif [ "$status" != 0 ] && [ -n "${step-}" ]; then
		echo failed
		tail -n 15 "$log" | sed 's/^/    /'
		echo "${0##*/}: \"$step\" failed, the whole log is ${TRACEPOINT_ROOT-}$log"
	fi >&2
}

# use_resolver, use_proxy: have apt in the root reach the archive as it does here.
use_resolver() {
	[ ! -e /etc/resolv.conf ] || cp -L /etc/resolv.conf "$root/etc/resolv.conf"
}
use_proxy() {
	proxy=
	eval "$(apt-config shell proxy Acquire::http::Proxy)"
	case $proxy in
	http*) export http_proxy="${http_proxy-$proxy}" https_proxy="${https_proxy-$proxy}" ;;
	esac
}

# enter COMMAND...: runs it in the Debian root, with the checkout at its own
# path. The mounts live in a namespace of their own and end with it.
enter() {
	[ "$(id -u)" = 0 ] || die "only root can enter the Debian root: run it with sudo"
	TRACEPOINT_ROOT=$root exec \
		unshare --mount --propagation private ${unshare-} sh -euc '
		root=$TRACEPOINT_ROOT top=$1
		shift
		mount -t proc proc "$root/proc"
		mount --rbind /dev "$root/dev"
		mount --rbind /sys "$root/sys"
		mount -t tmpfs tmpfs "$root/tmp"
		mkdir -p "$root$top"
		mount --bind "$top" "$root$top"
		[ -d "$root$PWD" ] || {
			echo "$PWD is not visible in the root, only $top is" >&2
			exit 1
		}
		exec chroot "$root" env -u TMPDIR -u ARCH -u CROSS_COMPILE -u KBUILD_OUTPUT -C "$PWD" "$@"
		' sh "$top" "$@"
}
