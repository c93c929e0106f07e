# Shared by the other scripts: finds the toolchain and installs missing packages. Sourced, not run.

# The headers and libraries that the package is built with.
build_packages=(libsqlite3-dev zlib1g-dev libvips-dev libwebp-dev libraw-dev libexif-dev libexpat1-dev libpq-dev)

# Installs the missing ones of some packages without asking, and names them. $@: Debian packages.
install_missing() {
    local missing=()
    local package
    for package in "$@"; do
        dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    echo "installing: ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "these Debian packages are missing, and only root can install them: ${missing[*]}" >&2
            exit 1
        }
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

require_swift() {
    command -v swift >/dev/null || {
        echo "no Swift toolchain found; install Swift 6.2 or later from https://www.swift.org/install/linux/" >&2
        exit 1
    }
}
