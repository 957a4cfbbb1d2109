#!/bin/sh
# npm run test:image: builds the image of Dockerfile and runs it. Debian with buildah and debootstrap, as root; where no
# registry of images is wanted, the images it starts from are made of Debian's packages and this clone's Node.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
for program in buildah debootstrap; do
  command -v $program >/dev/null || { echo "SKIPPED: there is no $program here: apt-get install buildah debootstrap"; exit "${IMAGE_MISSING:-1}"; }
done
# Needs neither namespaces nor a file system of its own.
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
debian=localhost/parley-test/debian:bookworm
node=localhost/parley-test/node:bookworm

if ! buildah inspect --type image $debian >/dev/null 2>&1; then
  base=$(mktemp -d /var/tmp/parley-image.XXXXXX)
  debootstrap --variant=minbase bookworm "$base"
  rm -rf "$base"/var/cache/apt/archives/*.deb "$base"/var/lib/apt/lists/*
  # As the images of Debian have it: apt keeps no index of what it knows.
  printf 'Dir::Cache::pkgcache "";\nDir::Cache::srcpkgcache "";\n' >"$base/etc/apt/apt.conf.d/docker-clean"
  container=$(buildah from scratch)
  buildah add -q "$container" "$base" /
  buildah commit -q --rm "$container" $debian
  rm -rf "$base"
fi
if ! buildah inspect --type image $node >/dev/null 2>&1; then
  container=$(buildah from $debian)
  buildah run "$container" -- sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates libatomic1 libstdc++6'
  buildah copy -q "$container" "$(node -p 'process.execPath')" /usr/local/bin/node
  buildah copy -q "$container" "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" /usr/local/lib/node_modules/npm
  buildah run "$container" -- ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
  # Certificates that this machine trusts beside the usual ones, as behind a company's proxy.
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    buildah copy -q "$container" "$NODE_EXTRA_CA_CERTS" /etc/ssl/own-certificates.pem
    buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/own-certificates.pem "$container"
  fi
  buildah commit -q --rm "$container" $node
fi
export IMAGE_UNDER_TEST=localhost/parley-test/parley IMAGE_BASE=$debian
buildah build --quiet --layers --format docker --build-arg NODE_IMAGE=$node --build-arg BASE_IMAGE=$debian -t $IMAGE_UNDER_TEST "$root"
exec vitest run --config "$here/vitest.config.ts" "$@"
