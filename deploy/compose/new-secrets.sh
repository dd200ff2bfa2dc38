#!/bin/sh
# Creates the secrets for deploy/compose.yaml in deploy/compose/secrets. Existing files are kept.
# Run it as root: the files belong to root and are readable by the group of the image's user (10001), as the server requires
# for a key ring it does not own. The image creates the key ring, and is built first if it does not exist. Set IMAGE to its
# name, and DOCKER to the program that builds and runs it, such as podman.
set -eu
umask 077
docker=${DOCKER:-docker}
image=${IMAGE:-atelier:0.2.0}
if [ "$(id -u)" != 0 ]; then
  echo "The files must belong to root: sudo sh $0   (podman without root: podman unshare sh $0). Nothing was changed." >&2
  exit 1
fi
cd "$(dirname "$0")"
mkdir -p secrets
cd secrets
# Runs even if a step fails, so that existing files have the right permissions.
close() {
  rm -f ring.new
  chmod 0440 ./*
  chown 0:10001 ./*
  # PostgreSQL and NATS read theirs as other users.
  for name in postgres-password nats.conf; do [ ! -e "$name" ] || chmod 0444 "$name"; done
}
trap close EXIT
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
if [ ! -s ring.json ]; then
  if ! "$docker" image inspect "$image" > /dev/null 2>&1; then
    echo "Building $image to create the key ring; this takes a few minutes, once." >&2
    "$docker" build -f ../../Containerfile -t "$image" ../../.. >&2
  fi
  # All or nothing: a truncated key ring is useless.
  "$docker" run --rm "$image" secrets new > ring.new
  mv ring.new ring.json
fi
