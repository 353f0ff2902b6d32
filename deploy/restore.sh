#!/usr/bin/env bash
# Restores an empty stack and starts it: the newest state, that of a minute (London's time), or a dump of deploy/backup.sh:
#   deploy/restore.sh ['2026-12-01 18:02' | file.dump | --list] [options of docker compose]; --list: the times that come back
set -euo pipefail
here=$(dirname "$0")
. "$here/read-arguments.sh"
what=
[[ -z ${1:-} || $1 == -* && $1 != --list ]] || { what=$1; shift; }
read_options "$@"

compose() { docker compose --progress quiet "${options[@]}" "$@"; }
query() { compose exec -T postgres psql --no-psqlrc --username=site --dbname=site -v ON_ERROR_STOP=1 -qAt "$@"; }
in_backup() { compose run --rm --no-deps -T backup "$@" < /dev/null; }
fail() { echo "$1" >&2; exit 1; }

load_dump() {
  compose up -d --no-deps --wait postgres
  tables=$(query -c "select count(*) from information_schema.tables where table_schema = 'public'" </dev/null)
  [ "$tables" = 0 ] || fail "This database is not empty ($tables tables). A restore needs an empty stack. Nothing was changed."
  # All or nothing. Triggers and constraints are restored after the rows, so no counter counts twice.
  compose exec -T postgres pg_restore --username=site --dbname=site --no-owner --no-privileges --exit-on-error \
    --single-transaction < "$what"
  query -c 'analyze' </dev/null
  # The backups go on with another database. A full one follows.
  query -c "update tasks set seen_at = null, covers_until = null, cursor = null, failure = null, retry_at = null
    where name in ('backup', 'archive', 'trial-restore')" < /dev/null
  in_backup pgbackrest stanza-upgrade > /dev/null 2>&1 || true
  [ -f "$what.rows" ] || { echo "Restored, but not checked: $what.rows is missing."; return; }
  query < "$here/count-rows.sql" | grep '^rows ' > "$folder/rows"
  diff "$what.rows" "$folder/rows" || fail "The restored database differs from the list of the dump (< list, > found)."
  echo "Restored: every count and the checksum of all leads match the dump."
}

undo() {
  compose logs --no-log-prefix postgres 2> /dev/null | grep -E 'FATAL|ERROR' | grep -v 'starting up' | tail -n 3 >&2 || true
  compose rm --stop --force postgres > /dev/null 2>&1
  in_backup bash -c 'rm -rf "$PGBACKREST_PG1_PATH"/*' > /dev/null 2>&1
  fail "$1 The backups are as they were, and the stack is empty."
}

load_backup() {
  [ -z "$(in_backup bash -c 'ls "$PGBACKREST_PG1_PATH"')" ] || fail 'The volume of the database is not empty. Nothing was changed.'
  in_backup bash /deploy/keep-backups.sh restore "$what" ||
    undo 'The backups could not be read. Is BACKUP_PASSPHRASE right, does the bucket answer, and is the time in a window of --list?'
  if [ -n "$what" ]; then in_backup bash /deploy/keep-backups.sh erased > "$folder/erased" || undo 'The newest state could not be read.'; fi
  compose up -d --no-deps postgres
  until [ "$(query -c 'select pg_is_in_recovery()' < /dev/null 2> /dev/null)" = f ]; do
    [ "$(docker inspect -f '{{.RestartCount}}' "$(compose ps --all --quiet postgres)")" = 0 ] ||
      undo 'The log ends before that time, or is damaged. Name an earlier time.'
    sleep 1
  done
  [ -z "$what" ] || check_end
}

# A restore that ends long before the wanted time is not the wanted state.
check_end() {
  local early ends
  IFS='|' read -r early ends <<< "$(query -c "select extract(epoch from wanted - newest)::bigint > 300,
    to_char(newest at time zone 'Europe/London', 'YYYY-MM-DD HH24:MI:SS') from pg_last_xact_replay_timestamp() newest,
    (select '$what'::timestamp at time zone 'Europe/London') wanting (wanted)" < /dev/null)"
  [ -n "$ends" ] || return 0
  [ "$early" = f ] || undo "The newest change before that time is of $ends. Name that time if you want it."
  echo "The newest change is of $ends, London's time."
}

if [ "$what" = --list ]; then
  in_backup bash /deploy/keep-backups.sh list
  exit
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
touch "$folder/erased"
[[ -z $what || $what =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}\ [0-9:]+$ || -s $what ]] || fail "$what is no time, and as a file missing or empty."
[ -z "$(compose ps --status running --quiet postgres)" ] || fail 'The database of this stack still answers. Nothing was changed.'
compose run --rm --no-deps settings
if [ -f "$what" ]; then load_dump; else load_backup; fi

# Later reports of Stripe must not bring back whoever was erased since.
{
  echo 'create temp table later (id text); copy later from stdin;'
  cat "$folder/erased"
  echo '\.'
  echo 'insert into erased_ids (id) select id from later on conflict do nothing;'
  cat "$here/after-restore.sql"
} | query
compose run --rm --no-deps -T migrate < /dev/null
compose up -d --no-deps --wait redis $(compose config --services | grep -x sandbox)
run() { compose run --rm --no-deps -T api node "services/api/dist/commands/$1.js" "${@:2}" < /dev/null; }
newest=$(query -c "select to_char(max(submitted_at) at time zone 'Europe/London', 'YYYY-MM-DD HH24:MI:SS') from leads" < /dev/null)
since=$(query -c "select to_char(coalesce(max(received_at), now() - interval '30 days') - interval '1 hour', 'YYYY-MM-DD') from stripe_events" < /dev/null)
missed=
run stripe-replay --all --since "$since" || missed="stripe-replay.js --all --since $since"
run erase-again || missed="$missed erase-again.js"
compose up -d
echo "Restored. The newest lead is of $newest, London's time. Operators and passwords are of that time too: remove again who left since."
[ -z "$missed" ] || fail "But not all was done. Repeat docker compose run --rm --no-deps api node services/api/dist/commands/… with: $missed"
