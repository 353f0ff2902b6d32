#!/usr/bin/env bash
# Writes .env, the folder of the secrets and your own compose files into one encrypted file, or unpacks that file:
#   deploy/keep-settings.sh <file.enc> [more files or folders, such as ./ca]
#   deploy/keep-settings.sh --open <file.enc>
# Run it in the folder of the stack. Asks for a passphrase, or reads it from the file that KEEP_PASSPHRASE_FILE names.
set -euo pipefail
here=$(dirname "$0")
. "$here/read-arguments.sh"
fail() { echo "$1" >&2; exit 1; }
open=
[ "${1:-}" != --open ] || { open=yes; shift; }
read_file "$@"
[ -z "$open" ] || [ $# = 1 ] || refuse 'Name only the file to open.'
passphrase=()
[ -z "${KEEP_PASSPHRASE_FILE:-}" ] || passphrase=(-pass "file:$KEEP_PASSPHRASE_FILE")
cipher() { openssl enc -aes-256-cbc -pbkdf2 -iter 600000 "${passphrase[@]}" "$@"; }

umask 077
partial=$(mktemp "$(dirname "$file")/.keep-settings.XXXXXX")
trap 'rm -f "$partial"' EXIT
if [ -n "$open" ]; then
  [ ! -e .env ] || fail 'This folder has a .env already. Nothing was changed.'
  # Whole, before the first file is written.
  cipher -d -in "$file" > "$partial" && tar -tzf "$partial" > /dev/null 2>&1 || fail "The passphrase is wrong, or $file is damaged."
  tar -xpzf "$partial"
  echo 'Unpacked:' && tar -tzf "$partial"
  exit
fi

[ -f .env ] || fail 'This folder has no .env. Run the script in the folder of the stack.'
setting() { sed -n "s/^$1=//p" .env | tail -n 1 | sed -e 's/ *#.*//' -e "s/^[\"']//" -e "s/[\"']\$//"; }
parts=(.env)
secrets=$(setting SECRETS_FOLDER)
case $secrets in /* | *..* | *\$*) fail "SECRETS_FOLDER must be a folder inside this one. Nothing was written." ;; esac
if [ -d "${secrets:-secrets}" ]; then parts+=("${secrets:-secrets}")
elif [ -n "$secrets" ] || [[ $(setting COMPOSE_FILE) == *compose.secrets.yml* ]]; then
  fail "The folder of secrets, ${secrets:-secrets}, is missing. Nothing was written."
fi
IFS=: read -ra overlays <<< "$(setting COMPOSE_FILE)"
for overlay in "${overlays[@]}" "${@:2}"; do
  # A release brings the others.
  case ${overlay#./} in docker-compose.yml | docker-compose.override.yml | deploy/*) continue ;; esac
  [ -e "$overlay" ] || fail "$overlay is missing. Nothing was written."
  parts+=("$overlay")
done
tar -czf - -- "${parts[@]}" 2> /dev/null | cipher -salt -out "$partial" || fail 'Nothing was written.'
mv "$partial" "$file"
docker compose exec -T postgres psql --no-psqlrc --username=site --dbname=site -v ON_ERROR_STOP=1 -q \
  -c "update tasks set covers_until = now() where name = 'settings-copy'" < /dev/null ||
  echo 'The console was not told: the database does not answer.' >&2
echo "$file has ${parts[*]}. Keep it away from this machine, and its passphrase away from the file."
