import { setTimeout as delay } from 'node:timers/promises';
import type { Callers } from '../calls/callers.ts';
import type { Child } from '../calls/child.ts';
import { monotonicMs, type VendorsApi } from '../calls/messages.ts';
import { pinTree } from '../calls/pin.ts';
import { acts, SCRIPT_MS } from '../calls/spoken-turns.ts';
import { counted, tail } from '../calls/summary.ts';
import { REPLY_MS } from '../calls/vendor-script.ts';
import { processTree, totalOf } from '../process-tree.ts';
import { heardOf, turnsOf } from './heard.ts';
import type { Subject } from './subjects.ts';

const LATE_MS = 20;
/** Until a process that has just started is at rest. */
const REST_MS = 5000;

export interface Load {
  readonly callers: Callers;
  readonly vendors: Child<VendorsApi>;
  readonly seconds: number;
  readonly settleSeconds: number;
}

const script = { lengthMs: SCRIPT_MS, turns: turnsOf(acts()), replyMs: REPLY_MS };

/** One subject with so many calls, all of its processes on the first core. */
export async function measurePoint(subject: Subject, load: Load, calls: number) {
  const { callers, vendors, seconds, settleSeconds } = load;
  const { pid, target, warnings, stop } = await subject.start(vendors);
  try {
    await pinTree(pid);
    await delay(REST_MS);
    const rest = totalOf(processTree(pid));
    const asked = { ...target, calls, wires: ['web'], silent: false } as const;
    const { connected, refused } = await callers.ask('connect', asked);
    if (connected === 0) throw new Error(`${subject.name} answered no call: ${refused[0]}`);
    await delay(settleSeconds * 1000);
    await callers.ask('reset');
    await vendors.ask('reset');
    const before = totalOf(processTree(pid));
    const from = monotonicMs();
    await delay(seconds * 1000);
    const { lines, ownDelayMs } = await callers.ask('report');
    const to = monotonicMs();
    const after = totalOf(processTree(pid));
    const { finals } = await vendors.ask('report');
    // What it warns of when calls end is no matter of theirs.
    const warned = { ...warnings() };
    await callers.ask('hangup');
    const heard = heardOf(lines, script, { from, to });
    const lateness = lines.flatMap(({ latenessMs }) => latenessMs);
    const turns = heard.replies.length + heard.unanswered;
    return {
      subject: subject.name,
      calls: connected,
      cpuMsPerCallSecond: (after.cpuMs - before.cpuMs) / (((to - from) / 1000) * connected),
      restMib: rest.pssMib,
      mibPerCall: (after.pssMib - rest.pssMib) / connected,
      processes: after.processes,
      replies: heard.replies,
      replyMs: tail(heard.replies.map(({ ms }) => ms)),
      clearMs: tail(heard.clearMs),
      unansweredPercent: percent(heard.unanswered, turns),
      unclearedPercent: percent(heard.uncleared, heard.uncleared + heard.clearMs.length),
      lateFramesPercent: percent(lateness.filter((ms) => ms > LATE_MS).length, lateness.length),
      framesHeard: lateness.length,
      turns,
      finals: finals.length,
      callersLateMs: tail(ownDelayMs).p99,
      lost: counted(lines.flatMap(({ lost }) => (lost === undefined ? [] : [lost]))),
      refused: counted(refused),
      warnings: warned,
    };
  } finally {
    await stop();
  }
}

export type Point = Awaited<ReturnType<typeof measurePoint>>;

const percent = (part: number, whole: number) => (100 * part) / Math.max(1, whole);
