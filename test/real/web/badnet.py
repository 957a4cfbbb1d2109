#!/usr/bin/env python3
"""A bad network between two network namespaces, for kernels without netem.

    badnet.py <namespace a> <namespace b> <one-way delay ms> <jitter ms> <loss %> [reorder]

Makes both namespaces, with the addresses 10.99.0.1 and 10.99.0.2, each with a tun device of this process, which carries
packets from one to the other: late, in disorder where asked for, or not at all. Real TCP runs over it. Needs root. Says
"ready"; ends, and removes the namespaces, when its standard input closes or at SIGTERM.
"""

import fcntl
import heapq
import os
import random
import select
import signal
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN_NO_PI = 0x1001


def run(command):
    subprocess.run(command.split(), check=True, stderr=subprocess.DEVNULL)


def open_tun(name):
    device = os.open('/dev/net/tun', os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack('16sH', name.encode(), IFF_TUN_NO_PI))
    return device


def set_up(namespace, address, peer):
    run(f'ip netns add {namespace}')
    tun = f'{namespace}-t'
    device = open_tun(tun)
    run(f'ip link set {tun} netns {namespace}')
    run(f'ip -n {namespace} addr add {address} peer {peer} dev {tun}')
    run(f'ip -n {namespace} link set {tun} mtu 1400 up')
    run(f'ip -n {namespace} link set lo up')
    return device


def carry(devices, delay, jitter, loss, reorder):
    chance = random.Random(7)
    waiting = []
    last_due = [0.0, 0.0]
    packets = dropped = 0
    while True:
        now = time.monotonic()
        timeout = max(0.0, waiting[0][0] - now) if waiting else 0.5
        readable, _, _ = select.select([*devices, sys.stdin], [], [], timeout)
        if sys.stdin in readable:
            return packets, dropped
        for device in readable:
            side = devices.index(device)
            for packet in packets_of(device):
                packets += 1
                if chance.random() * 100 < loss:
                    dropped += 1
                    continue
                due = time.monotonic() + (delay + chance.uniform(0, jitter)) / 1000
                if not reorder:
                    due = last_due[side] = max(due, last_due[side])
                heapq.heappush(waiting, (due, packets, devices[1 - side], packet))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, device, packet = heapq.heappop(waiting)
            try:
                os.write(device, packet)
            except OSError:
                pass


def packets_of(device):
    while True:
        try:
            yield os.read(device, 2000)
        except BlockingIOError:
            return


def main():
    a, b, delay, jitter, loss, *rest = sys.argv[1:]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    made = []
    try:
        devices = []
        for namespace, address, peer in [(a, '10.99.0.1', '10.99.0.2'), (b, '10.99.0.2', '10.99.0.1')]:
            made.append(namespace)
            devices.append(set_up(namespace, address, peer))
        print('ready', flush=True)
        packets, dropped = carry(devices, float(delay), float(jitter), float(loss), 'reorder' in rest)
        print(f'{packets} packets, {dropped} dropped', flush=True)
    finally:
        for namespace in made:
            subprocess.run(['ip', 'netns', 'del', namespace], check=False, stderr=subprocess.DEVNULL)


main()
