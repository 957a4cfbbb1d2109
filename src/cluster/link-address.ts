import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isPrivateFolder, PRIVATE_FOLDER } from '../lib/private-files.ts';

/** Where a node's link listens: a socket that only this user's processes on this machine can reach. */
export interface LinkAddress {
  readonly path: string;
}

export async function linkAddress(nodeId: string): Promise<LinkAddress> {
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

const UNIX = 'unix:';

/** The address in the form that other nodes read. */
export const writeAddress = ({ path }: LinkAddress): string => `${UNIX}${path}`;

export const readAddress = (address: string): LinkAddress => ({ path: address.slice(UNIX.length) });

/** Removes the socket file of a killed process of this machine. */
export async function removeSocket(address: string): Promise<void> {
  if (address.startsWith('unix:/')) await rm(readAddress(address).path, { force: true });
}
