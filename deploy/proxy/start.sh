#!/bin/sh
# Writes the two parts of the proxy's configuration that depend on where it runs, then becomes nginx.
set -eu
# A folder of its own in memory; paths in the configuration are relative to it.
state=$(mktemp -d)
cp /etc/site-proxy/nginx.conf "$state"

# The containers' own name server: with it a replica that comes or goes is seen within a second.
server=$(awk '$1 == "nameserver" { print $2; exit }' /etc/resolv.conf)
case $server in *:*) server="[$server]" ;; esac
echo "resolver $server valid=1s ipv6=off;" > "$state/resolver.conf"

# Whom to believe about the visitor's address, when another proxy (for TLS) stands in front of this one.
: > "$state/trusted.conf"
for network in $(echo "${TRUSTED_PROXIES:-}" | tr ',' ' '); do
  echo "set_real_ip_from $network;" >> "$state/trusted.conf"
done

exec nginx -p "$state/" -c "$state/nginx.conf"
