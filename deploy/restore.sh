#!/usr/bin/env bash
# Restores a dump of deploy/backup.sh into an empty stack, and checks that it is complete:
#   deploy/restore.sh <file.dump> [options of docker compose, for example -f docker-compose.yml]
# Starts only Postgres. Start the rest afterwards with docker compose up -d.
set -euo pipefail
here=$(dirname "$0")
. "$here/read-arguments.sh"
read_file "$@"
read_options "${@:2}"

query() { docker compose "${options[@]}" exec -T postgres psql --no-psqlrc --username=site --dbname=site -v ON_ERROR_STOP=1 -qAt "$@"; }
[ -s "$file" ] || { echo "$file is missing or empty." >&2; exit 1; }

docker compose "${options[@]}" up -d --wait postgres
tables=$(query -c "select count(*) from information_schema.tables where table_schema = 'public'" </dev/null)
if [ "$tables" != 0 ]; then
  echo "This database is not empty ($tables tables). A restore needs an empty stack. Nothing was changed." >&2
  exit 1
fi

# All or nothing. Triggers and constraints are restored after the rows, so no counter counts twice.
docker compose "${options[@]}" exec -T postgres pg_restore --username=site --dbname=site --no-owner --no-privileges \
  --exit-on-error --single-transaction < "$file"
query -c 'analyze' </dev/null

if [ -f "$file.rows" ]; then
  found=$(mktemp)
  trap 'rm -f "$found"' EXIT
  query < "$here/count-rows.sql" | grep '^rows ' > "$found"
  if ! diff "$file.rows" "$found"; then
    echo "The restored database differs from the list of the dump (< list, > found)." >&2
    exit 1
  fi
  echo "Restored: every count and the checksum of all leads match the dump."
else
  echo "Restored, but not checked: $file.rows is missing."
fi

query < "$here/look-up-waiting.sql"
