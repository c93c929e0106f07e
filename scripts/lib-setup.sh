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

# Builds the two programs with one line of progress. What else the build prints, such as warnings of packages that are not
# ours, is shown only if it fails. $@: the command without a product.
build_programs() {
    local log product started=$SECONDS
    log="$(mktemp)"
    for product in photostream photostream-pictures; do
        "$@" --product "$product" 2>&1 | tee -a "$log" | show_progress && continue
        grep -A 3 'error:' "$log" >&2 || tail -n 20 "$log" >&2
        echo "the build failed; all that it printed is in $log" >&2
        exit 1
    done
    rm -f "$log"
    echo "built in $(((SECONDS - started) / 60)) min $(((SECONDS - started) % 60)) s"
}

# Reads what a build prints, and shows on a terminal how far it is.
show_progress() {
    local line text
    while IFS= read -r line; do
        case "$line" in
            "["*/*"] "*) text="${line#[}" text="${text%%]*}" text="compiling: step ${text%/*} of ${text#*/}" ;;
            Fetching* | Updating* | Creating* | Computing*) text="fetching packages" ;;
            *) continue ;;
        esac
        [ ! -t 1 ] || printf '\r\033[K%s' "$text"
    done
    [ ! -t 1 ] || printf '\r\033[K'
}

require_swift() {
    command -v swift >/dev/null || {
        echo "no Swift toolchain found; install Swift 6.2 or later from https://www.swift.org/install/linux/" >&2
        exit 1
    }
}
