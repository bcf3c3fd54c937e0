# A release names both by digest.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

# Stage 1: install everything and generate the database clients.
FROM $NODE_IMAGE AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/prepare.mjs scripts/generate-clients.ts scripts/trim-packages.ts scripts/
COPY prisma prisma
COPY clients/typescript/src clients/typescript/src
COPY src src
RUN npm ci

# Stage 2: what runs needs no development tools; nothing compiles, so no install script is needed either.
FROM $NODE_IMAGE AS production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/trim-packages.ts scripts/
RUN npm ci --omit=dev --ignore-scripts && node scripts/trim-packages.ts --image && npm cache clean --force

# Stage 3: Node alone. Its image has npm, yarn and headers besides, which nothing here uses.
FROM $BASE_IMAGE
COPY --from=production /usr/local/bin/node /usr/local/bin/node
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node
# No DATA_FOLDER: it is /app/data by default, and set-up may choose a folder in it.
ENV NODE_ENV=production LISTEN_HOST=0.0.0.0 SETTINGS_FILE=/app/data/settings.env
# As the scripts of package.json do: a hundred MiB less, at no cost (docs/PERFORMANCE.md).
ENV NODE_OPTIONS=--max-semi-space-size=16
WORKDIR /app
COPY --from=production /app/node_modules node_modules
COPY --from=build /app/src src
COPY clients/typescript/src clients/typescript/src
COPY prisma prisma
COPY package.json LICENSE README.md .env.example ./
# `docker exec … satchel COMMAND` is what `npx satchel COMMAND` is elsewhere.
RUN mkdir data && chown node:node data && ln -s /app/src/cli/satchel.mjs /usr/local/bin/satchel
USER node
VOLUME /app/data
# 8080 the playground, 8787 the payments service, 8788 callbacks, and set-up while there is no token.
EXPOSE 8080 8787 8788
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 CMD ["node", "src/cli/health.ts"]
# The process gets the signals itself, so that it can stop cleanly.
CMD ["node", "src/cli/start.ts"]
