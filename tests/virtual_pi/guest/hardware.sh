#!/bin/bash
# What a Pi's board brings along: its revision, 28 GPIO lines, a heap for the camera's pictures.
set -euo pipefail
mkdir -p /run/virtual-pi/frames
{ cat /proc/cpuinfo; printf 'Revision\t: c03115\nModel\t\t: Raspberry Pi 4 Model B (simulated)\n'; } >/run/virtual-pi/cpuinfo

modprobe gpio-sim
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
chip=/sys/kernel/config/gpio-sim/pi
mkdir -p $chip/bank0
echo 28 >$chip/bank0/num_lines
echo pinctrl-bcm2711 >$chip/bank0/label
echo 1 >$chip/live

ln -sf system /dev/dma_heap/linux,cma # the name by which picamera2 looks for it
udevadm settle
