import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of this thread and of those that it will start. Only on Linux do threads have one; elsewhere the
 * whole process would be slowed.
 */
export function yieldToOthers(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Some sandboxes forbid this; the deadlines still hold.
  }
}
