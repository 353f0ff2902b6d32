#!/usr/bin/env bash
# Dumps the database of a running stack, and writes a list of its contents beside the dump:
#   deploy/backup.sh <file.dump> [options of docker compose]
# Redis needs no backup: its contents are rebuilt from Postgres.
set -euo pipefail
here=$(dirname "$0")
. "$here/read-arguments.sh"
read_file "$@"
read_options "${@:2}"

# The dump contains personal data.
umask 077
trap 'rm -f "$file.partial" "$file.log"' EXIT

# Dump and counts use one snapshot, which psql keeps open while pg_dump reads.
if ! {
  cat <<'SQL'
begin isolation level repeatable read read only;
select pg_export_snapshot() as snapshot \gset
\setenv SNAPSHOT :snapshot
\o |cat >&2
SQL
  cat "$here/count-rows.sql"
  cat <<'SQL'
\o
\! pg_dump --username=site --dbname=site --format=custom --no-owner --no-privileges --snapshot="$SNAPSHOT" </dev/null
\if :SHELL_ERROR
do 'begin raise exception $$pg_dump failed$$; end';
\endif
commit;
SQL
} | docker compose "${options[@]}" exec -T postgres psql --no-psqlrc --username=site --dbname=site -v ON_ERROR_STOP=1 -qAt \
  > "$file.partial" 2> "$file.log"; then
  grep -v '^rows ' "$file.log" >&2 || true
  echo "No backup was written." >&2
  exit 1
fi

grep '^rows ' "$file.log" > "$file.rows"
mv "$file.partial" "$file"
echo "$file: $(wc -c < "$file" | tr -d ' ') bytes, $(sed -n 's/^rows leads //p' "$file.rows") leads"
