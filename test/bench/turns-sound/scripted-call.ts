import { gainFromDb, mixInto } from '../../../src/audio/mix.ts';
import { emulateSpeech } from '../../support/emulated-speech.ts';
import {
  RATE_HZ,
  type Room,
  type Said,
  SoundCall,
  soundingSpans,
} from '../../support/sound-call.ts';
import type { Sounds } from '../../support/sound-scenarios.ts';
import type { SoundStage } from '../../support/sound-stage.ts';
import { Measures } from '../turns/metrics/measures.ts';
import { Random } from '../turns/random.ts';
import type { Act, Script } from '../turns/script.ts';
import { echoed, soundOf } from './act-sound.ts';
import type { Speaker } from './speaker.ts';

/** Its emulator answers at once. An echo has to be a voice, so there the built-in one speaks. */
const FAST_VOICE = 'elevenlabs';
/** Silence that is longer than any within a reply. */
const STOPPED_MS = 400;
/** After so much silence a reply is over, and not held. */
const OVER_MS = 1500;
/** Of a reply that was not lost at least this much sounds. */
const WHOLE = 0.85;
/** Sound that begins so close to the end of a turn was no cut-in. */
const EDGE_MS = 20;
/** Drafts that come to nothing take answers of the model too. */
const SPARE_REPLIES = 12;

export interface Players {
  readonly stage: SoundStage;
  readonly speaker: Speaker;
  readonly sounds: Sounds;
}

/** The texts that the model gives, one after the other. */
const repliesOf = ({ plan }: Script): readonly string[] =>
  plan.replies.map(({ pieces = [] }) => pieces.join(' '));

/** Plays a script of the corpus over a real socket and measures what its caller heard. */
export async function playScript(script: Script, players: Players): Promise<Measures> {
  return new ScriptedCall(script, players).play();
}

class ScriptedCall {
  readonly #script: Script;
  readonly #players: Players;
  readonly #random: Random;
  readonly #measures = new Measures();
  readonly #replies: readonly string[];
  /** Words that the record must have: of turns, and of replies that were heard to their end. */
  readonly #owed: string[] = [];
  #turns = 0;
  /** The end of the last turn or interruption. */
  #saidToMs = 0;

  constructor(script: Script, players: Players) {
    this.#script = script;
    this.#players = players;
    this.#random = new Random(script.seed);
    this.#replies = repliesOf(script);
  }

