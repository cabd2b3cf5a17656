#!/bin/bash
# Makes a bare trixie a computer: a kernel that can pretend to have GPIO lines, libcamera, the packages
# of /packages as an apt source, and the agent that the tests talk to.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
HERE=$(cd "$(dirname "$0")" && pwd)

mkdir -p /etc/initramfs-tools/conf.d
echo MODULES=list >/etc/initramfs-tools/conf.d/small
printf 'virtio_blk\next4\n' >/etc/initramfs-tools/modules
printf 'path-exclude=/usr/share/%s/*\n' doc man locale >/etc/dpkg/dpkg.cfg.d/small
sed 's/ trixie / trixie-backports /' /etc/apt/sources.list >/etc/apt/sources.list.d/backports.list
apt-get update -qq
newer=(linux-image-amd64 python3-libcamera libcamera-ipa)
apt-get install -y -qq --no-install-recommends "${newer[@]/%//trixie-backports}" \
  e2fsprogs initramfs-tools kmod >/dev/null
apt-get clean

echo 'deb [trusted=yes] file:/packages ./' >/etc/apt/sources.list.d/packages.list
groupadd --system gpio
groupadd --system i2c
install -m644 "$HERE"/*.rules /etc/udev/rules.d/
install -D -m644 "$HERE/virtual.yaml" /usr/share/libcamera/pipeline/virtual/virtual.yaml
install -D -m755 "$HERE/agent.py" /usr/local/lib/virtual-pi/agent.py
install -m755 "$HERE/hardware.sh" /usr/local/lib/virtual-pi/hardware.sh
install -m644 "$HERE"/virtual-pi-*.service /etc/systemd/system/
systemctl enable --quiet virtual-pi-hardware.service virtual-pi-agent.service
systemctl mask --quiet apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer \
  fstrim.timer systemd-networkd.service systemd-networkd.socket
for unit in lama-companion lama-off-switch; do
  install -D -m644 "$HERE/firmware.conf" "/etc/systemd/system/$unit.service.d/firmware.conf"
done
mkdir -p /share /var/lib/lama-companion
cat >/etc/fstab <<'TABLE'
/dev/vda / ext4 rw,noatime 0 1
/dev/vdb /share ext4 ro,noauto 0 0
/dev/vdc /var/lib/lama-companion ext4 rw,noatime 0 2
TABLE
echo virtual-pi >/etc/hostname
