#!/usr/bin/env bash
# test.sh: drives the built playground in headless chromium from a file server, without any other network.
set -euo pipefail
cd "$(dirname "$0")/.."
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
scratch=$(mktemp -d)
cp -r target/playground/. "$scratch"
cp playground/drive.html "$scratch"
: >"$scratch.log"
python3 -u -m http.server --bind 127.0.0.1 --directory "$scratch" 0 >"$scratch.log" 2>&1 &
server=$!
browsing=
cleanup() {
    kill $server $browsing 2>/dev/null || :
    wait 2>/dev/null || :
    # The browser's processes write into the profile until the last of them is gone.
    for _ in $(seq 100); do
        rm -rf "$scratch" "$scratch.log" 2>/dev/null && return
        sleep 0.1
    done
    echo "test.sh: $scratch stays behind: something still writes into it" >&2
}
trap cleanup EXIT
until port=$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$scratch.log") && [ -n "$port" ]; do sleep 0.1; done
# Virtual time does not wait for workers: the browser runs until the page has said how it went, which the server's log tells.
timeout 100 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" --remote-debugging-port=0 \
    "http://127.0.0.1:$port/drive.html" >/dev/null 2>&1 &
browsing=$!
for _ in $(seq 900); do
    said=$(sed -n 's/.*GET \/said-\([^ ]*\).*/\1/p' "$scratch.log" | sed 's/%20/ /g; s/%3B/;/g; s/%3A/:/g; s/%2C/,/g')
    [ -z "$said" ] || break
    sleep 0.1
done
echo "test.sh: ${said:-the page said nothing}"
case $said in passed*) ;; *) exit 1 ;; esac
