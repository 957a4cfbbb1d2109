import type { CallEvent } from './events.ts';
import type { InnerEvent, Mind } from './mind.ts';

export type MachineEvent = CallEvent | InnerEvent;

/** What the statechart hands an action. */
export interface ActionArgs {
  readonly context: { readonly mind: Mind };
  readonly event: MachineEvent;
}

type Of<Type extends MachineEvent['type']> = Extract<MachineEvent, { type: Type }>;

/** An action that gets the event it is for; the statechart only ever calls it there. */
export const on =
  <Type extends MachineEvent['type']>(act: (mind: Mind, event: Of<Type>) => void) =>
  ({ context: { mind }, event }: ActionArgs) =>
    act(mind, event as Of<Type>);

/** An action that does not care which event it was. */
export const act =
  (does: (mind: Mind) => void) =>
  ({ context: { mind } }: ActionArgs) =>
    does(mind);
