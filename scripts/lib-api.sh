# Shared by the scripts that talk to a server with tools from PyPI. Sourced, not run; $api_bin is the folder of the tools,
# $api_address the server, $api_folder a folder that is deleted when the script ends.

# Installs packages of PyPI into an environment in .build. $@: packages with their versions.
api_tools() {
    install_missing python3-venv
    api_bin="$PWD/.build/api-tools/bin"
    [ -x "$api_bin/pip" ] || python3 -m venv "${api_bin%/bin}"
    "$api_bin/pip" install --quiet --disable-pip-version-check "$@"
}

# Starts a server with four streams: the samples, made-up photos, pictures with thumbnails, and an empty one, which takes
# uploads; $api_file is their file. $1: the number of made-up photos; the others: more options of the server, such as --open.
api_server() {
    local product
    for product in photostream photostream-pictures; do swift build --product "$product"; done
    photostream="$PWD/.build/debug/photostream"
    local count="$1"
    shift
    api_folder=$(mktemp -d)
    trap 'kill "${api_server:-}" 2>/dev/null || true; rm -rf "$api_folder"' EXIT
    api_file="$api_folder/photos.sqlite"
    local file="$api_file"
    "$photostream" import --database "$file" --stream sample SampleData/photos.jsonl SampleData/photos.csv >/dev/null
    python3 scripts/api/photos.py "$count" 5 >"$api_folder/photos.jsonl"
    "$photostream" import --database "$file" --stream many "$api_folder/photos.jsonl" >/dev/null
    "$photostream" import --database "$file" --stream pictures SampleData/pictures >/dev/null
    "$photostream" streams create --database "$file" empty
    mkdir "$api_folder/pictures"
    "$photostream" serve --database "$file" --port 0 --uploads empty="$api_folder/pictures" "$@" >"$api_folder/address" 2>"$api_folder/errors" &
    api_server=$!
    local tries=0
    until grep -q . "$api_folder/address"; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || {
            echo "the server does not start: $(cat "$api_folder/errors")" >&2
            exit 1
        }
        sleep 0.1
    done
    api_address=$(head -n 1 "$api_folder/address")
}
