import type { LineReport } from '../calls/messages.ts';

export interface Act {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What callers say again and again, and how long one reply to it sounds. */
export interface Script {
  readonly lengthMs: number;
  readonly turns: readonly Act[];
  readonly replyMs: number;
}

/** What callers heard. All by their own clock, whatever the other side takes an end for. */
export interface Heard {
  /** From the end of each turn to the first sound of its answer, ms; by the turn's place in the script. */
  readonly replies: readonly { readonly turn: number; readonly ms: number }[];
  /** Turns that nothing was said to before the next one. */
  readonly unanswered: number;
  /** From the first sound of each interruption to the clear, ms. */
  readonly clearMs: readonly number[];
  /** Interruptions that were talked over to their end. */
  readonly uncleared: number;
}

/** With less left of a reply there is nothing to clear. */
const LEFT_MS = 1000;
/** A shorter silence does not end a turn. */
const PAUSE_MS = 1000;

/** Turns of acts that follow each other. */
export function turnsOf(acts: readonly Act[]): readonly Act[] {
  const turns: Act[] = [];
  for (const act of acts) {
    const last = turns.at(-1);
    if (last && act.fromMs - last.toMs < PAUSE_MS)
      turns[turns.length - 1] = { ...last, toMs: act.toMs };
    else turns.push(act);
  }
  return turns;
}

/** Every turn of a line that lies within a window, with the next one's beginning. */
function* turnsWithin(scriptAt: number, { turns, lengthMs }: Script, from: number, to: number) {
  const first = Math.floor((from - scriptAt) / lengthMs);
  for (let round = first; scriptAt + round * lengthMs < to; round++) {
    for (const [n, { fromMs, toMs }] of turns.entries()) {
      const at = scriptAt + round * lengthMs;
      const nextMs = turns[n + 1]?.fromMs ?? lengthMs + (turns[0]?.fromMs ?? 0);
      const turn = { n, from: at + fromMs, to: at + toMs, next: at + nextMs };
      if (turn.from >= from && turn.next <= to) yield turn;
    }
  }
}

export function heardOf(
  lines: readonly LineReport[],
  script: Script,
  window: { readonly from: number; readonly to: number },
): Heard {
  const replies: { turn: number; ms: number }[] = [];
  const clearMs: number[] = [];
  let unanswered = 0;
  let uncleared = 0;
  for (const { scriptAt, replyAt, clearAt } of lines) {
    if (scriptAt === undefined) throw new Error('a caller does not say when it speaks');
    for (const turn of turnsWithin(scriptAt, script, window.from, window.to)) {
      const answeredAt = replyAt.find((at) => at > turn.to && at < turn.next);
      if (answeredAt === undefined) unanswered++;
      else replies.push({ turn: turn.n, ms: answeredAt - turn.to });
      const sounding = replyAt.findLast((at) => at <= turn.from);
      if (sounding === undefined || turn.from - sounding > script.replyMs - LEFT_MS) continue;
      if (clearAt.some((at) => at > sounding && at <= turn.from)) continue;
      const clearedAt = clearAt.find((at) => at > turn.from && at <= sounding + script.replyMs);
      if (clearedAt === undefined) uncleared++;
      else clearMs.push(clearedAt - turn.from);
    }
  }
  return { replies, unanswered, clearMs, uncleared };
}