  async play(): Promise<Measures> {
    const { stage, speaker, sounds } = this.#players;
    const script = this.#script;
    const deps = { speaker, sounds, random: this.#random };
    const prepared: Awaited<ReturnType<typeof soundOf>>[] = [];
    for (const act of script.acts) prepared.push(await soundOf(act, script, deps));
    const lengths: number[] = [];
    const vendor = script.class === 'echo' ? 'offline' : FAST_VOICE;
    for (const reply of this.#replies)
      lengths.push(vendor === 'offline' ? await speaker.durationMs(reply) : emulatedMs(reply));
    const room = await this.#room();
    const last = this.#replies.at(-1) ?? 'All right.';
    const call = await SoundCall.dial(stage, {
      name: script.id,
      replies: [...this.#replies, ...Array<string>(SPARE_REPLIES).fill(last)],
      assistant: {
        config: { speech: { stt: { vendor: 'deepgram' }, ttsData: [{ vendor }] } },
        ...interruptionsOf(script),
        welcomeMessageMode: 'assistant-speaks-first',
        welcomeMessage: script.settings.welcome?.message ?? 'Hello.',
      },
      ...(room ? { room } : {}),
    });
    try {
      for (const [i, act] of script.acts.entries()) {
        const utterance = prepared[i] as (typeof prepared)[number];
        const answered = await this.#perform(call, act, utterance, lengths);
        if (!answered) break;
      }
      const { messages } = await call.finish();
      const texts = messages.map((message) => ('text' in message ? message.text : ''));
      this.#compare(texts.join(' '));
    } finally {
      await call.close();
    }
    return this.#measures;
  }

  /** False if a turn was missed, after which the script makes no sense. */
  async #perform(
    call: SoundCall,
    act: Act,
    utterance: Awaited<ReturnType<typeof soundOf>>,
    lengths: readonly number[],
  ): Promise<boolean> {
    const { start } = act;
    const fromMs = await call.replyAfter(this.#saidToMs);
    if ('into' in start) {
      const replyMs = lengths[this.#turns - 1] ?? 0;
      const share = 'share' in start ? start.share : start.ms / replyMs;
      const reply = this.#replies[this.#turns - 1] ?? '';
      const over = act.kind === 'echo' ? echoed(reply, share, act, replyMs) : utterance;
      const said = call.say(over, fromMs + share * replyMs);
      if (act.kind === 'interruption') return this.#interrupted(call, act, said, fromMs);
      await this.#disturbed(call, fromMs, replyMs, reply);
      return true;
    }
    const quietMs = await call.quietFor(OVER_MS, fromMs);
    return this.#asked(call, act, call.say(utterance, quietMs + start.ms));
  }

  async #asked(call: SoundCall, act: Act, said: Said): Promise<boolean> {
    const { speechFromMs, speechToMs } = said;
    const measures = this.#measures;
    this.#turns++;
    this.#owe(act);
    measures.count('turns');
    measures.count('pauses', act.parts.length - 1);
    const first = await this.#answer(call, speechToMs);
    const within = soundingSpans(call.heard, speechFromMs, 100).filter(
      ({ fromMs }) => fromMs > speechFromMs + EDGE_MS && fromMs < speechToMs - EDGE_MS,
    );
    measures.count('cut-ins', within.length);
    this.#saidToMs = speechToMs;
    if (first === undefined) return false;
    if (within.length === 0) measures.sample('gap', first - speechToMs);
    return true;
  }

  async #interrupted(call: SoundCall, act: Act, said: Said, replyFromMs: number): Promise<boolean> {
    const { speechFromMs, speechToMs } = said;
    this.#turns++;
    this.#owe(act);
    this.#measures.count('interruptions');
    this.#saidToMs = speechToMs;
    const first = await this.#answer(call, speechToMs);
    const spans = soundingSpans(call.heard, replyFromMs, STOPPED_MS);
    const reply = spans.find(({ fromMs, toMs }) => fromMs < speechFromMs && toMs > speechFromMs);
    if (reply) this.#measures.sample('stop', reply.toMs - speechFromMs);
    return first !== undefined;
  }

  async #disturbed(call: SoundCall, fromMs: number, replyMs: number, reply: string): Promise<void> {
    await call.quietFor(OVER_MS, fromMs + 0.8 * replyMs);
    const spans = soundingSpans(call.heard, fromMs, STOPPED_MS);
    const soundedMs = spans.reduce((sum, span) => sum + span.toMs - span.fromMs, 0);
    this.#measures.count('overlaps');
    if (soundedMs < WHOLE * replyMs) this.#measures.count('lost replies');
    else this.#owed.push(...wordsOf(reply));
  }

  /** The first sound after a turn; nothing if there is none for the call's patience. */
  async #answer(call: SoundCall, afterMs: number): Promise<number | undefined> {
    try {
      return await call.replyAfter(afterMs);
    } catch {
      this.#measures.count('missed turns');
      return undefined;
    }
  }

  #owe(act: Act): void {
    for (const { text } of act.parts) this.#owed.push(...wordsOf(text));
  }

  #compare(record: string): void {
    const there = new Map<string, number>();
    for (const word of wordsOf(record)) there.set(word, (there.get(word) ?? 0) + 1);
    for (const word of this.#owed) {
      const left = there.get(word) ?? 0;
      this.#measures.count('words');
      if (left === 0) this.#measures.count('words missing');
      there.set(word, left - 1);
    }
  }

  /** What sounds in the room besides the caller: a television, or the loudspeaker. */
  async #room(): Promise<Room | undefined> {
    const { television, acts, callerDb } = this.#script;
    const echo = acts.find(({ kind }) => kind === 'echo');
    if (echo) return echoingRoom(echo.levelDb ?? 0, echo.echoLagMs ?? 0);
    if (!television) return undefined;
    const { speaker } = this.#players;
    const text = television.sentences.slice(0, 12).join(' ');
    const loop = await speaker.speak(text, 'awb', callerDb - television.underDb);
    return (frame, fromSample) => {
      const at = fromSample % (loop.length - frame.length);
      mixInto(frame, loop.subarray(at, at + frame.length), 1);
    };
  }
}

/** Of a text in the emulated voice: it speaks at an even pace. */
const emulatedMs = (text: string) => emulateSpeech(text, 'mulaw', 8000).bytes.length / 8;

function interruptionsOf({ settings: { stopSpeaking } }: Script) {
  if (!stopSpeaking) return {};
  const { numberOfWords, voiceMs } = stopSpeaking;
  return { stopSpeakingOptions: { numberOfWords, voiceSeconds: voiceMs / 1000 } };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];

/** The loudspeaker as the microphone hears it. */
function echoingRoom(levelDb: number, delayMs: number): Room {
  const delay = Math.round((delayMs * RATE_HZ) / 1000);
  return (frame, fromSample, speaker) => {
    if (fromSample < delay) return;
    const from = fromSample - delay;
    mixInto(frame, speaker.read(from, from + frame.length), gainFromDb(levelDb));
  };
}
