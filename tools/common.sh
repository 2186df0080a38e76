# SPDX-License-Identifier: GPL-2.0
#
# Common code of the tools. Sourced, never executed.

# Everybody may read what the tools make.
umask 022
# With CDPATH, "cd" may go elsewhere, and prints where.
unset CDPATH
# "su" without "-" leaves the sbin directories out of PATH.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
top=$(cd "${0%/*}/.." && pwd -P)
cache=$(realpath -m "${TRACEPOINT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/rust-tracepoint}")

# What a script's first lines say about its use.
usage() {
	sed -n '/^# usage/,/^$/s/^# \{0,1\}//p' "$0"
}

die() {
	echo "${0##*/}: $*" >&2
	exit 1
}

# Like die, but with status 3: Debian's archive lacks something, which does not count
# as a failure.
lacks() {
	echo "${0##*/}: $*" >&2
	exit 3
}

# debian_arch NAME: Debian's name of an architecture that the kernel or Debian calls
# NAME.
debian_arch() {
	case $1 in
	x86 | x86_64 | amd64) echo amd64 ;;
	arm64 | aarch64) echo arm64 ;;
	loongarch | loongarch64 | loong64) echo loong64 ;;
	# What the configurations in sid say.
	riscv64) lacks "Debian builds its kernel for riscv64 with gcc, but Rust needs clang there" ;;
	ppc64el) lacks "Linux supports Rust on ppc64el only since 7.3, and Debian has 7.2" ;;
	s390x) lacks "Debian builds its kernel for s390x without CONFIG_RUST" ;;
	*) die "ARCH=$1 is not supported: set it to amd64, arm64 or loong64" ;;
	esac
}

# The architecture of this machine, and the one of the kernel.
host=$(debian_arch "$(uname -m)")
arch=$(debian_arch "${ARCH:-$host}")
suite=trixie
case $arch in
amd64) triplet=x86_64-linux-gnu ;;
arm64) triplet=aarch64-linux-gnu ;;
# In sid only.
loong64) triplet=loongarch64-linux-gnu suite=sid ;;
esac
suite=${SUITE:-$suite}
flavour=${FLAVOUR:-$arch}

# Each suite has its own root. /etc/rust-tracepoint/$chosen there names the kernel
# that was chosen. For a foreign architecture, it contains a second root, $target,
# which the virtual machine runs in.
root=$cache/root
[ "$suite" = trixie ] || root=$root-$suite
chosen=$flavour${SERIES:+-$SERIES}
foreign=
[ "$arch" = "$host" ] || foreign=$arch
# TRACEPOINT_TARGET is another root there for the machine.
target=${TRACEPOINT_TARGET-${foreign:+/srv/$foreign}}
# The prefix of compilers and other tools.
cross=${foreign:+$triplet-}

