# Sourced by the build scripts: changes to a fresh `build/` beside the calling script that holds the world in `wit/`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$here/build"
mkdir -p "$here/build/wit/deps"
cp "$here/../world.wit" "$here/build/wit/"
cp -R "$here/../../../wit" "$here/build/wit/deps/execgate"
cd "$here/build"
