import type { ActionArgs, MachineEvent } from './action.ts';
import type { callMachine } from './machine.ts';

type Guard = (args: ActionArgs) => boolean;
type Action = (args: ActionArgs) => void;

interface Candidate {
  readonly guard: Guard | undefined;
  readonly actions: readonly Action[];
}

/**
 * The events that the statechart hears in the same way in all its states, and that change none of them, with what
 * they do. To look for their transitions each time costs more than most of them.
 */
export function directEvents(
  machine: typeof callMachine,
): ReadonlyMap<string, (args: ActionArgs) => void> {
  const { root, implementations } = machine;
  const heardByStates = new Set(Object.values(root.states).flatMap((state) => state.events));
  const direct = new Map<string, (args: ActionArgs) => void>();
  for (const [type, transitions] of root.transitions) {
    if (heardByStates.has(type as MachineEvent['type'])) continue;
    if (transitions.some(({ target }) => target !== undefined)) continue;
    const candidates = transitions.map(
      ({ guard, actions }): Candidate => ({
        guard: guard ? named<Guard>(implementations.guards, guard) : undefined,
        actions: actions.map((action) => named<Action>(implementations.actions, action)),
      }),
    );
    direct.set(type, (args) => {
      const taken = candidates.find(({ guard }) => !guard || guard(args));
      for (const action of taken?.actions ?? []) action(args);
    });
  }
  return direct;
}

/** What stands in a transition by its name. */
function named<Kind>(known: object, reference: unknown): Kind {
  const name = typeof reference === 'string' ? reference : (reference as { type: string }).type;
  const found = (known as Readonly<Record<string, Kind | undefined>>)[name];
  if (found === undefined) throw new Error(`the statechart knows no ${name}`);
  return found;
}
