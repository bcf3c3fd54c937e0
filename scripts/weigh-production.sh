#!/usr/bin/env bash
# Installs what production needs into an empty folder, as the Dockerfile does, weighs it, and loads the program from it.
set -euo pipefail
cd "$(dirname "$0")/.."
MAX_PRODUCTION_MB=150
MAX_DEVELOPMENT_MB=600

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r package.json package-lock.json .npmrc prisma clients src "$folder"
mkdir "$folder/scripts" && cp scripts/trim-packages.ts "$folder/scripts"
node=$PWD/node_modules/.bin/node
# Caches that tests leave there are no part of an installation.
development=$(du -sm --exclude='node_modules/.*' node_modules | cut -f1)
cd "$folder"
npm ci --omit=dev --ignore-scripts >/dev/null
"$node" scripts/trim-packages.ts
production=$(du -sm node_modules | cut -f1)
"$node" --input-type=module --eval "await import('./src/assembly/start-all.ts'); const { PrismaClient } = await import('./src/tipping/generated/client.ts'); if (!PrismaClient) process.exit(1)"
echo "node_modules: $production MB in production (at most $MAX_PRODUCTION_MB), $development MB for development (at most $MAX_DEVELOPMENT_MB)"
[ "$production" -le "$MAX_PRODUCTION_MB" ] && [ "$development" -le "$MAX_DEVELOPMENT_MB" ]
