# The images of the product. Targets: api (also migrate and the other commands), worker, sandbox, proxy, postgres.
# All but the proxy share one base, so that it is pulled once and patched in one place.
# Renovate keeps the digests fresh. Without a registry: --build-arg NODE_IMAGE=node:24-slim --build-arg NGINX_IMAGE=nginx:1
ARG NODE_IMAGE=node:24-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ARG POSTGRES_IMAGE=postgres:17@sha256:d74eeac9a635390a49bc21bd49fccd973de707e2a53a76ac49b552b8712ec46f
ARG NGINX_IMAGE=nginx:1@sha256:908dc23e643a1447dbfb2e189ed268bfde6a51a5bf9a34d3dd3440a24f58ccf7

FROM ${NODE_IMAGE} AS base
WORKDIR /app

FROM base AS pnpm
ENV CI=true
COPY package.json ./
RUN npm install --global --no-fund --no-audit "$(node -p "require('./package.json').packageManager")"

FROM base AS manifests
COPY packages packages
COPY services services
COPY web web
RUN find . -type f ! -name package.json -delete && find . -mindepth 1 -type d -empty -delete

# The manifests come from their own stage, so that only a changed manifest repeats the install, not a changed line of code.
FROM pnpm AS installable
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
COPY --from=manifests /app ./

FROM installable AS build
RUN --mount=type=cache,id=pnpm-store,target=/pnpm-store \
    pnpm install --frozen-lockfile --pm-on-fail=ignore --store-dir=/pnpm-store --filter='!@site/local-infra' --filter='!@site/testing'
COPY tsconfig.base.json ./
COPY packages packages
COPY services services
COPY scripts/bundle.mjs scripts/
COPY deploy/check-settings.mjs deploy/
RUN node scripts/bundle.mjs services/api services/worker services/sandbox deploy
COPY web web
RUN cd web && node_modules/.bin/vite build

# Only what API and worker need at run time.
FROM installable AS product-modules
RUN --mount=type=cache,id=pnpm-store,target=/pnpm-store \
    pnpm install --prod --frozen-lockfile --pm-on-fail=ignore --store-dir=/pnpm-store \
        --filter-prod='@site/api...' --filter-prod='@site/worker...'

FROM installable AS sandbox-modules
RUN --mount=type=cache,id=pnpm-store,target=/pnpm-store \
    pnpm install --prod --frozen-lockfile --pm-on-fail=ignore --store-dir=/pnpm-store --filter-prod='@site/sandbox...'

FROM base AS program
# Stack traces name our files. The young generation is sized for containers of 512 MB: less garbage collection in a burst.
ENV NODE_ENV=production HOST=0.0.0.0 NODE_OPTIONS="--enable-source-maps --max-semi-space-size=64"
RUN install -d -o node -g node /data
USER node

# API and worker share every layer, so one download serves both and both come from one build.
FROM program AS product
COPY --from=product-modules /app ./
COPY --from=build /app/services/api/dist services/api/dist
COPY --from=build /app/services/worker/dist services/worker/dist
COPY --from=build /app/web/dist web/dist
COPY --from=build /app/web/dist-ssr web/dist-ssr
# Where the compose file of every release runs it, so that each runs the images of the next and the last.
COPY --from=build /app/deploy/dist/check-settings.js deploy/check-settings.mjs

FROM product AS api
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --start-interval=1s --retries=3 CMD ["node", "-e", \
    "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/readyz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/api/dist/main.js"]

FROM product AS worker
EXPOSE 8081
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --start-interval=1s --retries=3 CMD ["node", "-e", \
    "fetch(`http://127.0.0.1:${process.env.WORKER_PORT || 8081}/readyz`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/worker/dist/main.js"]

FROM program AS sandbox
ENV NODE_ENV=development DATA_DIR=/data
COPY --from=sandbox-modules /app ./
COPY --from=build /app/services/sandbox/dist services/sandbox/dist
EXPOSE 8090
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --start-interval=1s --retries=3 CMD ["node", "-e", \
    "fetch(`http://127.0.0.1:${process.env.SANDBOX_PORT || 8090}/`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "services/sandbox/dist/main.js"]

# Needs no Brotli module: the API compresses pages and files once.
FROM ${NGINX_IMAGE} AS proxy
COPY deploy/proxy /etc/site-proxy
USER nginx
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --start-interval=1s --retries=3 CMD ["curl", "--fail", "--silent", \
    "http://127.0.0.1:8079/"]
STOPSIGNAL SIGQUIT
CMD ["sh", "/etc/site-proxy/start.sh"]

# Its tag in docker-compose.yml names both versions.
FROM ${POSTGRES_IMAGE} AS postgres
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates 'pgbackrest=2.55*' && rm -rf /var/lib/apt/lists/*
