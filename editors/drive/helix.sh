#!/usr/bin/env bash
# helix.sh FILE LINES: opens a file of CUDA in Helix on a terminal that nobody sees, with LINES as its languages.toml, and reads the
# screen. Run by drive.sh, whose folder for settings it uses.
set -euo pipefail
file=$1
mkdir -p "$HOME/.config/helix"
cp "$2" "$HOME/.config/helix/languages.toml"
tmux() { command tmux -L cass-drive "$@"; }
trap 'tmux kill-server 2>/dev/null || :' EXIT
tmux new-session -d -x 160 -y 40 "$(command -v hx || command -v helix) '$file'"

# Waits until the screen shows a text, ten seconds at most.
shows() {
    for _ in $(seq 100); do
        tmux capture-pane -p | grep -qF -- "$2" && { echo "helix: $1: ok" && return; }
        sleep 0.1
    done
    echo "helix: $1: MISSING"
    tmux capture-pane -p
    exit 1
}

shows "the text" "cudaMalloc"
shows "a finding at the cursor" "CASS008"
tmux send-keys Space d
shows "the list of findings" "CASS003"
tmux send-keys Escape
sleep 0.3
tmux send-keys ":4" Enter g s Space k
shows "what a name becomes" "cudaMalloc becomes hipMalloc"
tmux send-keys Escape
sleep 0.3 # Escape and a key at once is Alt with that key
tmux send-keys Space a
shows "the fixes" "Translate this file to HIP"
tmux send-keys Down Down Down Enter
shows "the fix in the text" "hipMalloc(&p, 4)"
tmux send-keys ":wq" Enter
for _ in $(seq 100); do
    tmux list-sessions >/dev/null 2>&1 || break
    sleep 0.1
done
grep -q "hipMalloc(&p, 4)" "$file" && echo "helix: the file that was written: ok"
