# The version of Node is that of package.json. To pin the digest too: docker buildx imagetools inspect node:24.21.0-slim,
# then FROM node:24.21.0-slim@sha256:… in both places.
FROM node:24.21.0-slim AS build

WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
RUN npm ci
COPY bin bin
COPY src src
RUN npm run build

FROM node:24.21.0-slim

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional packages contain Node; this image has its own.
RUN npm ci --omit=dev --omit=optional && npm cache clean --force
COPY bin bin
COPY src src
COPY docs docs
COPY --from=build /app/dist dist
# Without it bin/signet runs what was built, whatever the times of the files.
RUN rm src/main.ts && ln -s /app/bin/signet /usr/local/bin/signet && mkdir /data && chown node:node /data

ENV NODE_ENV=production HOST=0.0.0.0 SMTP_HOST=0.0.0.0 IMAP_HOST=0.0.0.0 SUBMISSION_HOST=0.0.0.0 DATA_DIR=/data
# The code belongs to root; the process can write only to /data.
USER node
VOLUME /data
EXPOSE 8787 2525 1143 1587

HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["node", "/app/bin/healthy.mjs"]

# Node is the first process and gets SIGTERM, so a stop finishes running requests.
CMD ["sh", "bin/signet", "serve"]
