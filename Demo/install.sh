# shellcheck shell=bash disable=SC2034 # The lists are for the scripts that source this file.
#
# Demo/run and Tests/run source this file. It checks for system packages, and installs missing packages.

# The first list has the packages that the library needs, including root certificates. The second list has the packages that the shop's
# window needs in addition, including its typeface. The third list has the package that replaces a screen.
library_packages=(libcurl4-openssl-dev libssl-dev ca-certificates libbrotli-dev libjpeg-dev libpng-dev libgif-dev libwebp-dev)
demo_packages=(libgtk-4-dev fonts-cantarell)
headless_packages=(xvfb)

# The seconds for which apt_get waits for other installations. A new machine may start with its own updates.
lock_timeout=600

# apt_get ARGUMENT...
#
# Runs apt-get as root, without questions and progress output. While another program installs packages or updates their lists, the function
# prints once that it waits, and tries again. DPkg::Lock::Timeout alone is not enough. It covers the locks of dpkg, which an installation
# acquires, but not the lock of /var/lib/apt/lists, which an update acquires.
apt_get() {
  local sudo=() messages status waited=no end=$((SECONDS + lock_timeout)) rest=0
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  while true; do
    status=0
    # The messages are in English, because this function searches them. `env` sets the variables, because sudo does not pass variables on.
    messages=$("${sudo[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
      apt-get --quiet=2 --option DPkg::Lock::Timeout="$rest" "$@" 2>&1 >/dev/null) || status=$?
    rest=$((end - SECONDS))
    if [ $status = 0 ] || [ $rest -le 0 ] || ! grep -qE "Could not get lock|is another process using it" <<<"$messages"; then
      [ -z "$messages" ] || printf '%s\n' "$messages" >&2
      return $status
    fi
    [ $waited = yes ] || echo "Another program is installing packages; waiting until it is done, for at most $lock_timeout seconds."
    waited=yes
    sleep 1
  done
}

# install_missing ask|yes|never PACKAGE...
#
# Prints the command that installs the missing packages. `ask` asks once if there is a terminal, and otherwise installs. `yes` installs.
# `never` only prints. The status is 1 if a package is still missing afterward.
install_missing() {
  local how=$1 package answer missing=() sudo=()
  shift
  if ! command -v dpkg-query >/dev/null; then
    echo "This system is neither Debian nor Ubuntu. Install the packages that have these names on Debian: $*"
    return 0
  fi
  for package in "$@"; do
    dpkg-query --show --showformat='${db:Status-Status}\n' "$package" 2>/dev/null | grep -x installed > /dev/null || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  local arguments=(install --yes --no-install-recommends "${missing[@]}")
  local command=("${sudo[@]}" apt-get "${arguments[@]}")
  echo "System packages are missing. This installs them:"
  echo "  ${command[*]}"
  case $how in
    never) return 1 ;;
    ask)
      if [ -t 0 ] && [ -t 1 ]; then
        read -r -p "Install them now? [Y/n] " answer
        case $answer in
          [nN]*) return 1 ;;
        esac
      fi
      ;;
  esac
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    echo "Only root can install packages, and sudo is not installed. Run the command above as root, then start this script again." >&2
    return 1
  fi
  apt_get update || echo "apt-get could not update the lists of packages; trying with the existing lists." >&2
  apt_get "${arguments[@]}" || {
    echo "apt-get could not install the packages; its message is above." >&2
    return 1
  }
}
