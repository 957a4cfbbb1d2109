import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Account } from './account.ts';

/** Whether a user gets through to a folder: closed parents keep others than root out. */
export async function canReach(directory: string, account: Account | undefined): Promise<boolean> {
  if (!account) return true;
  try {
    await promisify(execFile)('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], {
      cwd: '/',
      uid: account.uid,
      gid: account.gid,
    });
    return true;
  } catch {
    return false;
  }
}
