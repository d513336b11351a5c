# docs/container.md says how to build and run it.

# All that it is made of. Neither tag is fixed: in your fork append to each the @sha256:… that
# `docker buildx imagetools inspect NAME` prints; Dependabot then keeps both up to date.
FROM docker.io/library/node:24.21-bookworm-slim AS nodejs
FROM gcr.io/distroless/cc-debian12:nonroot AS distroless

FROM nodejs AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npx tsc --declaration false --sourceMap false

FROM nodejs AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# Types, source maps and the packages' own tests are a third of what npm installs.
RUN npm ci --omit=dev --ignore-scripts && \
  find node_modules -depth \( -type d -name test -o -name '*.map' -o -name '*.d.*ts' -o -name '*.d.ts' \) -exec rm -r {} +

FROM distroless
COPY --from=nodejs /usr/local/bin/node /usr/local/bin/
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY LICENSE package.json ./
COPY vectors/*.json vectors/

ENV NODE_ENV=production HOST=0.0.0.0
USER 65532:65532
EXPOSE 3001
ENTRYPOINT ["/usr/local/bin/node", "/app/dist/src/command-line/payment-signature.js"]
CMD ["serve"]
HEALTHCHECK --interval=10s --start-period=10s CMD ["/usr/local/bin/node", "/app/dist/src/command-line/payment-signature.js", "healthcheck"]

ARG SOURCE= REVISION= VERSION=
LABEL org.opencontainers.image.title="payment-signature-backend" \
  org.opencontainers.image.description="Signs payment requests with a merchant's secret token" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.source="$SOURCE" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.version="$VERSION"
