#!/bin/bash
# Makes the two packages that Raspberry Pi OS has and Debian has not, from PyPI's sources, as a
# repository in /packages. What it needs to compile them stays in the layer it runs in.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive PIP_ROOT_USER_ACTION=ignore PIP_DISABLE_PIP_VERSION_CHECK=1
# lgpio has its library in its sources, and builds it if told that these are from PyPI.
export PYPI=1
SITE=usr/lib/python3/dist-packages

apt-get update -qq
apt-get install -y -qq --no-install-recommends \
  dpkg-dev gcc g++ libc6-dev libcap-dev python3-dev python3-pip python3-setuptools python3-wheel swig >/dev/null

# package NAME VERSION DEPENDENCIES PIP-ARGUMENT...
package() {
  local name=$1 version=$2 depends=$3 tree=/tmp/$1
  shift 3
  python3 -m pip install --quiet --no-deps --no-compile --no-warn-conflicts --target "$tree/$SITE" "$@"
  rm -rf "$tree/$SITE/bin"
  mkdir -p "$tree/DEBIAN"
  printf '%s\n' "Package: $name" "Version: $version" 'Architecture: amd64' "Depends: $depends" \
    'Maintainer: nobody <nobody@localhost>' 'Description: as on Raspberry Pi OS' >"$tree/DEBIAN/control"
  dpkg-deb --build --root-owner-group -Znone "$tree" /packages >/dev/null
}

mkdir -p /packages
package python3-lgpio 0.2.2.0 python3 --no-binary lgpio lgpio==0.2.2.0
package python3-picamera2 0.3.38 \
  'python3-jsonschema, python3-libarchive-c, python3-libcamera, python3-numpy, python3-piexif, python3-pil, python3-prctl, python3-tqdm' \
  picamera2==0.3.38 av OpenEXR PiDNG simplejpeg videodev2
cd /packages
dpkg-scanpackages . >Packages 2>/dev/null
