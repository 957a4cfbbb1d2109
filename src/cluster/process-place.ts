import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { NodeRecord } from '../store/nodes.ts';

/** Identifies the scope in which a process id is unique: a machine since its boot, or a container on it. */
export async function processPlace(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`;
  } catch {
    // Not Linux.
    return hostname();
  }
}

/** True if the node's process no longer exists, without waiting for the lease to expire. */
export function isProcessGone(
  node: Pick<NodeRecord, 'place' | 'pid'>,
  { place, isAlive }: { readonly place: string; readonly isAlive: (pid: number) => boolean },
): boolean {
  // A node with our own process id ran before us.
  return node.place === place && (node.pid === process.pid || !isAlive(node.pid));
}
