# Catamaran scheduler. Build from the root of the repository:
#   docker buildx build --file docker/scheduler.Dockerfile --platform linux/amd64,linux/arm64 .
# The base is pinned by digest; --build-arg BASE=… takes another one with Node.js 24 at /usr/local/bin/node.
ARG BASE=docker.io/library/node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

# Nothing here is native code, so that one build serves all platforms.
FROM --platform=${BUILDPLATFORM} ${BASE} AS build
WORKDIR /src
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml tsconfig.base.json ./
COPY packages packages
RUN npx --yes pnpm@12.4.2 install --frozen-lockfile \
 && npx pnpm@12.4.2 exec tsc -b packages/scheduler \
 && npx pnpm@12.4.2 --filter @catamaran/scheduler --config.inject-workspace-packages=true deploy --prod /out \
 && find /out \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -name '*.tsbuildinfo' \) -delete \
 && find /out -depth -type d \( -name prebuilds -o -path '*/node_modules/@types' \) -exec rm -r {} +
COPY LICENSE /out/

FROM ${BASE}
ARG VERSION=0.0.0-dev
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
LABEL org.opencontainers.image.title="Catamaran scheduler" \
      org.opencontainers.image.description="Places Kubernetes pods by measured load" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"
ENV NODE_ENV=production
COPY --from=build /out /app
COPY docker/launch.cjs /usr/local/bin/kube-scheduler
COPY docker/scheduler-config.yaml /home/scheduler-config.yaml
WORKDIR /app
USER 65532:65532
EXPOSE 10259
ENTRYPOINT ["/usr/local/bin/kube-scheduler"]
CMD ["--config=/home/scheduler-config.yaml"]
