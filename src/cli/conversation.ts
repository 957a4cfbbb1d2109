import { systemClock } from '../lib/system-clock.ts';
import type { Caller, CallerEnd } from '../testing/spoken/caller.ts';
import { Floor } from '../testing/spoken/floor.ts';
import type { SpokenTurn } from '../testing/spoken/latency.ts';
import { audibleFromMs, voicedSpan } from '../testing/spoken/voiced.ts';
import type { ConnectCaller } from './connect-caller.ts';
import type { ServerFrame } from './server-frame.ts';

/** A recording to speak, at the call's sample rate. */
export interface Recording {
  readonly name: string;
  readonly pcm: Int16Array;
}

export interface ConversationOptions {
  readonly connect: ConnectCaller;
  readonly recordings: readonly Recording[];
  readonly sampleRateHz: number;
  readonly waitMs: number;
  readonly bargeInMs?: number;
  readonly signal: AbortSignal;
  readonly onFrame: (frame: ServerFrame, atMs: number) => void;
  readonly onSpeak: (name: string, durationMs: number, atMs: number) => void;
  readonly onUnanswered: (name: string, atMs: number) => void;
}

export interface Conversation {
  readonly callId: string;
  readonly turns: readonly SpokenTurn[];
  readonly unanswered: number;
  readonly end: CallerEnd;
  readonly microphone: Int16Array;
  readonly speaker: Int16Array;
}

/** How long an assistant that speaks first has to begin. */
const WELCOME_MS = 4000;
const LONGEST_ANSWER_MS = 120_000;
const HANGUP_MS = 10_000;

/** Runs the whole call: waits for the welcome message, speaks the recordings one after another, hangs up. */
export async function holdConversation(options: ConversationOptions): Promise<Conversation> {
  const floor = new Floor(systemClock, options.signal);
  const caller = await options.connect((frame, atMs) => {
    floor.see(frame);
    options.onFrame(frame, atMs);
  });
  try {
    floor.watch(caller);
    const { turns, unanswered } = await speakAll(options, caller, floor);
    caller.hangup();
    const end = await endOf(caller);
    const { microphone, speaker } = caller.tracks;
    return {
      callId: caller.callId,
      turns,
      unanswered,
      end,
      microphone: microphone.read(),
      speaker: speaker.read(),
    };
  } finally {
    // Hang up even after an interruption, so that the service does not wait for the caller to reconnect.
    caller.hangup();
    caller.close();
  }
}

async function speakAll(options: ConversationOptions, caller: Caller, floor: Floor) {
  const turns: SpokenTurn[] = [];
  let unanswered = 0;
  if (await floor.answerBegins(WELCOME_MS)) await floor.answerEnds(LONGEST_ANSWER_MS);
  for (const [index, recording] of options.recordings.entries()) {
    if (floor.ended) break;
    turns.push(await speak(options, caller, recording));
    if (!(await floor.answerBegins(options.waitMs))) {
      unanswered++;
      if (!floor.ended) options.onUnanswered(recording.name, caller.elapsedMs);
      continue;
    }
    const isLast = index === options.recordings.length - 1;
    if (options.bargeInMs === undefined || isLast) await floor.answerEnds(LONGEST_ANSWER_MS);
    else await floor.answerEnds(options.bargeInMs);
  }
  return { turns, unanswered };
}

async function speak(
  { sampleRateHz, onSpeak, signal }: ConversationOptions,
  caller: Caller,
  { name, pcm }: Recording,
): Promise<SpokenTurn> {
  const { fromMs, spoken } = caller.say(pcm);
  onSpeak(name, (pcm.length * 1000) / sampleRateHz, fromMs);
  const whole = { fromMs: 0, toMs: (pcm.length * 1000) / sampleRateHz };
  const speech = voicedSpan(pcm, sampleRateHz) ?? whole;
  await Promise.race([spoken, caller.ended, aborted(signal)]);
  const soundFromMs = fromMs + audibleFromMs(pcm, sampleRateHz);
  return {
    name,
    soundFromMs,
    speechFromMs: fromMs + speech.fromMs,
    speechToMs: fromMs + speech.toMs,
  };
}

async function endOf(caller: Caller): Promise<CallerEnd> {
  const { promise: late, resolve } = Promise.withResolvers<CallerEnd>();
  const timer = systemClock.setTimeout(() => resolve({ closeCode: 1006 }), HANGUP_MS);
  try {
    return await Promise.race([caller.ended, late]);
  } finally {
    systemClock.clearTimeout(timer);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>();
  if (signal.aborted) reject(signal.reason);
  else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}
