import type { OperatorOutcome } from '../../contract/assistant-test.ts';
import type { TransferMode } from '../../engine/settings/settings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Caller } from './caller.ts';
import type { Manner } from './caller-voice.ts';
import { Floor } from './floor.ts';
import type { PutThrough } from './put-through.ts';

/** What an operator does who picks up. */
export type AnsweringOutcome = Extract<OperatorOutcome, 'answered' | 'declined' | 'voicemail'>;

/** An operator's telephone whose call is answered. */
export type OperatorPhone = Pick<
  Caller,
  'elapsedMs' | 'sampleRateHz' | 'tracks' | 'ended' | 'say' | 'hangup'
>;

interface Options {
  /** The operator's time. */
  readonly clock: Clock;
  readonly phone: OperatorPhone;
  readonly outcome: AnsweringOutcome;
  readonly mode: TransferMode;
  readonly putThrough: Pick<PutThrough, 'isBridged'>;
  readonly sounds: OperatorSounds;
  readonly signal: AbortSignal;
}

const LINES = {
  accepts: 'Yes please, put them through.',
  declines: "I can't take it now.",
  mailbox: 'Please leave a message after the tone.',
  greets: 'Hello, what can I do for you?',
} as const;

/** The sound of each of an operator's lines, at the rate of the telephone. */
export type OperatorSounds = Readonly<Record<keyof typeof LINES, Int16Array>>;

const VOICE = { name: 'operator', manner: { voice: 'slt' } } as const;

interface Speaks {
  line(
    text: string,
    how: { readonly name: string; readonly manner: Manner; readonly sampleRateHz: number },
  ): Promise<Int16Array>;
}

/** What operators say, in a voice that is not the caller's. */
export async function operatorSounds(booth: Speaks, sampleRateHz: number): Promise<OperatorSounds> {
  const line = (text: string) => booth.line(text, { ...VOICE, sampleRateHz });
  return {
    accepts: await line(LINES.accepts),
    declines: await line(LINES.declines),
    mailbox: await line(LINES.mailbox),
    greets: await line(LINES.greets),
  };
}

/** The assistant has so long to say what the call is about, and to act on the answer. */
const BRIEFED_MS = 20_000;
const LONGEST_BRIEFING_MS = 30_000;
const ACTS_MS = 5000;
const BRIDGED_MS = 60_000;
const MAILBOX_PAUSE_MS = 2500;
const MOMENT_MS = 1000;
/** The last word is heard before the line is dead. */
const LAST_WORD_MS = 500;
const TRIES = 3;

/** Plays an operator who has picked up, by ear, until they hang up or are hung up on. Rejects only with the signal. */
export async function playOperator(options: Options): Promise<void> {
  const { clock, phone, outcome, mode, putThrough, sounds, signal } = options;
  const ear = new Floor(clock, signal, { stopped: () => putThrough.isBridged });
  ear.watch(phone);
  const isOver = () => ear.ended || putThrough.isBridged;
  const say = async (line: keyof OperatorSounds) => {
    await Promise.race([phone.say(sounds[line]).spoken, phone.ended]);
  };
  /** Answers whenever the assistant has spoken, until it has acted on that. */
  const reply = async (line: keyof OperatorSounds) => {
    for (let tries = 0; tries < TRIES; tries++) {
      if (!(await ear.answerBegins(tries === 0 ? BRIEFED_MS : ACTS_MS))) return;
      await ear.answerEnds(LONGEST_BRIEFING_MS);
      if (isOver()) return;
      await say(line);
    }
    await ear.waits(ACTS_MS);
  };
  switch (outcome) {
    case 'answered':
      if (mode === 'conversational') await reply('accepts');
      else await ear.waits(BRIDGED_MS);
      if (!ear.ended) await say('greets');
      break;
    case 'declined':
      // Nobody asks whether they take a call that is announced: they hang up on the announcement.
      if (mode === 'announced' && (await ear.answerBegins(BRIEFED_MS))) await ear.waits(MOMENT_MS);
      if (mode === 'conversational') await reply('declines');
      if (mode === 'blind') {
        await ear.waits(BRIDGED_MS);
        await say('declines');
      }
      break;
    case 'voicemail':
      // A mailbox waits for nobody's words, as people do.
      for (let tries = 0; tries < TRIES && !isOver(); tries++) {
        await say('mailbox');
        await ear.waits(MAILBOX_PAUSE_MS);
      }
      if (mode === 'announced') await ear.waits(BRIDGED_MS);
      break;
    default:
      outcome satisfies never;
  }
  if (ear.ended) return;
  await new Floor(clock, signal).waits(LAST_WORD_MS);
  phone.hangup();
}
