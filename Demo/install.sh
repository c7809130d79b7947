# Sourced by Demo/run and Tests/run: sees to it that system packages are there.

# What the library is built from and linked with, and whom it trusts; what the shop's window needs besides, its typeface among it; and what stands in for a
# screen.
library_packages=(libcurl4-openssl-dev ca-certificates libbrotli-dev libjpeg-dev libpng-dev libgif-dev libwebp-dev)
demo_packages=(libgtk-4-dev fonts-cantarell)
headless_packages=(xvfb)

# install_missing ask|yes|never PACKAGE...
#
# Prints the command that installs what is missing. `ask` asks once if there is a terminal and goes ahead if there is none, `yes` goes
# ahead, `never` only tells. Status 1 if something is missing afterwards.
install_missing() {
  local how=$1 package answer missing=() sudo=()
  shift
  if ! command -v dpkg-query >/dev/null; then
    echo "This is neither Debian nor Ubuntu. Install what they call: $*"
    return 0
  fi
  for package in "$@"; do
    dpkg-query --show --showformat='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  local install=("${sudo[@]}" apt-get install --yes --no-install-recommends "${missing[@]}")
  echo "System packages are missing. This installs them:"
  echo "  ${install[*]}"
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
    echo "Only root can do that, and there is no sudo here. Run it as root, then start this again." >&2
    return 1
  fi
  "${sudo[@]}" apt-get update --quiet=2 || echo "The lists of packages could not be renewed; trying with those that are here." >&2
  DEBIAN_FRONTEND=noninteractive "${install[@]}" --quiet=2 >/dev/null || {
    echo "apt-get could not install the packages; its message is above." >&2
    return 1
  }
}
