import type { StampedCommand } from '../call/commands.ts';
import type { CallEvent } from '../call/events.ts';
import type { ControlCommand, ControlOutcome } from '../ports/call-control.ts';

/** A control command as the machine's event. */
export function controlEvent(command: ControlCommand): CallEvent {
  switch (command.type) {
    case 'say':
      return { type: 'control.say', text: command.text };
    case 'end':
      return { type: 'control.end', ...(command.text ? { text: command.text } : {}) };
    case 'add-message':
      return { type: 'control.addMessage', text: command.text };
    case 'mute':
      return { type: 'control.mute', who: command.who, on: command.on };
  }
}

/** The machine's answer to a control event, found among its commands. */
export function controlOutcome(commands: readonly StampedCommand[]): ControlOutcome {
  for (const command of commands) {
    if (command.type === 'control.refused') return { outcome: 'refused', reason: command.reason };
    if (command.type === 'control.accepted') return { outcome: 'accepted' };
  }
  return { outcome: 'not-live' };
}
