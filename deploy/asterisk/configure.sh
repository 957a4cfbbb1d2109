#!/bin/sh
# Writes the configuration of an Asterisk that is Parley's SIP edge: configure.sh <folder>. Values come from the
# environment; docs/telephony-asterisk.md explains each.
set -eu
out=${1:?the folder to write to}
from=$(cd "$(dirname "$0")/conf" && pwd)

: "${ARI_USER:=parley}" "${ARI_PASSWORD:?a long random password for ARI}"
: "${ARI_ADDRESS:=127.0.0.1}" "${ARI_PORT:=8088}"
: "${PARLEY_MEDIA_URL:?where Parley takes media, such as ws://parley:8080/media/asterisk}"
: "${PARLEY_CA_FILE:=/etc/ssl/certs/ca-certificates.crt}"
: "${SIP_ADDRESS:=0.0.0.0}" "${SIP_PORT:=5060}" "${EXTERNAL_ADDRESS:=}" "${LOCAL_NET:=}"
: "${TRUNK_HOST:?the SIP server of your carrier, host or host:port}" "${TRUNK_MATCH:=${TRUNK_HOST%%:*}}"
: "${TRUNK_USER:=}" "${TRUNK_PASSWORD:=}" "${TRUNK_CODECS:=ulaw,alaw}"
: "${RTP_START:=10000}" "${RTP_END:=10999}"
: "${STATE_DIR:=/var/lib/asterisk}" "${MODULE_DIR:=/usr/lib/x86_64-linux-gnu/asterisk/modules}"

case $PARLEY_MEDIA_URL in
  wss:*) PARLEY_TLS=yes ;;
  *) PARLEY_TLS=no ;;
esac

# Values stand alone in their lines, and none may begin a new one.
fill() {
  sed_script=
  for name in ARI_USER ARI_PASSWORD ARI_ADDRESS ARI_PORT PARLEY_MEDIA_URL PARLEY_CA_FILE PARLEY_TLS SIP_ADDRESS \
    SIP_PORT EXTERNAL_ADDRESS LOCAL_NET TRUNK_HOST TRUNK_MATCH TRUNK_USER TRUNK_PASSWORD TRUNK_CODECS RTP_START \
    RTP_END STATE_DIR MODULE_DIR CONF_DIR; do
    eval "value=\$$name"
    # A semicolon begins a comment in these files, and a backslash keeps it from doing so.
    value=$(printf '%s' "$value" | tr -d '\n\r' | sed -e 's/;/\\;/g' -e 's/[\\&|]/\\&/g')
    sed_script="$sed_script
s|@$name@|$value|g"
  done
  sed -e "$sed_script" "$1"
}

mkdir -p "$out"
CONF_DIR=$(cd "$out" && pwd)
umask 077
for file in "$from"/*.conf; do
  fill "$file" >"$out/$(basename "$file")"
done
[ -z "$TRUNK_USER" ] || fill "$from/trunk-login.pjsip" >>"$out/pjsip.conf"
[ -z "$EXTERNAL_ADDRESS" ] || fill "$from/behind-nat.pjsip" >>"$out/pjsip.conf"
