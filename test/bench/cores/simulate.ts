import { Random } from '../turns/random.ts';
import { Machine } from './machine.ts';
import { Placement, settledCalls, type Traffic, untilNext } from './placement.ts';
import type { Tail } from './recording.ts';
import { BURST_MS, type ProcessOptions, SimulatedProcess } from './simulated-process.ts';
import type { WorkModel } from './work-model.ts';

/** A reply waits for the thread three times: with the text of the caller's words, the model's answer, and its first sound. */
const VISITS = 3;
/** What passes between two of them at vendors that answer at once: counted as theirs, ms. */
const VENDOR_MS = 1;
/** Replies that are followed in one simulation. */
const REPLIES = 20_000;
/** Before the measured time begins, ms. */
const SETTLE_MS = 3000;

export interface Scenario extends Pick<ProcessOptions, 'maxCalls' | 'maxLagMs' | 'slowness'> {
  readonly cores: number;
  readonly processes: number;
  /** Calls of all processes, on average where they come and go. */
  readonly calls: number;
  /** Absent: the calls are there from the start to the end, as many in each process. */
  readonly traffic?: Traffic;
  /** Calls at the start; absent: as many as there are once as many come as go. */
  readonly startCalls?: number;
  /** What other threads and the database do is done on the same cores. */
  readonly hasHelpers: boolean;
  /** What a reply takes where nothing is in its way, ms. */
  readonly replyMs: number;
  readonly seconds: number;
  /** Before the measured time. */
  readonly settleSeconds?: number;
  readonly seed: number;
}

export interface Outcome {
  /** Added to a reply, ms. */
  readonly replyMs: Tail;
  /** Calls at the end of the simulation, and those of the process with the most. */
  readonly calls: number;
  readonly fullest: number;
  /** Of the machine's cores, and of its core the thread of the calls that was used the most; 0 to 1. */
  readonly coresUsed: number;
  readonly threadUsed: number;
  /** Of the calls that were asked for, 0 to 1. */
  readonly refused: number;
}

export function simulate(model: WorkModel, scenario: Scenario): Outcome {
  const { cores, processes: count, calls, traffic, seconds, settleSeconds } = scenario;
  const chance = new Random(scenario.seed);
  const machine = new Machine(cores);
  const eachCalls =
    traffic && scenario.startCalls === undefined
      ? settledCalls(count, calls, traffic, chance.fork('settled'))
      : Array.from({ length: count }, () => (scenario.startCalls ?? calls) / count);
  const processes = eachCalls.map((_, n) => {
    const options = { ...scenario, calls: calls / count };
    return new SimulatedProcess(machine, model, options, chance.fork('process', n));
  });
  for (const [n, process] of processes.entries()) {
    process.calls = Math.min(Math.round(eachCalls[n] ?? 0), scenario.maxCalls);
    process.begin();
  }
  const placement = traffic && new Placement(processes, traffic, chance.fork('placement'));
  if (placement) comeAndGo(machine, placement);
  if (scenario.hasHelpers) keepDatabase(machine, model, processes, scenario, chance.fork('db'));
  const settleMs = settleSeconds === undefined ? SETTLE_MS : settleSeconds * 1000;
  machine.runUntil(settleMs);
  const usedBefore = machine.usedMs;
  const threadsBefore = processes.map(({ usedMs }) => usedMs);
  const refusedBefore = { asked: placement?.asked ?? 0, refused: placement?.refused ?? 0 };
  const replies = followReplies(machine, processes, scenario, chance.fork('replies'));
  machine.runUntil(settleMs + seconds * 1000);
  const asked = (placement?.asked ?? 0) - refusedBefore.asked;
  return {
    replyMs: tailOf(replies, machine.now),
    calls: processes.reduce((sum, one) => sum + one.calls, 0),
    fullest: Math.max(...processes.map((one) => one.calls)),
    coresUsed: (machine.usedMs - usedBefore) / (seconds * 1000 * cores),
    threadUsed: Math.max(
      ...processes.map(({ usedMs }, n) => (usedMs - (threadsBefore[n] ?? 0)) / (seconds * 1000)),
    ),
    refused: asked > 0 ? ((placement?.refused ?? 0) - refusedBefore.refused) / asked : 0,
  };
}

function comeAndGo(machine: Machine, placement: Placement<SimulatedProcess>): void {
  machine.at(machine.now + placement.untilNextMs, () => {
    placement.step()?.beginCall();
    comeAndGo(machine, placement);
  });
}

/** The database's own processes, which the machine has, too. */
function keepDatabase(
  machine: Machine,
  model: WorkModel,
  processes: readonly SimulatedProcess[],
  { calls, slowness }: Scenario,
  chance: Random,
): void {
  const { databaseMsPerCallSecond } = model.nearest(calls / processes.length);
  const everyMs = (1000 * BURST_MS) / (databaseMsPerCallSecond * calls);
  const again = () =>
    machine.at(machine.now + untilNext(chance, everyMs), () => {
      machine.run(chance.between(0, 2 * BURST_MS) * slowness, () => {});
      again();
    });
  if (Number.isFinite(everyMs)) again();
}

/** One that has not come yet has waited until now. */
interface Reply {
  readonly startedAt: number;
  ms?: number;
  /** A process with more calls has more replies. */
  readonly weight: number;
}

/** Follows replies in all processes: each adds no work, since the recorded work is that of replies, too. */
function followReplies(
  machine: Machine,
  processes: readonly SimulatedProcess[],
  { seconds, replyMs, slowness }: Scenario,
  chance: Random,
): readonly Reply[] {
  const replies: Reply[] = [];
  const everyMs = (seconds * 1000 * processes.length) / REPLIES;
  const ownMs = replyMs * slowness;
  for (const process of processes) {
    const follow = () => {
      const reply: Reply = { startedAt: machine.now, weight: process.calls };
      replies.push(reply);
      let waitsMs = 0;
      const visit = (left: number) =>
        process.wait((waitedMs) => {
          waitsMs += waitedMs;
          if (left > 1) machine.at(machine.now + VENDOR_MS + ownMs / VISITS, () => visit(left - 1));
          else reply.ms = waitsMs + ownMs;
        });
      visit(VISITS);
      machine.at(machine.now + untilNext(chance, everyMs), follow);
    };
    machine.at(machine.now + untilNext(chance, everyMs), follow);
  }
  return replies;
}

function tailOf(replies: readonly Reply[], now: number): Tail {
  const known = replies.map(({ ms, startedAt, weight }) => ({ ms: ms ?? now - startedAt, weight }));
  const sorted = known.toSorted((a, b) => a.ms - b.ms);
  const all = sorted.reduce((sum, { weight }) => sum + weight, 0);
  const at = (q: number) => {
    let sum = 0;
    const isReached = ({ weight }: (typeof sorted)[number]) => {
      sum += weight;
      return sum >= q * all;
    };
    return sorted.find(isReached)?.ms ?? 0;
  };
  return { p50: at(0.5), p99: at(0.99), p999: at(0.999) };
}
