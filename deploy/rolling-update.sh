#!/usr/bin/env bash
# Updates a running stack to the release named by RELEASE without downtime: a backup, then the database, then a new API
# process beside each old one, then the workers. With the same release it restarts the API.
#   RELEASE=2026-12-01 deploy/rolling-update.sh [options of docker compose]
# In the archive of a release, RELEASE is not needed.
set -euo pipefail
here=$(dirname "$0")
. "$here/read-arguments.sh"
read_options "$@"
compose() { docker compose "${options[@]}" "$@"; }

mapfile -t old < <(compose ps --quiet api)
api=${#old[@]}
workers=$(compose ps --quiet worker | wc -l)
[ "$api" -gt 0 ] || { echo "No API is running. Start the stack with: docker compose up -d" >&2; exit 1; }

previous=$(docker inspect -f '{{.Config.Image}}' "${old[0]}")

# If a step fails, the update stops and the old processes continue.
compose run --rm --no-deps settings
if [ -z "$(compose ps --quiet backup 2> /dev/null)" ]; then
  echo 'No backup is made, because backup is not running.' >&2
elif [ "${BACKUP_FIRST:-yes}" = yes ]; then
  compose exec -T backup bash /deploy/keep-backups.sh now < /dev/null || {
    echo 'The backup before the update failed, so nothing was updated. Without one: BACKUP_FIRST=no' >&2
    exit 1
  }
fi
compose run --rm --no-deps migrate

if ! compose up -d --no-deps --no-recreate --scale "api=$((api * 2))" --wait --wait-timeout 120 api; then
  for container in $(compose ps --all --quiet api); do
    [[ " ${old[*]} " == *" $container "* ]] || { docker logs --tail 5 "$container" >&2; docker rm --force "$container" > /dev/null; }
  done
  echo "The new API processes did not become healthy. They were removed, and the old ones continue." >&2
  exit 1
fi
# The proxy looks the name up every second. Then it knows the new ones.
sleep 2
for container in "${old[@]}"; do
  docker stop --time 30 "$container" > /dev/null
  docker rm "$container" > /dev/null
done
compose up -d --no-deps --no-recreate --scale "api=$api" api

# A worker finishes its leads before it stops. The new one continues with any others.
if ! compose up -d --no-deps --scale "worker=$workers" --wait --wait-timeout 120 worker; then
  echo "The new workers did not become healthy: docker compose logs worker. Leads are stored, and wait." >&2
  case $previous in
    *sha256:*) echo "Correct the cause, or roll back: unpack the archive of ${previous%@*} here, and run $0 ${options[*]}" >&2 ;;
    *) echo "Correct the cause, or roll back: RELEASE=${previous##*:} $0 ${options[*]}" >&2 ;;
  esac
  exit 1
fi
# Replaced only if its image or its settings changed, so that no later command replaces it. A browser keeps and repeats
# what was sent in that second. Without the timeout, an open console would keep the old proxy for 25 s, deaf to others.
compose up -d --no-deps --timeout 1 --wait --wait-timeout 60 proxy

echo "Done: $api API and $workers worker containers of this release."
