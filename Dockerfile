# The image of Tocsin: docker build -t tocsin .
# docs/installing.md says how to run it; `npm run image` builds it without a registry.
ARG BUILD_IMAGE=docker.io/library/node:26-trixie-slim
ARG BASE_IMAGE=docker.io/library/debian:trixie-slim

# The package of `npm pack`, with its production dependencies and its Node.js.
FROM ${BUILD_IMAGE} AS build
RUN apt-get update && apt-get install --yes --no-install-recommends binutils libatomic1
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --include=dev --include=optional --prefer-offline
COPY . .
RUN npm pack --pack-destination /tmp \
  && mkdir -p /opt/tocsin \
  && tar -xzf /tmp/tocsin-*.tgz -C /opt/tocsin --strip-components=1 \
  && npm prune --omit=dev --ignore-scripts \
  && mv node_modules /opt/tocsin/ \
  && sh packaging/trim.sh /opt/tocsin

# Only the libraries and programs that are used: the service needs no package manager.
FROM ${BASE_IMAGE} AS system
RUN apt-get update \
  && apt-get install --yes --no-install-recommends busybox-static libatomic1 libstdc++6 netbase tini
COPY packaging packaging
RUN sh packaging/image/system.sh /system

FROM scratch
COPY --from=system /system /
COPY --from=build /opt/tocsin /opt/tocsin
LABEL org.opencontainers.image.title="Tocsin" \
  org.opencontainers.image.description="On-call management that people host themselves" \
  org.opencontainers.image.licenses="MIT"
ENV DATA_DIR=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080 8081
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["/opt/tocsin/node_modules/node/bin/node", "/usr/lib/tocsin-healthy.mjs"]
ENTRYPOINT ["/usr/bin/tini", "--", "/usr/bin/tocsin"]
CMD ["serve"]
