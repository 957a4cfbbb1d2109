import type { Room } from '../../../src/testing/spoken/rooms.ts';
import { HeardWords, hearsEndOf } from '../../support/heard-words.ts';
import { type Said, SoundCall, soundingSpans } from '../../support/sound-call.ts';
import { echoingRoom } from '../../support/sound-rooms.ts';
import type { SoundStage } from '../../support/sound-stage.ts';
import type { Utterance } from '../../support/utterance.ts';
import { Measures } from '../turns/metrics/measures.ts';
import type { Act, Script } from '../turns/script.ts';
import { lengthOf, type Prepared, welcomeOf } from './prepare.ts';
import type { ServiceLag } from './service-lag.ts';

/** Silence that is longer than any within a reply. */
const STOPPED_MS = 400;
/** After so much silence a reply is over, and not held. */
const OVER_MS = 1500;
/** Of a reply that was not lost at least this much sounds. */
const WHOLE = 0.85;
/** Sound that begins so close to the end of a turn was no cut-in. */
const EDGE_MS = 20;
/** A time counts only where neither end was later than this, two frames. */
const LATE_MS = 40;

export interface Players {
  readonly stage: SoundStage;
  readonly lag: ServiceLag;
}

/** Plays a script of the corpus over a real socket and measures what its caller heard. */
export async function playScript(prepared: Prepared, players: Players): Promise<Measures> {
  return new ScriptedCall(prepared, players).play();
}

class ScriptedCall {
  readonly #prepared: Prepared;
  readonly #script: Script;
  readonly #players: Players;
  readonly #measures = new Measures();
  /** The words of its own loudspeaker that the microphone picks up. */
  readonly #echo = new HeardWords((word) => this.#call?.overhears([word]));
  #call: SoundCall | undefined;
  /** Words that the record must have: of turns, and of replies as far as they were heard. */
  readonly #owed: string[] = [];
  #turns = 0;
  /** The end of the last turn or interruption. */
  #saidToMs = 0;

  constructor(prepared: Prepared, players: Players) {
    this.#prepared = prepared;
    this.#script = prepared.script;
    this.#players = players;
  }

