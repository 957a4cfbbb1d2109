#!/bin/sh
# npm run test:asterisk: the tests against a real Asterisk, which is made ready first where it is not installed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ -z "${ASTERISK_ROOT:-}" ] && ! { command -v asterisk && command -v baresip && command -v sipp && command -v espeak-ng; } >/dev/null 2>&1; then
  ASTERISK_ROOT=/var/tmp/parley-asterisk
  export ASTERISK_ROOT
  why=$("$here/set-up.sh" "$ASTERISK_ROOT" 2>&1) || { echo "SKIPPED: no real Asterisk can be had here: $why"; exit "${ASTERISK_MISSING:-1}"; }
fi
exec vitest run --config "$here/vitest.config.ts" "$@"
