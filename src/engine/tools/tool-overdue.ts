import type { Mind } from '../machine/mind.ts';

/** T4: the next instant at which a tool has had its time. */
export function armOverdue(mind: Mind): void {
  const dues = [...mind.tools.values(), ...mind.asyncTools.values()].flatMap(
    ({ dueAt }) => dueAt ?? [],
  );
  if (dues.length === 0) mind.disarm('toolOverdue');
  else mind.arm('toolOverdue', Math.max(mind.now, Math.min(...dues)));
}
