import type { Clock } from '../../ports/clock.ts';
import type { Caller } from './caller.ts';
import { type CallFrame, Floor, SETTLED_MS } from './floor.ts';
import { measureTurns, type TurnLatency } from './latency.ts';
import type { LineCondition } from './manners.ts';
import type { PutThrough } from './put-through.ts';
import type { Room } from './rooms.ts';
import type { SpokenTurnPlan } from './spoken-turns.ts';
import { voicedSpan } from './voiced.ts';

/** A turn of the caller as it took place; instants are on the caller's sample clock. */
export interface TakenTurn extends SpokenTurnPlan {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface SpokenCall {
  readonly callId: string;
  readonly turns: readonly TakenTurn[];
  /** By the turns in which something was said. */
  readonly measured: readonly (TurnLatency & { readonly turn: TakenTurn })[];
  /** The epoch instant of the caller's first sample, ms. */
  readonly beganAt: number;
  readonly durationMs: number;
}

/** The caller's side of a call, with keys. */
type SpokenCaller = Caller & { dtmf(digit: string): void };

/** Begins the call; resolves once it is answered. */
type ConnectSpoken = (line: {
  readonly onFrame: (frame: CallFrame) => void;
  readonly room?: Room;
}) => Promise<SpokenCaller>;

/** How one call goes in. */
export interface SpokenLine extends AsyncDisposable {
  readonly connect: ConnectSpoken;
  /** Of the caller: by it the service tells tools which call it is. Absent: on the web. */
  readonly userNumber?: string;
}

interface Options {
  /** The caller's time. */
  readonly clock: Clock;
  readonly connect: ConnectSpoken;
  readonly condition: LineCondition;
  readonly room: Room | undefined;
  readonly plan: readonly SpokenTurnPlan[];
  /** The sound of each line. */
  readonly sounds: ReadonlyMap<string, Int16Array>;
  readonly maxSeconds: number;
  /** Who plays the operators says by it whether the caller waits for one; absent: nobody is dialled. */
  readonly putThrough?: PutThrough | undefined;
  readonly signal: AbortSignal;
}

/** The time in which the caller lives, and its end. */
interface Line {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** How long an assistant that speaks first has to begin, and how long an answer may take. */
const WELCOME_MS = 4000;
const ANSWER_MS = 15_000;
const LONGEST_ANSWER_MS = 60_000;
const HANGUP_MS = 10_000;
const KEY_MS = 250;
/** After the last answer the assistant may still hang up, or dial. */
const LEAVE_MS = 1500;

/** Holds one test as a call in the time of its clock. Rejects if there was no call. */
export async function holdSpokenCall(options: Options): Promise<SpokenCall> {
  const { clock, connect, condition, room, plan, maxSeconds } = options;
  const tooLong = new AbortController();
  const limit = clock.setTimeout(() => tooLong.abort(), maxSeconds * 1000);
  const signal = AbortSignal.any([options.signal, tooLong.signal]);
  const line: Line = { clock, signal };
  const floor = new Floor(clock, signal, { putThrough: options.putThrough });
  const caller = await connect({
    ...(room ? { room } : {}),
    onFrame: (frame) => floor.see(frame),
  });
  const beganAt = clock.now() - caller.elapsedMs;
  const turns: TakenTurn[] = [];
  try {
    floor.watch(caller);
    let isAnswered = await floor.answerBegins(WELCOME_MS);
    for (const planned of plan) {
      if (planned.overMs === undefined) await floor.answerEnds(LONGEST_ANSWER_MS);
      else if (isAnswered) await pause(planned.overMs, caller, line);
      if (floor.ended) break;
      turns.push(await take(planned, caller, options, line));
      const { say, press } = planned.turn;
      if (say !== undefined || press !== undefined)
        isAnswered = await floor.answerBegins(ANSWER_MS);
    }
    await floor.answerEnds(LONGEST_ANSWER_MS, SETTLED_MS + LEAVE_MS);
  } catch (error) {
    // A call that takes too long is hung up; what was said until then is judged.
    if (options.signal.aborted || !signal.aborted) throw error;
  } finally {
    caller.hangup();
    await within(HANGUP_MS, caller.ended, clock);
    clock.clearTimeout(limit);
    caller.close();
  }
  const spoken = turns.filter(({ turn }) => turn.say !== undefined);
  const measured = measureTurns(
    spoken.map(({ turn, fromMs, toMs }) => ({
      name: turn.say ?? '',
      soundFromMs: fromMs,
      speechFromMs: fromMs,
      speechToMs: toMs,
    })),
    caller.tracks.speaker.read(),
    condition.sampleRateHz,
  ).map((latency, n) => ({ ...latency, turn: spoken[n] as TakenTurn }));
  return { callId: caller.callId, turns, measured, beganAt, durationMs: caller.elapsedMs };
}

async function take(
  planned: SpokenTurnPlan,
  caller: SpokenCaller,
  { sounds, condition }: Options,
  line: Line,
): Promise<TakenTurn> {
  const { turn } = planned;
  const beganMs = caller.elapsedMs;
  const words = turn.say ?? turn.backchannel;
  if (words !== undefined) {
    const pcm = sounds.get(words) ?? new Int16Array(0);
    const { fromMs, spoken } = caller.say(pcm);
    const whole = { fromMs: 0, toMs: (pcm.length * 1000) / condition.sampleRateHz };
    const voiced = voicedSpan(pcm, condition.sampleRateHz) ?? whole;
    await Promise.race([spoken, caller.ended, aborted(line.signal)]);
    return { ...planned, fromMs: fromMs + voiced.fromMs, toMs: fromMs + voiced.toMs };
  }
  if (turn.hangUp) caller.hangup();
  for (const digit of turn.press ?? '') {
    caller.dtmf(digit);
    await pause(KEY_MS, caller, line);
  }
  if (turn.waitSeconds !== undefined) await pause(turn.waitSeconds * 1000, caller, line);
  return { ...planned, fromMs: beganMs, toMs: caller.elapsedMs };
}

/** Resolves after so long, or when the call has ended. */
async function pause(ms: number, caller: SpokenCaller, { clock, signal }: Line): Promise<void> {
  await within(ms, Promise.race([caller.ended, aborted(signal)]), clock);
  signal.throwIfAborted();
}

/** Resolves after so long, or when this has happened. */
async function within(ms: number, happens: Promise<unknown>, clock: Clock): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = clock.setTimeout(resolve, ms);
  try {
    await Promise.race([over, happens.catch(() => undefined)]);
  } finally {
    clock.clearTimeout(timer);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  promise.catch(() => undefined);
  return promise;
}
