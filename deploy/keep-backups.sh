#!/usr/bin/env bash
# Runs in the service "backup", every 20 s: stores the state of the backups, and starts what is due. deploy/restore.sh
# calls it with "list", with "restore" and a time, and with "erased": the ids of people erased until the newest state.
# deploy/rolling-update.sh calls it with "now", for a backup before an update.
set -uo pipefail
cd "$(dirname "$0")"
COPY=/var/spool/pgbackrest/copy
place=${PGBACKREST_REPO1_TYPE:-posix}
sql() { psql --no-psqlrc --username=site --dbname=site -v ON_ERROR_STOP=1 -qAt "$@"; }

# Refuses to write into a folder with less than twice the database's size.
check_room() {
  local megabytes free
  megabytes=$(sql -c 'select 2 * pg_database_size(current_database()) / 1024 / 1024') || return
  free=$(df --output=avail --block-size=1M "$1" | tail -n 1 | tr -d " ")
  [ "$free" -ge "$megabytes" ] && return
  echo "ERROR: only $free MB are free for $2, which needs twice the size of the database: $megabytes MB." >&2
  return 1
}

back_up() {
  [ "$place" != posix ] || check_room /var/lib/pgbackrest 'a backup' || return
  pgbackrest backup --type="$1" || return
  # All of it, except that a bucket is read whole only once a week.
  local verdict only=()
  [ "$1$place" != diffs3 ] || only=(--set="$(pgbackrest info --output=json | grep -oE '"label":"[^"]+"' | tail -n 1 | cut -d'"' -f4)")
  verdict=$(pgbackrest verify --output=text "${only[@]}") || return
  [[ $verdict == *'status: error'* ]] || return 0
  echo "ERROR: the backups are damaged: $verdict" >&2
  return 1
}

# The message about a wrong passphrase holds what it made of the file.
find_windows() { perl find-windows.pl "$@" 2> >(tr -cd '\n -~' >&2); }

# Restores into a folder. Postgres would take a damaged segment for the end of the log, and go on without the rest.
restore() {
  local command="pgbackrest --pg1-path=$1 archive-get %f %p || exit \$((\$? == 1 ? 1 : 255))"
  pgbackrest restore --pg1-path="$1" --recovery-option=restore_command="$command" "${@:2}" 2>&1 | tr -cd '\n -~' >&2
}
# Restores into an empty folder and starts it there, without archiving and reachable by nobody else.
start_copy() {
  stop_copy
  mkdir -p "$COPY"
  restore "$COPY" --archive-mode=off "$@" || return
  pg_ctl --pgdata="$COPY" --silent --timeout=3600 --log="$COPY/log" \
    --options="-c listen_addresses='' -c unix_socket_directories='$COPY' -c max_connections=300" start || return
  until [ "$(sql --host="$COPY" -c 'select pg_is_in_recovery()')" = f ]; do
    pg_ctl --pgdata="$COPY" status > /dev/null || { tail -n 3 "$COPY/log" >&2; return 1; }
    sleep 1
  done
}
stop_copy() {
  [ ! -f "$COPY/postmaster.pid" ] || pg_ctl --pgdata="$COPY" --mode=immediate --silent stop
  rm -rf "$COPY"
}

# Compares the leads of a copy with those of the moment at which it ends.
try_restore() {
  check_room /var/spool/pgbackrest 'a trial restore' || return
  local point=trial-$EPOCHSECONDS tries=0 live copy code differences
  # No lead is written for the instant between lock and rollback, which keeps the snapshot. Nobody waits longer than a second.
  until live=$({
    echo "begin isolation level repeatable read; savepoint unlocked; set lock_timeout = '1s'; lock table leads in share mode;"
    echo "select pg_create_restore_point('$point'); rollback to unlocked;"
    cat count-rows.sql
  } | sql); do
    [ $((++tries)) -lt 10 ] || return
    sleep 5
  done
  pgbackrest check || return
  start_copy --type=name --target="$point" --target-action=promote && copy=$(sql --host="$COPY" -f count-rows.sql)
  code=$?
  stop_copy
  [ $code = 0 ] || return
  local locked='^rows lead(s|_counts)[ /]'
  differences=$(diff <(grep -E "$locked" <<< "$live") <(grep -E "$locked" <<< "$copy")) && return
  echo "ERROR: the restored copy differs: $(head -n 3 <<< "$differences")" >&2
  return 1
}

# Runs a task, and stores whether it succeeded.
attempt() {
  local name=$1 failure= retry='15 minutes' log
  shift
  echo "$name: $*"
  if ! log=$("$@" 2>&1); then
    echo "$log" >&2
    failure=$(grep -oE '(ERROR|FATAL): .*' <<< "$log" | tail -n 1)
    failure=${failure:-It failed without a reason.}
  fi
  # A full disk is free as soon as somebody has made room.
  [[ $failure =~ 'MB are free'|'No space left' ]] && retry='1 minute'
  sql -v name="$name" -v failure="$failure" -v type="${2:-}" -v retry="$retry" << 'SQL'
update tasks set since = case when name = 'trial-restore' and failure is null then now() else since end, failure = nullif(:'failure', ''), retry_at = case when :'failure' <> '' then now() + :'retry'::interval end,
  covers_until = case when :'failure' = '' and name = 'trial-restore' then now() else covers_until end where name = :'name';
update tasks set failure = null where name = 'archive' and :'type' = 'full' and :'failure' = '';
SQL
}

case ${1:-} in
  erased)
    chosen=$(find_windows "$EPOCHSECONDS") || exit
    read -r set timeline _ <<< "$chosen"
    start_copy --set="$set" --target-timeline="$timeline" >&2 && sql --host="$COPY" -c 'select id from erased_ids'
    code=$?
    stop_copy
    exit $code
    ;;
  list)
    find_windows
    exit
    ;;
  now)
    exec 9> "${COPY%/*}/lock"
    flock --wait 900 9 && pgbackrest backup --type=incr
    exit
    ;;
  restore)
    at=
    if [ -n "$2" ]; then
      at=$(TZ=Europe/London date -d "$2" +%s) || exit
      echo "Restoring $(TZ=Europe/London date -d "@$at" '+%F %T') in London, $(date -u -d "@$at" '+%F %T') UTC" >&2
    fi
    chosen=$(find_windows "${at:-$EPOCHSECONDS}") || exit
    read -r set timeline database <<< "$chosen"
    echo "Taking timeline $timeline of database $database, from the backup $set" >&2
    restore "$PGBACKREST_PG1_PATH" --set="$set" --target-timeline="$timeline" \
      ${at:+--type=time --target-action=promote --target="$(date -u -d "@$at" '+%F %T+00')"}
    exit
    ;;
esac

repository="$place ${PGBACKREST_REPO1_S3_ENDPOINT:-}/${PGBACKREST_REPO1_S3_BUCKET:-} ${PGBACKREST_REPO1_PATH:-}"
due=$(sql -v place="$place" -v repository="$repository" -f backup-state.sql) || exit
(
  flock --nonblock 9 || exit 0
  case $due in
    stanza) pgbackrest stanza-create || pgbackrest stanza-upgrade ;;
    upgrade) pgbackrest stanza-upgrade ;;
    full | diff) attempt backup back_up "$due" ;;
    trial) attempt trial-restore try_restore ;;
  esac
) 9> "${COPY%/*}/lock" &
