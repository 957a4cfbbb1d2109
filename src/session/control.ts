import type { StampedCommand } from '../engine/machine/commands.ts';
import type { CallEvent } from '../engine/machine/events.ts';
import type { ControlCommand, ControlOutcome } from '../ports/call-control.ts';

/** A control command as the machine's event. */
export function controlEvent(command: ControlCommand): CallEvent {
  switch (command.type) {
    case 'say':
      return { type: 'control.say', text: command.text };
    case 'end':
      return { type: 'control.end', ...(command.text ? { text: command.text } : {}) };
    case 'forward':
      return { type: 'control.forward', ...(command.to ? { to: command.to } : {}) };
    case 'dtmf':
      return { type: 'control.dtmf', digits: command.digits };
    case 'add-message':
      return { type: 'control.addMessage', text: command.text };
    case 'mute':
      return { type: 'control.mute', who: command.who, on: command.on };
  }
}

/** The machine's answer to a control event, found among its commands; what it does not know, it cannot do. */
export function controlOutcome(
  commands: readonly StampedCommand[],
  { live }: { readonly live: boolean },
): ControlOutcome {
  for (const command of commands) {
    if (command.type === 'control.refused') return { outcome: 'refused', reason: command.reason };
    if (command.type === 'control.accepted') return { outcome: 'accepted' };
  }
  return live ? { outcome: 'refused', reason: 'the call cannot do that' } : { outcome: 'not-live' };
}
