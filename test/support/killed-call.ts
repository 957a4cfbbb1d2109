import type { EngineSnapshot } from '../../src/engine/machine/call.ts';
import type { CallCommand, StampedCommand } from '../../src/engine/machine/commands.ts';
import type { CallEvent } from '../../src/engine/machine/events.ts';
import { restoreCall } from '../../src/engine/machine/replay.ts';
import { finish } from '../../src/lib/steps.ts';
import type { JournalLine } from '../../src/ports/journal.ts';
import { eventsOfTakeOver } from '../../src/session/take-over-events.ts';
import { evenVoice } from '../../src/simulation/even-voice.ts';
import type { WorldParts } from '../../src/simulation/parts.ts';
import { SimulatedWorld } from '../../src/simulation/world.ts';

/** What a caller does, whoever has the call; what the assistant's side tells is gone with its process. */
const OF_CALLER = /^(vad|stt|control)\.|^(dtmf|typed|beep|remote\.hangup)$/;

/** The world of the process that takes over: every vendor answers, and an operator accepts. */
const PARTS: WorldParts = {
  model: () => [
    { afterMs: 200, type: 'text', text: 'We are open from nine to six on every day but Sunday.' },
    { afterMs: 250, type: 'done', reason: 'stop' },
  ],
  tool: () => ({ afterMs: 300, result: 'done' }),
  voice: (text) => evenVoice(text),
  others: othersOf,
};

function othersOf(command: CallCommand) {
  if (command.type === 'predict')
    return [{ afterMs: 60, event: { type: 'predict.result', rev: command.rev, p: 0.9 } as const }];
  if (command.type === 'leg.brief')
    return [{ afterMs: 2000, event: { type: 'operator.accepted', legId: command.legId } as const }];
  if (command.type === 'leg.resume')
    return [
      { afterMs: 400, event: { type: 'operator.answered', legId: command.legId } as const },
      { afterMs: 20_000, event: { type: 'operator.hungUp', legId: command.legId } as const },
    ];
  if (command.type !== 'leg.dial') return [];
  const { legId } = command;
  return [
    { afterMs: 300, event: { type: 'operator.ringing', legId } as const },
    { afterMs: 1200, event: { type: 'operator.answered', legId } as const },
  ];
}

/** Line numbers after which a journal may end: groups are stored between two events, or between two instants. */
export function cutsOf(lines: readonly JournalLine[]): readonly number[] {
  return lines.flatMap((line, i) => {
    const next = lines[i + 1];
    return next?.kind !== 'command' || next.at > line.at ? [i] : [];
  });
}

export interface KilledCall {
  /** The call as the next process finds it. */
  readonly found: EngineSnapshot;
  /** From its beginning to its end. */
  readonly journal: readonly JournalLine[];
  readonly commandsBefore: readonly StampedCommand[];
  /** Of the process that took over. */
  readonly commandsAfter: readonly StampedCommand[];
}

/**
 * The process of a recorded call is killed after a line, and another goes on with the call until it ends. The caller says
 * what they said then, or nothing any more.
 */
export function killAfter(
  lines: readonly JournalLine[],
  cut: number,
  { gapMs, callerGoesOn }: { readonly gapMs: number; readonly callerGoesOn: boolean },
): KilledCall {
  const stored = JSON.parse(JSON.stringify(lines.slice(0, cut + 1))) as JournalLine[];
  const restored = finish(restoreCall(stored));
  const { call, settings, last } = restored;
  const found = structuredClone(call.snapshot);
  const world = new SimulatedWorld(
    { callId: 'WC-killed', settings, goesOn: { restored, journal: stored } },
    PARTS,
  );
  const resumedAt = last.at + gapMs;
  if (found.chart.lifecycle === 'queued') world.schedule(resumedAt, { type: 'leg.answered' });
  else {
    const { atLast, atReturn } = eventsOfTakeOver(call, last.at, gapMs);
    for (const event of atLast) world.deliver(event);
    for (const event of atReturn) world.schedule(resumedAt, event);
  }
  if (callerGoesOn)
    for (const { kind, at, type, data } of lines.slice(cut + 1))
      if (kind === 'event' && OF_CALLER.test(type))
        world.schedule(Math.max(at, resumedAt), { ...data, type } as CallEvent);
  world.runTo();
  call.stop();
  const count = restored.commands.length;
  return {
    found,
    journal: world.journal,
    commandsBefore: world.commands.slice(0, count),
    commandsAfter: world.commands.slice(count),
  };
}
