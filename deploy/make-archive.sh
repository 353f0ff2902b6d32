#!/usr/bin/env bash
# Makes site-<release>.tar.gz, which runs a release without its sources:
#   deploy/make-archive.sh <release> <file with the images> <folder to write to> [URL of the sources, for runbooks]
# The file names api, worker, proxy and postgres by their digests: "api ghcr.io/owner/name/api:0.3.0@sha256:…".
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/read-arguments.sh"
[[ $# -ge 3 && $# -le 4 && $1 =~ ^[0-9A-Za-z.-]+$ ]] || refuse "Name the release, the file with the images, and a folder."
release=$1 images=$2 target=$(cd "$3" && pwd)
sources=${4:-}
[ -s "$images" ] || { echo "$images is missing or empty." >&2; exit 1; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
archive=$folder/site-$release
mkdir -p "$archive/docs" "$archive/deploy" "$archive/bench/results"
cd "$here/.."
cp docker-compose.yml .env.example ./*.md LICENSE "$archive"
cp -R docs/*.md docs/{alerts,decisions,pictures} "$archive/docs"
cp bench/results/*.md "$archive/bench/results"
cp -R deploy/*.sql deploy/compose.*.yml deploy/monitoring deploy/kubernetes "$archive/deploy"
cp deploy/find-windows.pl deploy/{backup,keep-backups,keep-settings,read-arguments,restore,rolling-update}.sh "$archive/deploy"

# What the images are built from is not there, and their names are fixed.
sed -i -e '/^ *build: /d' -e 's/{PULL_POLICY:-never}/{PULL_POLICY:-missing}/' "$archive/docker-compose.yml"
[ -z "$sources" ] || sed -i "s|runbook_url: docs/|runbook_url: $sources/docs/|" "$archive/deploy/monitoring/alerts.yml"
mapfile -t files < <(grep -rlE '^ *(- )?image: ' "$archive" --include='*.yml')
while read -r name image; do
  sed -i -e "s#\${IMAGE_PREFIX:-site}/$name:\(\${RELEASE:-local}\|17-.*\)#$image#" -e "s|image: site/$name:local|image: $image|" "${files[@]}"
done < "$images"
if grep -HE '^ *(- )?image: ' "${files[@]}" | grep -vE 'sha256:[0-9a-f]{64}}?$' >&2; then
  echo "These images are not pinned by a digest in the archive. Name each in $images." >&2
  exit 1
fi

tar -C "$folder" --sort=name --owner=0 --group=0 --numeric-owner -czf "$target/site-$release.tar.gz" "site-$release"
echo "$target/site-$release.tar.gz"
