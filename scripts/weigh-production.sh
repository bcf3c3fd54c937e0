#!/usr/bin/env bash
# Leaves in a copy of this installation what production needs, weighs it, loads the program from it, and has it serve set-up.
set -euo pipefail
cd "$(dirname "$0")/.."
MAX_PRODUCTION_MB=150
MAX_DEVELOPMENT_MB=600
# What the image adds to debian:bookworm-slim, which has some 75 MB: an image has at most 300.
MAX_ADDED_MB=220

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r package.json package-lock.json .npmrc prisma clients src "$folder"
mkdir "$folder/scripts" && cp scripts/trim-packages.ts "$folder/scripts"
node=$PWD/node_modules/.bin/node
# Caches that tests leave there are no part of an installation.
development=$(du -sm --exclude='node_modules/.*' node_modules | cut -f1)
# The files that `npm ci --omit=dev` would install. Links do where the disk is the same, since files are only removed.
cp -al node_modules "$folder" 2>/dev/null || { rm -rf "$folder/node_modules" && cp -a node_modules "$folder"; }
cd "$folder"
npm prune --omit=dev --ignore-scripts >/dev/null
rm -rf node_modules/.cache node_modules/.vite*
"$node" scripts/trim-packages.ts
production=$(du -sm node_modules | cut -f1)
"$node" scripts/trim-packages.ts --image
added=$(du -sb node_modules src prisma clients "$(readlink -f "$node")" | awk '{ sum += $1 } END { printf "%d", sum / 1000000 + 1 }')
"$node" --input-type=module --eval "await import('./src/assembly/start-all.ts'); const { PrismaClient } = await import('./src/tipping/generated/client.ts'); if (!PrismaClient) process.exit(1)"
# As the container runs it: without a token it asks for one in a browser.
mkdir data
env -i PATH="$PATH" NODE_ENV=production CALLBACK_PORT=0 SETTINGS_FILE="$folder/data/settings.env" "$node" src/cli/start.ts >start.log 2>&1 &
started=$!
trap 'kill "$started" || true; rm -rf "$folder"' EXIT
for _ in $(seq 120); do
  grep -q 'Set up Satchel at' start.log && break
  kill -0 "$started" || break
  sleep 0.5
done
grep 'Set up Satchel at' start.log || { cat start.log; exit 1; }
echo "node_modules: $production MB in production (at most $MAX_PRODUCTION_MB), $development MB for development (at most $MAX_DEVELOPMENT_MB)"
echo "the image adds $added MB to its base (at most $MAX_ADDED_MB)"
[ "$production" -le "$MAX_PRODUCTION_MB" ] && [ "$development" -le "$MAX_DEVELOPMENT_MB" ] && [ "$added" -le "$MAX_ADDED_MB" ]
