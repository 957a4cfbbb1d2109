import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseWav } from '../../src/audio/parse-wav.ts';
import { CONSTANTS } from '../../src/engine/settings/constants.ts';
import type { Room } from '../../src/testing/spoken/rooms.ts';
import { RATE_HZ, SoundCall, soundingSpans } from './sound-call.ts';
import { echoingRoom, noisyRoom, televisionRoom } from './sound-rooms.ts';
import type { SoundStage } from './sound-stage.ts';
import { cut, inARow, recorded, sound, type Utterance } from './utterance.ts';

/** A reply of some eleven seconds in the built-in voice, with no pause in it that is worth one. */
const REPLY =
  'We are open from nine to five on every day of the week but Sunday, and on Saturdays we close at noon. ' +
  'You will find us behind the old railway station, right next to the post office.';
const REPLY_MS = 10_930;
const ANSWER = 'That is a good question.';
/** Silence that is longer than any within the reply. */
const STOPPED_MS = 400;

/** What became of one call, measured on the audio that its caller heard. */
export interface Outcome {
  readonly name: string;
  /** End of the caller's question to the first sound of the reply. */
  readonly answerMs?: number;
  /** First voiced sound of an interruption to the last sound of the reply. */
  readonly stopMs?: number;
  /** The reply was not heard to its end. */
  readonly lost?: boolean;
  /** Longest silence within the reply beyond its own. */
  readonly heldMs?: number;
  /** Sound of the assistant within what the caller said. */
  readonly cutIns?: number;
  /** The end of speech to the decision that the caller is done, by the record. */
  readonly endpointMs?: number | undefined;
  /** The record, `role: text`. */
  readonly messages: readonly string[];
  /** Why the call ended. */
  readonly endReason?: string | undefined;
}

export interface Scenario {
  readonly name: string;
  run(stage: SoundStage, sounds: Sounds): Promise<Outcome>;
}

