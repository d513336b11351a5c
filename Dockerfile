# docs/deploy.md describes how to build and run it. The tags of the two images in FROM move: in your fork, append to each
# the @sha256:… that `docker buildx imagetools inspect NAME` prints. Dependabot then keeps tag and digest up to date.

FROM docker.io/library/node:24.21-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json client/
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/compile.js src plugins routes tools
# Types, source maps and the packages' own tests are more than half of what npm installs.
RUN npm ci --omit=dev --ignore-scripts --workspaces=false && \
  find node_modules -depth \( -type d -name test -o -name '*.map' -o -name '*.d.*ts' \) -exec rm -r {} +

# No shell, no package manager: the C library and what else Node.js needs. The Node.js is that of the first image.
FROM gcr.io/distroless/cc-debian12:nonroot
WORKDIR /app
COPY --from=build /usr/local/bin/node /usr/local/bin/
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# Whatever umask the checkout was made with.
COPY --chmod=644 LICENSE openapi.json package.json scripts/healthcheck.js ./
COPY --chmod=644 vectors/*.json vectors/

ENV NODE_ENV=production HOST=0.0.0.0
USER 65532:65532
EXPOSE 3001
# Node.js then opens no inspector on SIGUSR1, not even before the service begins to load. Node.js 20 does not know the option.
ENTRYPOINT ["/usr/local/bin/node", "--disable-sigusr1", "/app/dist/tools/command-line/payment-signature.js", "serve"]
HEALTHCHECK --timeout=6s --start-period=10s CMD ["/usr/local/bin/node", "/app/healthcheck.js"]

ARG SOURCE= REVISION= VERSION=
LABEL org.opencontainers.image.title="payment-signature-backend" \
  org.opencontainers.image.description="Signs payment requests with a merchant's secret token" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.source="$SOURCE" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.version="$VERSION"
