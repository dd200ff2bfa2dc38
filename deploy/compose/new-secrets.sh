#!/bin/sh
# Makes the secrets of deploy/compose.yaml, once, in deploy/compose/secrets: nothing that is there is made again.
# As root, because the files belong to root and are read by the group of the image's user (10001), as the server demands of a
# key ring that it does not own. IMAGE names the image that makes the ring; RUN_IMAGE how it is run.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
cd secrets
random() { od -An -N"$1" -tx1 /dev/urandom | tr -d ' \n'; }

[ -s postgres-password ] || random 24 > postgres-password
[ -s s3.env ] || printf 'ROOT_ACCESS_KEY=%s\nROOT_SECRET_KEY=%s\n' "$(random 10)" "$(random 20)" > s3.env
[ -s nats-token ] || random 24 > nats-token
[ -s nats.conf ] || printf 'port: 4222\nhttp: "127.0.0.1:8222"\nauthorization { token: "%s" }\n' "$(cat nats-token)" > nats.conf
key_id=$(sed -n 's/^ROOT_ACCESS_KEY=//p' s3.env)
secret=$(sed -n 's/^ROOT_SECRET_KEY=//p' s3.env)
[ -s server.config.json ] || cat > server.config.json <<JSON
{
  "databaseUrl": "postgres://atelier:$(cat postgres-password)@postgres:5432/atelier",
  "blobs": "s3://atelier/?endpoint=http://s3:7070&path-style=1",
  "blobsKeyId": "$key_id",
  "blobsSecret": "$secret",
  "bus": "nats://nats:4222",
  "busCredentials": "$(cat nats-token)",
  "adminToken": "$(random 32)"
}
JSON
[ -s worker.config.json ] || printf '{\n  "workerToken": "%s"\n}\n' "worker-put-the-token-here-that-the-server-makes" > worker.config.json
[ -s ring.json ] || ${RUN_IMAGE:-docker run --rm} "${IMAGE:-atelier:0.1.0}" secrets new > ring.json

chmod 0440 ./*
if [ "$(id -u)" = 0 ]; then chown 0:10001 ./*; else echo "Not root: give these files to root:10001 yourself." >&2; fi
# PostgreSQL and NATS read theirs as users of their own.
chmod 0444 postgres-password nats.conf