  async play(): Promise<Measures> {
    const { script, texts, voice, welcome } = this.#prepared;
    this.#echo.expect(welcome);
    const room = this.#room();
    const call = await SoundCall.dial(this.#players.stage, {
      name: script.id,
      replies: texts,
      assistant: {
        config: { speech: { stt: { vendor: 'deepgram' }, ttsData: [{ vendor: voice }] } },
        ...interruptionsOf(script),
        welcomeMessageMode: 'assistant-speaks-first',
        welcomeMessage: welcomeOf(script),
      },
      ...(room ? { room } : {}),
    });
    this.#call = call;
    try {
      for (const [i, act] of script.acts.entries()) {
        const answered = await this.#perform(call, act, this.#prepared.acts[i] as Utterance);
        if (!answered) break;
      }
      const { messages } = await call.finish();
      const record = messages.map((message) => ('text' in message ? message.text : '')).join(' ');
      this.#compare(record);
    } finally {
      await call.close();
    }
    return this.#measures;
  }

  /** The reply to the next turn. */
  get #reply(): Utterance {
    const { replies } = this.#prepared;
    return replies[Math.min(this.#turns, replies.length - 1)] as Utterance;
  }

  /** False if a turn was missed, after which the script makes no sense. */
  async #perform(call: SoundCall, act: Act, utterance: Utterance): Promise<boolean> {
    const { start } = act;
    const fromMs = await call.replyAfter(this.#saidToMs);
    if ('into' in start) {
      const reply = this.#prepared.replies[this.#turns - 1] as Utterance;
      const replyMs = lengthOf(reply);
      const share = 'share' in start ? start.share : start.ms / replyMs;
      // The room has the sound and the words of an echo.
      const said = act.kind === 'echo' ? undefined : call.say(utterance, fromMs + share * replyMs);
      if (said && act.kind === 'interruption') {
        this.#turns++;
        const answered = await this.#interrupted(call, act, said, fromMs);
        this.#heardOf(call, reply, fromMs, false);
        return answered;
      }
      this.#heardOf(call, reply, fromMs, await this.#disturbed(call, fromMs, reply));
      return true;
    }
    const quietMs = await call.quietFor(OVER_MS, fromMs);
    this.#echo.expect(this.#reply);
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
    if (within.length === 0) this.#time('gap', call, speechToMs, first);
    return true;
  }

  async #interrupted(call: SoundCall, act: Act, said: Said, replyFromMs: number): Promise<boolean> {
    const { speechFromMs, speechToMs } = said;
    this.#owe(act);
    this.#measures.count('interruptions');
    this.#saidToMs = speechToMs;
    const first = await this.#answer(call, speechToMs);
    const spans = soundingSpans(call.heard, replyFromMs, STOPPED_MS);
    const reply = spans.find(({ fromMs, toMs }) => fromMs < speechFromMs && toMs > speechFromMs);
    if (reply) this.#time('stop', call, speechFromMs, reply.toMs);
    return first !== undefined;
  }

  /** True if the reply was heard to its end. */
  async #disturbed(call: SoundCall, fromMs: number, reply: Utterance): Promise<boolean> {
    const replyMs = lengthOf(reply);
    await call.quietFor(OVER_MS, fromMs + 0.8 * replyMs);
    const spans = soundingSpans(call.heard, fromMs, STOPPED_MS);
    const soundedMs = spans.reduce((sum, span) => sum + span.toMs - span.fromMs, 0);
    this.#measures.count('overlaps');
    const heard = call.heardBetween(fromMs, call.elapsedMs);
    const isWhole = soundedMs >= WHOLE * replyMs && hearsEndOf(reply, heard);
    if (!isWhole) this.#measures.count('lost replies');
    return isWhole;
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

  /** A time that a late machine has made longer is no time. */
  #time(name: string, call: SoundCall, fromMs: number, toMs: number): void {
    const startedAt = performance.now() - call.elapsedMs;
    const late = Math.max(
      call.latestBetween(fromMs, toMs),
      this.#players.lag.worstBetween(startedAt + fromMs, startedAt + toMs),
    );
    this.#measures.count('times');
    if (late > LATE_MS) this.#measures.count('late');
    else this.#measures.sample(name, toMs - fromMs);
  }

  #owe(act: Act): void {
    for (const { text } of act.parts) this.#owed.push(...wordsOf(text));
  }

  /**
   * What of a reply was heard belongs into the record: all of it, or what came before the first silence of a reply that
   * was cut, but for the word in which it stopped. What sounds after that silence may be another reply.
   */
  #heardOf(call: SoundCall, reply: Utterance, fromMs: number, isWhole: boolean): void {
    const heard: string[] = [];
    const words = new HeardWords(({ text }) => heard.push(text));
    words.expect(reply);
    const [first] = soundingSpans(call.heard, fromMs, STOPPED_MS);
    words.hear(call.heardBetween(fromMs, first?.toMs ?? fromMs));
    const owed = isWhole ? reply.words.map(({ text }) => text) : heard.slice(0, -1);
    this.#owed.push(...wordsOf(owed.join(' ')));
  }

  #compare(record: string): void {
    const there = new Map<string, number>();
    for (const word of wordsOf(record)) there.set(word, (there.get(word) ?? 0) + 1);
    const missing: string[] = [];
    for (const word of this.#owed) {
      const left = there.get(word) ?? 0;
      this.#measures.count('words');
      if (left === 0) missing.push(word);
      there.set(word, left - 1);
    }
    this.#measures.count('words missing', missing.length);
    if (missing.length > 0)
      console.log(`${this.#script.id}: not in the record: ${missing.join(' ')}\n  ${record}`);
  }

  /** What sounds in the room besides the caller: a television, or the loudspeaker. */
  #room(): Room | undefined {
    const echo = this.#script.acts.find(({ kind }) => kind === 'echo');
    return echo
      ? echoingRoom(echo.levelDb ?? 0, echo.echoLagMs ?? 0, this.#echo)
      : this.#prepared.television;
  }
}

function interruptionsOf({ settings: { stopSpeaking } }: Script) {
  if (!stopSpeaking) return {};
  const { numberOfWords, voiceMs } = stopSpeaking;
  return { stopSpeakingOptions: { numberOfWords, voiceSeconds: voiceMs / 1000 } };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
