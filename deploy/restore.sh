#!/usr/bin/env bash
# Puts a dump of deploy/backup.sh into an empty stack, and checks that everything in it has arrived:
#   deploy/restore.sh <file.dump> [options of docker compose, for example -f docker-compose.yml]
# Starts Postgres and nothing else; start the rest afterwards, with docker compose up -d.
set -euo pipefail

file=${1:?Say which dump: deploy/restore.sh <file.dump> [options of docker compose]}
shift
here=$(dirname "$0")
query() { docker compose "${options[@]}" exec -T postgres psql --no-psqlrc --username=site --dbname=site -v ON_ERROR_STOP=1 -qAt "$@"; }
options=("$@")
[ -s "$file" ] || { echo "$file is missing or empty." >&2; exit 1; }

docker compose "$@" up -d --wait postgres
tables=$(query -c "select count(*) from information_schema.tables where table_schema = 'public'" </dev/null)
if [ "$tables" != 0 ]; then
  echo "This database is not empty ($tables tables). A restore goes into an empty stack: nothing was changed." >&2
  exit 1
fi

# All or nothing. Triggers and constraints come after the rows, so no counter counts twice.
docker compose "$@" exec -T postgres pg_restore --username=site --dbname=site --no-owner --no-privileges \
  --exit-on-error --single-transaction < "$file"
query -c 'analyze' </dev/null

if [ -f "$file.rows" ]; then
  found=$(mktemp)
  trap 'rm -f "$found"' EXIT
  query < "$here/count-rows.sql" | grep '^rows ' > "$found"
  if ! diff "$file.rows" "$found"; then
    echo "The restored database differs from the dump's own list (< list, > found)." >&2
    exit 1
  fi
  echo "Restored: every count and the sum over all leads are those of the dump."
else
  echo "Restored. There is no $file.rows to compare it with."
fi
