#!/bin/bash
# Installs the table companion as a service. Repeating it upgrades, and mends what was changed.
set -euo pipefail
# The program is for the user of the services, too, whatever the superuser likes for files of its own.
umask 022

USAGE="\
Usage: sudo systemd/install.sh [--bare] [--print]     install, upgrade or mend
       sudo systemd/install.sh --uninstall [--print]  remove; games and configuration stay

  --bare   a plain Debian: go on without the packages that only Raspberry Pi OS has.
           There are no pins and no camera module then: rig = \"mock\", webcams and films.
  --print  only say what would be done

It is made for Raspberry Pi OS bookworm and trixie, 64 bit; Lite will do."

SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
OS_RELEASE=${OS_RELEASE:-/etc/os-release}
PROGRAM=/opt/lama-companion
CONFIGURATION=/etc/lama-companion
STATE=/var/lib/lama-companion
UNITS=/etc/systemd/system
SERVICES=(lama-companion.service lama-off-switch.service)
OWNER=lama
GROUPS_WANTED=(gpio video render input spi i2c audio)
# SDL draws on the bare screen through the GL libraries; without libgl1 it paints black.
PACKAGES=(python3 python3-venv ca-certificates espeak-ng alsa-utils
  libegl1 libgles2 libgl1 libgbm1 libgl1-mesa-dri)
PI_PACKAGES=(python3-lgpio python3-picamera2)

bare='' print='' uninstall=''

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

# Do something, or only say it.
do_() {
  if [ -n "$print" ]; then
    echo "  $*"
  else
    "$@"
  fi
}

say() { echo "== $*"; }

options() {
  for word in "$@"; do
    case $word in
      --bare) bare=yes ;;
      --print) print=yes ;;
      --uninstall) uninstall=yes ;;
      -h | --help) echo "$USAGE" && exit 0 ;;
      *) echo "$USAGE" >&2 && fail "there is no option $word" ;;
    esac
  done
}

# Whether systemd runs here; it does not while an image is being made.
booted() { [ -d /run/systemd/system ] || [ -n "$print" ]; }

# The release's name; anything else is refused.
check_system() {
  [ -r "$OS_RELEASE" ] || fail "this system does not say what it is ($OS_RELEASE is missing)"
  # shellcheck disable=SC1090
  release=$(. "$OS_RELEASE" && echo "${VERSION_CODENAME:-}")
  # shellcheck disable=SC1090
  name=$(. "$OS_RELEASE" && echo "${PRETTY_NAME:-an unknown system}")
  case $release in
    bookworm | trixie) ;;
    *) fail "this is $name; it is made for Raspberry Pi OS bookworm and trixie" ;;
  esac
  case $(dpkg --print-architecture) in
    arm64 | amd64) ;;
    *) fail "this is a 32-bit system; put the 64-bit Raspberry Pi OS on the card" ;;
  esac
}

check_root() {
  [ -n "$print" ] || [ "$(id -u)" = 0 ] || fail "this needs the superuser: sudo $0 $*"
}

has_candidate() {
  local found
  found=$(LC_ALL=C apt-cache policy "$1" | sed -n 's/^ *Candidate: *//p')
  [ -n "$found" ] && [ "$found" != '(none)' ]
}

install_packages() {
  say "packages"
  do_ apt-get update -qq
  local wanted=("${PACKAGES[@]}") package
  [ -n "$bare" ] || wanted+=("${PI_PACKAGES[@]}")
  for package in "${wanted[@]}"; do
    [ -n "$print" ] || has_candidate "$package" || fail "there is no package $package here." \
      "On Raspberry Pi OS look whether archive.raspberrypi.com is among the sources in /etc/apt;" \
      "on a plain Debian add --bare and do without pins and camera module"
  done
  do_ env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${wanted[@]}"
}

make_user() {
  say "the user $OWNER"
  id "$OWNER" >/dev/null 2>&1 ||
    do_ useradd --system --user-group --home-dir "$STATE" --no-create-home --shell /usr/sbin/nologin "$OWNER"
  local group
  for group in "${GROUPS_WANTED[@]}"; do
    if getent group "$group" >/dev/null; then do_ usermod -aG "$group" "$OWNER"; fi
  done
}

# A virtual environment that is broken, or of another Python, is made anew.
make_environment() {
  say "the program in $PROGRAM"
  local version
  version=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  if ! { [ -x "$PROGRAM/bin/pip" ] && "$PROGRAM/bin/python" -c '' 2>/dev/null &&
    [ -d "$PROGRAM/lib/python$version" ]; }; then
    do_ python3 -m venv --clear --system-site-packages "$PROGRAM"
  fi
}

# pip builds in the folder it is given, so it is given a copy. Everything has the version it was tested
# with, but for NumPy: the camera's software needs the release's own.
install_program() {
  local copy wanted
  copy=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$copy'" EXIT
  wanted=$copy$([ -n "$bare" ] || echo '[pi]')
  do_ cp -r "$SOURCE"/{pyproject.toml,README.md,LICENSE,companion,vision,hardware} "$copy"
  grep -v '^numpy==' "$SOURCE/constraints.txt" > "$copy/constraints.txt"
  do_ "$PROGRAM/bin/pip" install --quiet --disable-pip-version-check --prefer-binary \
    -c "$copy/constraints.txt" -c "$SOURCE/systemd/constraints-$release.txt" "$wanted"
  do_ install -D -m755 "$SOURCE/systemd/install.sh" "$PROGRAM/share/lama-companion/install.sh"
}

install_services() {
  say "the services"
  do_ install -d -o "$OWNER" -g "$OWNER" -m750 "$CONFIGURATION"
  local service
  for service in "${SERVICES[@]}"; do
    do_ install -m644 "$SOURCE/systemd/$service" "$UNITS/$service"
  done
  local enabled=("${SERVICES[@]}")
  [ -z "$bare" ] || enabled=("${SERVICES[0]}") # without pins there is no off button
  do_ systemctl enable --quiet "${enabled[@]}"
  if booted; then
    do_ systemctl daemon-reload
    do_ systemctl restart --no-block "${enabled[@]}"
  fi
}

install_all() {
  check_system
  check_root "$@"
  install_packages
  make_user
  make_environment
  install_program
  install_services
  say "done. The screen asks for the rest; companion doctor says what is missing:"
  echo "  sudo systemctl stop lama-companion && sudo -u $OWNER XDG_STATE_HOME=${STATE%/*}" \
    "$PROGRAM/bin/companion doctor --config $CONFIGURATION/companion.toml"
}

remove_all() {
  check_root "$@"
  say "the services"
  do_ systemctl disable --now --quiet "${SERVICES[@]}" 2>/dev/null || true
  do_ rm -f "${SERVICES[@]/#/$UNITS/}"
  if booted; then do_ systemctl daemon-reload; fi
  say "the program in $PROGRAM"
  do_ rm -rf "$PROGRAM"
  say "removed. Your games are still in $STATE, the configuration and your dice in $CONFIGURATION."
  echo "  They belong to the user $OWNER, who stays too; so do the system's packages. To remove them as well:"
  echo "  sudo rm -r $STATE $CONFIGURATION && sudo userdel $OWNER"
}

main() {
  options "$@"
  if [ -n "$uninstall" ]; then remove_all "$@"; else install_all "$@"; fi
  exit
}

main "$@"
