import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { NodeRecord } from '../store/nodes.ts';

/** Within one place a process number means one process: a machine since it booted, or a container on it. */
export async function processPlace(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`;
  } catch {
    // No Linux.
    return hostname();
  }
}

/** Whether a node is known to have died, without waiting for its lease: its process is not there any more. */
export function isProcessGone(
  node: Pick<NodeRecord, 'place' | 'pid'>,
  { place, isAlive }: { readonly place: string; readonly isAlive: (pid: number) => boolean },
): boolean {
  // One with our own number was before us.
  return node.place === place && (node.pid === process.pid || !isAlive(node.pid));
}
