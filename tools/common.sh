# SPDX-License-Identifier: GPL-2.0
#
# Common code of the tools. Sourced, never executed.

# "su" without "-" leaves the sbin directories out of PATH.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
top=$(cd "${0%/*}/.." && pwd)
cache=$(realpath -m "${TRACEPOINT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/rust-tracepoint}")
suite=${SUITE:-trixie}
flavour=${FLAVOUR:-amd64}

# Each suite has its own root. /etc/rust-tracepoint/$chosen there names the kernel
# that was chosen.
root=$cache/root
[ "$suite" = trixie ] || root=$root-$suite
chosen=$flavour${SERIES:+-$SERIES}

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# "make clean" would descend into it.
case $cache/ in
"$(realpath "$top")"/*) die "the cache folder $cache is inside the checkout: set TRACEPOINT_CACHE to a folder outside" ;;
esac

# Like die, but with status 3: Debian's archive lacks something, which does not count
# as a failure.
lacks() {
	echo "${0##*/}: $*" >&2
	exit 3
}

# lock FILE TEXT: waits for the lock on FILE and holds it until this script exits.
# TEXT says what the holder does.
lock() {
	exec 9>"$1"
	flock -n 9 || {
		echo "  waiting for another run that $2"
		flock 9
	}
}

# step TEXT COMMAND...: runs COMMAND, with its output in $log and one line on the
# terminal. Don't use it in a condition, which disables "set -e" inside COMMAND.
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

# For "trap … EXIT": reports the step that failed.
step_failed() {
	status=$?
	if [ "$status" = 130 ]; then
		echo
		echo "${0##*/}: interrupted; run the same command to resume"
	elif [ "$status" != 0 ] && [ -n "${step-}" ]; then
		echo failed
		tail -n 15 "$log" | sed 's/^/    /'
		echo "${0##*/}: \"$step\" failed; the full log is ${TRACEPOINT_ROOT-}$log"
	fi >&2
}

# use_resolver, use_proxy: let apt in the root reach the archive as the host does.
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

# enter COMMAND...: runs COMMAND in the Debian root, with the checkout at the same
# path. The mounts are in a private namespace and disappear with it.
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
			echo "$PWD is not visible in the Debian root: run it in $top or below" >&2
			exit 1
		}
		exec chroot "$root" env -u TMPDIR -u ARCH -u CROSS_COMPILE -u KBUILD_OUTPUT -C "$PWD" "$@"
		' sh "$top" "$@"
}
