import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { isIP, type NetConnectOpts } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isPrivateFolder, PRIVATE_FOLDER } from '../lib/private-files.ts';

/** Where a node's link listens: a socket that only this user's processes of this machine reach, or TCP. */
export type LinkAddress = { readonly path: string } | { readonly host: string; readonly port: 0 };

/** `host`: an address of this machine that the other machines reach; absent where there are none. */
export async function linkAddress(nodeId: string, host: string | undefined): Promise<LinkAddress> {
  if (host !== undefined) return { host, port: 0 };
  if (process.platform === 'win32') return { path: `\\\\.\\pipe\\parley-${nodeId}` };
  return { path: join(await socketFolder(), `${nodeId}.sock`) };
}

/**
 * The folder of this user's sockets, for all services of the user on this machine. Everybody may write where it
 * stands: what another user put in its place, or may enter, is passed over for a folder with a name of its own.
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

/** As the other nodes read it. */
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

/** Removes what a killed process of this machine left of its socket. */
export async function removeSocket(address: string): Promise<void> {
  if (address.startsWith('unix:/')) await rm(address.slice('unix:'.length), { force: true });
}
