#!/bin/sh
# Makes a folder with a Debian in which the real Asterisk, SIP telephones and sipp are installed: set-up.sh <folder>.
# Needs root, apt and two minutes. The mirror is the one that this machine's apt uses.
set -eu
root=${1:?the folder}
suite=${ASTERISK_SUITE:-sid}
packages='asterisk asterisk-core-sounds-en-wav baresip-core sip-tester espeak-ng'
# A mirror may be older than its lists claim to be valid.
apt='apt-get -qq -o Acquire::Check-Valid-Until=false'

[ ! -e "$root/.ready" ] || exit 0
[ "$(id -u)" = 0 ] || { echo 'only root can make a chroot'; exit 1; }
command -v apt-get >/dev/null || { echo 'there is no apt here'; exit 1; }
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep '/debian/\?$' | head -1)
[ -n "$mirror" ] || { echo 'apt knows no Debian mirror'; exit 1; }

mkdir -p "$root"
tool=$(mktemp -d)
trap 'rm -rf "$tool"' EXIT
chmod 755 "$tool"
(
  cd "$tool"
  apt-get -qq download debootstrap
  dpkg -x debootstrap_*.deb .
  # What is installed here is run by tests only, and not signed by keys that this machine need have.
  DEBOOTSTRAP_DIR=$tool/usr/share/debootstrap ./usr/sbin/debootstrap --variant=minbase --no-check-gpg "$suite" "$root" "$mirror"
) >"$root.log" 2>&1 || { tail -5 "$root.log"; echo 'debootstrap failed'; exit 1; }
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
chroot "$root" sh -c "$apt update && DEBIAN_FRONTEND=noninteractive $apt install -y --no-install-recommends $packages" \
  >>"$root.log" 2>&1 || { tail -5 "$root.log"; echo 'apt failed'; exit 1; }
touch "$root/.ready"
