# A release sets both to images with a digest.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

# Stage 1 installs everything and generates the database clients.
FROM $NODE_IMAGE AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/prepare.mjs scripts/generate-clients.ts scripts/trim-packages.ts scripts/
COPY prisma prisma
COPY clients/typescript/src clients/typescript/src
COPY src src
RUN npm ci

# Stage 2 installs what the program needs to run. It needs no development tools and, because nothing is compiled, no install scripts.
FROM $NODE_IMAGE AS production
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/trim-packages.ts scripts/
RUN npm ci --omit=dev --ignore-scripts && node scripts/trim-packages.ts --image && npm cache clean --force

# Stage 3 takes only Node itself from Node's image, because nothing here uses npm, yarn or the headers.
FROM $BASE_IMAGE
COPY --from=production /usr/local/bin/node /usr/local/bin/node
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node
# DATA_FOLDER is not set here: it is /app/data by default, and set-up can change it to a folder within that folder.
ENV NODE_ENV=production LISTEN_HOST=0.0.0.0 SETTINGS_FILE=/app/data/settings.env
# The same option as in the scripts of package.json. It saves a hundred MiB of memory at no cost (docs/PERFORMANCE.md).
ENV NODE_OPTIONS=--max-semi-space-size=16
WORKDIR /app
COPY --from=production /app/node_modules node_modules
COPY --from=build /app/src src
COPY clients/typescript/src clients/typescript/src
COPY prisma prisma
COPY package.json LICENSE README.md .env.example ./
# In the container, `docker exec … satchel COMMAND` does what `npx satchel COMMAND` does elsewhere.
RUN mkdir data && chown node:node data && ln -s /app/src/cli/satchel.mjs /usr/local/bin/satchel
USER node
VOLUME /app/data
# 8080 is for the playground, 8787 for the payments service, and 8788 for callbacks and, while there is no token, for set-up.
EXPOSE 8080 8787 8788
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 CMD ["node", "src/cli/health.ts"]
# Without a shell in between, the process itself gets the signals, so that it can stop cleanly.
CMD ["node", "src/cli/start.ts"]
