import { constants, setPriority } from 'node:os';

/**
 * Of threads that recognise or speak. The thread that carries the sound of all calls comes before them, but calls wait
 * for them too: with a lower priority, other programs on a busy machine would take most of their share.
 */
export const SPEECH_PRIORITY = 1;

/**
 * Lowers the priority of this thread and of those that it will start. Only on Linux do threads have one; elsewhere the
 * whole process would be slowed.
 */
export function yieldToOthers(priority: number = constants.priority.PRIORITY_BELOW_NORMAL): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, priority);
  } catch {
    // Some sandboxes forbid this; the deadlines still hold.
  }
}