/** Sounds that are made, and not kept: the folder that `make-synthetic.ts` filled. */
export class Sounds {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  get(name: string): Int16Array {
    return parseWav(readFileSync(join(this.#folder, `${name}.wav`))).channels[0];
  }
}

export const QUESTION = () => recorded('go-forward-ten-meters.wav', RATE_HZ);
const INTERRUPTION = () => recorded('what-your-country-can-do.wav', RATE_HZ);

export async function withCall<Result>(
  stage: SoundStage,
  options: Parameters<typeof SoundCall.dial>[1],
  talk: (call: SoundCall) => Promise<Result>,
): Promise<Result & Omit<Outcome, 'name'>> {
  const call = await SoundCall.dial(stage, options);
  try {
    const result = await talk(call);
    const record = await call.finish();
    const shown = record.messages.map(
      (message) => `${message.role}: ${'text' in message ? message.text : ''}`,
    );
    const { endReason, metrics } = record;
    return { endpointMs: metrics[0]?.endpointMs, ...result, messages: shown, endReason };
  } finally {
    await call.close();
  }
}

const longestGap = (spans: readonly { fromMs: number; toMs: number }[]) =>
  Math.max(0, ...spans.slice(1).map(({ fromMs }, i) => fromMs - (spans[i]?.toMs ?? fromMs)));

/** Over the reply, at this share of it, the caller says something else. */
function bargeIn(share: number, room?: Room): Scenario {
  const name = `barge-in at ${Math.round(share * 100)} %${room ? ' in line noise' : ''}`;
  return {
    name,
    async run(stage) {
      const replies = [REPLY, ANSWER];
      return withCall(stage, { name, replies, ...(room ? { room } : {}) }, async (call) => {
        const asked = call.say(QUESTION());
        const fromMs = await call.replyAfter(asked.speechToMs);
        const over = call.say(INTERRUPTION(), fromMs + share * REPLY_MS);
        const answeredMs = await call.replyAfter(over.speechToMs);
        await call.quietFor(1000, answeredMs);
        const spans = soundingSpans(call.heard, fromMs, STOPPED_MS);
        const reply = spans.find(({ toMs }) => toMs > over.speechFromMs);
        // So near its end a reply is let finish.
        const finishes = fromMs + REPLY_MS - over.speechFromMs < CONSTANTS.finishingMs;
        const sounded = reply && reply.fromMs < over.speechFromMs ? reply.toMs : over.speechFromMs;
        return {
          name,
          answerMs: answeredMs - over.speechToMs,
          ...(finishes
            ? { lost: sounded < fromMs + REPLY_MS - 300 }
            : { stopMs: sounded - over.speechFromMs }),
        };
      });
    },
  };
}

/** Over the reply something sounds that is no reason to stop. */
export function disturbance(
  name: string,
  over: (sounds: Sounds) => Utterance | undefined,
  room?: Room,
): Scenario {
  return {
    name,
    async run(stage, sounds) {
      return withCall(
        stage,
        { name, replies: [REPLY, ANSWER], ...(room ? { room } : {}) },
        async (call) => {
          const asked = call.say(QUESTION());
          const fromMs = await call.replyAfter(asked.speechToMs);
          const disturbing = over(sounds);
          if (disturbing) call.say(disturbing, fromMs + 0.4 * REPLY_MS);
          await call.quietFor(2500, fromMs + 0.8 * REPLY_MS);
          const spans = soundingSpans(call.heard, fromMs, STOPPED_MS);
          const soundedMs = spans.reduce((sum, span) => sum + span.toMs - span.fromMs, 0);
          return {
            name,
            answerMs: fromMs - asked.speechToMs,
            lost: soundedMs < REPLY_MS - 500,
            heldMs: longestGap(spans),
          };
        },
      );
    },
  };
}

/** One turn with pauses in it: nothing may be heard before its end. */
function pausingTurn(
  name: string,
  turn: () => Utterance,
  assistant?: Readonly<Record<string, unknown>>,
): Scenario {
  return {
    name,
    async run(stage) {
      const replies = [ANSWER, ANSWER, ANSWER];
      return withCall(
        stage,
        { name, replies, ...(assistant ? { assistant } : {}) },
        async (call) => {
          const welcome = assistant?.welcomeMessage
            ? await call.quietFor(700, await call.replyAfter(0))
            : 0;
          const said = call.say(turn(), welcome + 500);
          const answeredMs = await call.replyAfter(said.speechToMs);
          await call.quietFor(1000, answeredMs);
          const before = soundingSpans(call.heard, said.speechFromMs, 100);
          return {
            name,
            answerMs: answeredMs - said.speechToMs,
            cutIns: before.filter(({ fromMs }) => fromMs < said.speechToMs - 20).length,
          };
        },
      );
    },
  };
}

/** Ten digits by ones and twos, as one reads a number off a card. */
function slowDigits(): Utterance {
  const five = recorded('digits-two-nine-three-four-zero.wav', RATE_HZ);
  const at = five.words.map(({ startMs }) => startMs);
  const part = (from: number, to: number) =>
    cut(five, at[from] ?? 0, at[to] ?? five.speechToMs, RATE_HZ);
  const groups = [part(0, 1), part(1, 3), part(3, 5), part(0, 2), part(2, 3), part(3, 5)];
  return inARow(groups, 1100, RATE_HZ);
}

/** The phrases between its pauses, of 0.3 to 1.2 s. */
const ADDRESS = [
  'And so, my fellow Americans,',
  'ask',
  'not',
  'what your country can do for you,',
  'ask what you can do for your country.',
];

/** The recordings' speech lies near −20 dB: this is 15 dB below. */
const NOISE_DB = -37;

export const SCENARIOS: readonly Scenario[] = [
  disturbance('nobody disturbs', () => undefined),
  ...[0.05, 0.3, 0.6, 0.98].map((share) => bargeIn(share)),
  bargeIn(0.4, noisyRoom('line', NOISE_DB, 3)),
  disturbance('cough', (sounds) => sound(sounds.get('cough'), RATE_HZ)),
  disturbance('mm-hm', (sounds) => sound(sounds.get('mm-hm'), RATE_HZ, 'mm-hm')),
  disturbance('yeah', (sounds) => sound(sounds.get('yeah'), RATE_HZ, 'yeah')),
  disturbance('line noise 15 dB below the voice', () => undefined, noisyRoom('line', NOISE_DB, 5)),
  ...[8, 20].map((underDb) =>
    disturbance(
      `television ${underDb} dB below the voice`,
      () => undefined,
      televisionRoom(underDb, QUESTION()),
    ),
  ),
  disturbance('echo of our own voice at -20 dB', () => undefined, echoingRoom(-20, 120)),
  pausingTurn('pauses within a sentence', () =>
    recorded('inaugural-address.wav', RATE_HZ, ADDRESS),
  ),
  pausingTurn('slow digits', slowDigits, {
    welcomeMessageMode: 'assistant-speaks-first',
    welcomeMessage: 'What is your phone number?',
  }),
];