# "make clean" would descend into it.
case $cache/ in
"$(realpath "$top")"/*) die "the cache directory $cache is inside the checkout: set TRACEPOINT_CACHE to a directory outside" ;;
esac

# The source of kernels and what is built from it; see tools/kernel-source.
kernels=$cache/kernel

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

# apt_install PACKAGE...: installs further packages. Runs in the Debian root.
apt_install() {
	apt-get update
	DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y \
		--no-install-recommends "$@"
	apt-get clean
}

# With this as $APT_CONFIG, apt looks at the packages of $arch instead of the ones of
# this machine, and leaves what is installed alone.
apt_state=/var/cache/rust-tracepoint/apt-$arch
apt_config=${foreign:+$apt_state/apt.conf}
make_apt_config() {
	mkdir -p "$1$apt_state/lists/partial" "$1$apt_state/archives/partial"
	: >"$1$apt_state/status"
	cat >"$1$apt_config" <<-END
	APT::Architecture "$arch";
	APT::Architectures:: "$arch";
	APT::Install-Recommends "false";
	Dir::State "$apt_state";
	Dir::State::status "$apt_state/status";
	Dir::Cache "$apt_state";
	END
}

# newest_kernel: prints the newest kernel whose image, modules, headers and source have
# the same version, and that version. For some days after a release the signed image
# is missing. The unsigned one, which differs only in the signature, is used only if
# SERIES is set. Calls apt_cache.
newest_kernel() {
	binary=binary version='[^-]+'
	[ -z "${SERIES-}" ] || binary='binary|binary-unsigned' version="$SERIES([.+~][^-]*)?"
	names=$(apt_cache pkgnames linux- |
		grep -Ex "linux-(($binary|modules|headers)-$version-$flavour|source-[0-9.]+)")
	apt_cache madison $names | awk -F ' *[|] *' '
		{ gsub(/ /, "", $1); have[$1, $2] = 1 }
		END {
			for (i in have) {
				split(i, p, SUBSEP)
				v = p[1]
				if (!sub(/^linux-binary-/, "", v))
					continue
				unsigned = sub(/^unsigned-/, "", v) ? "unsigned" : ""
				if (unsigned && ("linux-binary-" v, p[2]) in have)
					continue
				split(v, n, /[.+-]/)
				source = "linux-source-" n[1] "." n[2]
				if (("linux-modules-" v, p[2]) in have &&
				    ("linux-headers-" v, p[2]) in have &&
				    (source, p[2]) in have)
					print v, p[2], source, unsigned
			}
		}' | sort -V | tail -n 1
}

# visible_directory: prints the directory that "enter" shows besides the checkout: the
# Git repository around the working directory, or only that directory if the repository
# would hide files of the root. Prints nothing if that directory is shown anyway.
visible_directory() {
	here=$(pwd -P)
	case $here/ in
	"$top"/* | "$kernels"/*) return ;;
	"$cache"/*) die "$here is inside the cache directory: work elsewhere" ;;
	esac
	repository=$here
	while [ -n "$repository" ] && [ ! -e "$repository/.git" ]; do
		repository=${repository%/*}
	done
	if [ -n "$repository" ] && ! hides "$repository"; then
		echo "$repository"
	elif hides "$here"; then
		die "$here cannot be shown in the Debian root, which has its own $hidden: work in another directory"
	else
		echo "$here"
	fi
}

# hides DIRECTORY: whether a mount at that place would hide something in the root or the
# machine; sets $hidden to it. An earlier run may have left empty directories there.
hides() {
	hidden=$1
	case $1/ in
	/ | /tmp/) return 0 ;;
	# The machine has file systems of its own there.
	/dev/* | /proc/* | /run/* | /sys/*)
		hidden=${1#/}
		hidden=/${hidden%%/*}
		return 0 ;;
	# Not in /tmp, which is empty.
	/tmp/*) return 1 ;;
	esac
	# A symbolic link in the root could lead out of it.
	[ "$(realpath -m "$root$1")" = "$(realpath -m "$root")$1" ] || return 0
	[ -e "$root$1" ] && [ -n "$(find "$root$1" -xdev ! -type d -print -quit)" ]
}

# check_arguments ARGUMENT...: fails if one is a file that "enter" doesn't show, or lies in a
# directory that it doesn't show: what is written there would be lost.
check_arguments() {
	visible=$(visible_directory) || exit
	for argument; do
		# Also NAME=FILE, as for make.
		path=$(realpath -m -- "${argument#*=}" 2>/dev/null) || continue
		directory=${path%/*}
		case $path/ in
		"$top"/* | "$kernels"/* | "${visible:-$top}"/* | /dev/* | /proc/* | /sys/*) continue ;;
		esac
		if [ -f "$path" ]; then
			case $path in
			/tmp/*) ;;
			*) [ ! -e "$root$path" ] || continue ;;
			esac
			! hides "$directory" ||
				die "the Debian root has its own $directory and doesn't show $path: copy it to another directory and work there"
		else
			case $directory in
			/*/*) [ -d "$directory" ] && ! hides "$directory" || continue ;;
			*) continue ;;
			esac
		fi
		die "the Debian root shows only the working directory, not $directory: run \"cd $directory\" first"
	done
}

# enter COMMAND...: runs COMMAND in the Debian root, with the checkout at the same
# path, the working directory and $kernels. A root for another architecture, in $target, has
# them and /tmp, too. The mounts are in a private namespace and disappear with it.
enter() {
	[ "$(id -u)" = 0 ] || die "only root can enter the Debian root: run it with sudo"
	visible=$(visible_directory) || exit
	TRACEPOINT_ROOT=$root TRACEPOINT_CACHE=$cache exec \
		unshare --mount --propagation private ${unshare-} sh -euc '
		root=$TRACEPOINT_ROOT target=$1 top=$2 visible=$3 kernels=$4
		shift 4
		mount -t proc proc "$root/proc"
		mount --rbind /dev "$root/dev"
		mount --rbind /sys "$root/sys"
		# Before /tmp is mounted over: one of these may be in /tmp.
		mount -t tmpfs tmpfs "$root/tmp"
		for directory in "$top" "$visible" "$kernels"; do
			[ -d "$directory" ] || continue
			mkdir -p "$root$directory"
			mount --bind "$directory" "$root$directory"
		done
		[ -z "$target" ] || [ ! -d "$root$target" ] || {
			mount --bind "$root/tmp" "$root$target/tmp"
			for directory in "$top" "$visible" "$kernels"; do
				[ -d "$directory" ] || continue
				mkdir -p "$root$target$directory"
				mount --bind "$directory" "$root$target$directory"
			done
		}
		exec chroot "$root" env -u TMPDIR -u CROSS_COMPILE -u KBUILD_OUTPUT -C "$(pwd -P)" "$@"
		' sh "$target" "$top" "$visible" "$kernels" "$@"
}
