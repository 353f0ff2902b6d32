#!/bin/sh
# Writes the two parts of the proxy's configuration that depend on its environment, then starts nginx.
set -eu
# An in-memory folder. Paths in the configuration are relative to it.
state=$(mktemp -d)
cp /etc/site-proxy/nginx.conf "$state"

# The containers' name server, which shows a new or removed replica within a second.
server=$(awk '$1 == "nameserver" { print $2; exit }' /etc/resolv.conf)
case $server in *:*) server="[$server]" ;; esac
echo "resolver $server valid=1s ipv6=off;" > "$state/resolver.conf"

# The proxies in front of this one (for TLS) whose forwarded IP address of the visitor is trusted.
: > "$state/trusted.conf"
for network in $(echo "${TRUSTED_PROXIES:-}" | tr ',' ' '); do
  echo "set_real_ip_from $network;" >> "$state/trusted.conf"
done

exec nginx -p "$state/" -c "$state/nginx.conf"
