#!/usr/bin/env bash
# Dumps a running stack, restores the dump on trial, encrypts it with age, uploads it with rclone, and deletes old ones:
#   deploy/backup-off-site.sh <remote:folder> <file with age's public key> [options of docker compose]
# BACKUP_KEEP_DAYS (35) says when a backup is old. The newest seven stay, however old they are.
set -euo pipefail
here=$(dirname "$0")
. "$here/read-arguments.sh"
[[ $# -ge 2 && $1 != -* && $2 != -* ]] || refuse "Name the remote folder and the file with the public key first."
remote=$1
key=$2
read_options "${@:3}"
fail() { echo "$1" >&2; exit 1; }

for program in age rclone; do
  command -v "$program" > /dev/null || fail "$program is missing. Install it first: apt-get install $program"
done
age --encrypt --recipients-file "$key" < /dev/null > /dev/null || fail "There is no public key of age in $key"
rclone mkdir "$remote" || fail "rclone cannot reach $remote"

umask 077
taken=$(date -u +%FT%TZ)
name=site-$(date -u -d "$taken" +%F-%H%M%S).dump
folder=$(mktemp -d "${TMPDIR:-/var/tmp}/off-site-XXXXXX")
trial=(-p "trial-restore-$$" -f "$here/compose.trial-restore.yml")
is_good=
finish() {
  docker compose "${trial[@]}" down --volumes > "$folder/log" 2>&1 || cat "$folder/log" >&2
  rm -rf "$folder"
  [ "$is_good" ] || echo "This backup failed. The others at $remote are as they were." >&2
}
trap finish EXIT

"$here/backup.sh" "$folder/$name" "${options[@]}"
# With the image that runs: another version of Postgres may not read the dump.
POSTGRES_IMAGE=$(docker inspect -f '{{.Config.Image}}' "$(docker compose "${options[@]}" ps --quiet postgres)")
export POSTGRES_IMAGE
"$here/restore.sh" "$folder/$name" "${trial[@]}"

sealed=$name.tar.age
tar -C "$folder" -c "$name" "$name.rows" | age --encrypt --recipients-file "$key" > "$folder/$sealed"
[ "$(wc -c < "$folder/$sealed")" -gt "$(wc -c < "$folder/$name")" ] || fail "age wrote less than it was given."
rclone copyto "$folder/$sealed" "$remote/$sealed"
if ! rclone check "$folder" "$remote" --one-way --include "$sealed"; then
  rclone deletefile "$remote/$sealed" || true
  fail "What arrived at $remote is not what was sent."
fi
docker compose "${options[@]}" exec -T postgres psql --no-psqlrc --username=site --dbname=site -v ON_ERROR_STOP=1 -q \
  -c "update tasks set covers_until = '$taken' where name = 'backup'" < /dev/null
is_good=yes

oldest=site-$(date -u -d "-${BACKUP_KEEP_DAYS:-35} days" +%F)
rclone lsf "$remote" --files-only --include 'site-*.dump.tar.age' | sort -r | tail -n +8 | while read -r old; do
  [[ $old > $oldest ]] || rclone deletefile "$remote/$old"
done
echo "$remote/$sealed: $(wc -c < "$folder/$sealed" | tr -d ' ') bytes, restored on trial, encrypted and uploaded."
