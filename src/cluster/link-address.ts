import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { isIP, type NetConnectOpts } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isPrivateFolder, PRIVATE_FOLDER } from '../lib/private-files.ts';

/** Where a node's link listens: a socket that only this user's processes on this machine can reach, or TCP. */
export type LinkAddress = { readonly path: string } | { readonly host: string; readonly port: 0 };

/** `host`: an address of this machine that the other machines can reach; absent when there are none. */
export async function linkAddress(nodeId: string, host: string | undefined): Promise<LinkAddress> {
  if (host !== undefined) return { host, port: 0 };
  if (process.platform === 'win32') return { path: `\\\\.\\pipe\\parley-${nodeId}` };
  return { path: join(await socketFolder(), `${nodeId}.sock`) };
}

/**
 * The folder of this user's node sockets on this machine. The temporary directory is world-writable: if another user
 * created the folder or can enter it, a folder with a random name is used instead.
 */
async function socketFolder(): Promise<string> {
  const usual = join(tmpdir(), `parley-nodes-${userInfo().uid}`);
  try {
    await mkdir(usual, { mode: PRIVATE_FOLDER });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return (await isPrivateFolder(usual)) ? usual : mkdtemp(`${usual}-`);
}

/** The address in the form that other nodes read. */
export function writeAddress(address: string | { address: string; port: number }): string {
  if (typeof address === 'string') return `unix:${address}`;
  const host = isIP(address.address) === 6 ? `[${address.address}]` : address.address;
  return `tcp:${host}:${address.port}`;
}

export function readAddress(address: string): NetConnectOpts {
  if (address.startsWith('unix:')) return { path: address.slice('unix:'.length) };
  const { hostname, port } = new URL(address.replace(/^tcp:/, 'http://'));
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Removes the socket file of a killed process of this machine. */
export async function removeSocket(address: string): Promise<void> {
  if (address.startsWith('unix:/')) await rm(address.slice('unix:'.length), { force: true });
}
