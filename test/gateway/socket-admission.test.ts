import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { SocketAdmission } from '../../src/gateway/socket-admission.ts';
import { networkOf } from '../../src/lib/network-of.ts';

const socket = () => new EventEmitter() as unknown as WebSocket & EventEmitter;
const teams: Readonly<Record<string, string>> = { 'a-1': 'a', 'a-2': 'a', 'b-1': 'b' };
const find = async (token: string) => teams[token];

test('sockets without a good token count against their own address until they are closed', async () => {
  const admission = new SocketAdmission(find, { maxUnprovenPerAddress: 2 });
  const strange = [socket(), socket(), socket()];
  const outcomes = [];
  for (const each of strange) {
    const { outcome } = await admission.admit(each, { token: 'x', address: '192.0.2.1' });
    outcomes.push(outcome);
  }
  expect(outcomes).toEqual(['unknown-token', 'unknown-token', 'busy']);
  const good = (address: string) => admission.admit(socket(), { token: 'a-1', address });
  expect(await good('192.0.2.1')).toEqual({ outcome: 'busy' });
  expect(await good('192.0.2.2')).toMatchObject({ outcome: 'admitted' });
  strange[0]?.emit('close');
  expect(await good('192.0.2.1')).toMatchObject({ outcome: 'admitted' });
});

test('a good token frees its address at once, and its team when it leaves', async () => {
  const admission = new SocketAdmission(find, { maxUnprovenPerAddress: 1, maxPerTeam: 1 });
  const admit = (token: string) => admission.admit(socket(), { token, address: '192.0.2.1' });
  const first = await admit('a-1');
  expect(await admit('a-2')).toEqual({ outcome: 'busy' });
  expect(await admit('b-1')).toMatchObject({ outcome: 'admitted' });
  if (first.outcome === 'admitted') first.leave();
  if (first.outcome === 'admitted') first.leave();
  expect(await admit('a-2')).toMatchObject({ outcome: 'admitted' });
  expect(await admit('a-1')).toEqual({ outcome: 'busy' });
});

test('a token that cannot be looked up frees its address when its socket closes', async () => {
  const error = new Error('away');
  const admission = new SocketAdmission(() => Promise.reject(error), { maxUnprovenPerAddress: 1 });
  const first = socket();
  const arrival = { token: 'a-1', address: '192.0.2.1' };
  expect(await admission.admit(first, arrival)).toEqual({ outcome: 'failed', error });
  expect(await admission.admit(socket(), arrival)).toEqual({ outcome: 'busy' });
  first.emit('close');
  expect(await admission.admit(socket(), arrival)).toEqual({ outcome: 'failed', error });
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s is of %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
