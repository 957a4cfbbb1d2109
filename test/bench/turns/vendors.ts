import type { CallCommand } from '../../../src/engine/machine/commands.ts';
import type { CallEvent } from '../../../src/engine/machine/events.ts';
import { ADDRESSEE_PROMPT, SILENCE } from '../../../src/engine/reply/addressee-prompt.ts';
import type { WordTiming } from '../../../src/ports/tts.ts';
import type { Random } from './random.ts';
import type { PlannedReply, Script } from './script.ts';
import type { Generation, Sound, Utterance } from './trace.ts';
import { MODEL, sampleLatency, VOICE } from './vendor-profiles.ts';

interface Deps {
  readonly script: Script;
  readonly random: Random;
  readonly now: () => number;
  readonly later: (at: number, act: () => void) => void;
  readonly emit: (event: CallEvent) => void;
  /** Whether the model, with leave to say nothing, takes these words for somebody else's. */
  readonly keepsSilent: (text: string) => boolean;
}

/** A voice that gives nothing more for so long has failed: the session's own deadline. */
const VOICE_DEADLINE_MS = 5000;

type Start = Extract<CallCommand, { type: 'llm.start' }>;

/** Model, voice and tools as the script has them: what they answer, and how long they take. */
export class Vendors {
  readonly generations = new Map<number, Generation>();
  readonly utterances = new Map<number, Utterance>();
  readonly #deps: Deps;
  readonly #cancelled = new Set<string>();
  #voiced = 0;
  /** What the voice gave of utterances that it did not finish, ms. */
  readonly #stalled = new Map<number, number>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  obey(command: CallCommand, at: number): void {
    switch (command.type) {
      case 'llm.start':
        this.#generate(command, at);
        break;
      case 'llm.cancel':
        this.#cancelled.add(`gen${command.genId}`);
        break;
      case 'tts.start':
        this.#speak(command.uttId, command.text, at);
        break;
      case 'tts.cancel':
        this.#cancelled.add(`utt${command.uttId}`);
        break;
      case 'leg.dial':
        this.#dial(command.legId, at);
        break;
      case 'leg.brief':
        this.#decline(command.legId, at);
        break;
      case 'tool.invoke':
        this.#run(command.toolCallId, command.name, at);
        break;
    }
  }

  wordsOf(uttId: number): readonly WordTiming[] {
    return this.utterances.get(uttId)?.words ?? [];
  }

  /** How much of it the voice gave before it gave no more; all of it where it did not stall. */
  givenMs(uttId: number): number {
    return this.#stalled.get(uttId) ?? Number.POSITIVE_INFINITY;
  }

  lengthOf(uttId: number): number {
    return this.utterances.get(uttId)?.totalMs ?? 300;
  }

  /** The utterance is the first of its reply. */
  beginsReply(uttId: number): boolean {
    const utterance = this.utterances.get(uttId);
    if (utterance?.genId === undefined) return true;
    return this.generations.get(utterance.genId)?.pieces[0] === utterance.text;
  }

  /** Length of the whole reply that an utterance belongs to. */
  replyMs(uttId: number): number {
    const utterance = this.utterances.get(uttId);
    if (!utterance) return 0;
    const generation = this.generations.get(utterance.genId ?? -1);
    return generation?.totalMs ?? utterance.totalMs;
  }

  /** How much of an utterance had sounded before its last stretch. */
  playedBefore(uttId: number, sounds: readonly Sound[]): number {
    return sounds
      .slice(0, -1)
      .filter((sound) => sound.uttId === uttId)
      .reduce((sum, { from, to }) => sum + to - from, 0);
  }

  #generate({ genId, messages, turn, speculative }: Start, at: number): void {
    const { script, random, later, emit } = this.#deps;
    const said = messages.filter((m) => m.role === 'assistant' && !m.toolCalls).length;
    const { replies } = script.plan;
    const welcomed = script.settings.welcome?.message === '' ? 0 : 1;
    const reply = replies[Math.max(0, said - welcomed) % replies.length] as PlannedReply;
    const firstMs = Math.round(sampleLatency(MODEL, random.fork('model', this.generations.size)));
    const after = messages.at(-1)?.role === 'tool';
    const silent = this.#keepsSilent(messages);
    const pieces = silent
      ? [SILENCE]
      : after
        ? (reply.afterTools ?? ['Done.'])
        : (reply.pieces ?? []);
    const calls = after || silent ? [] : (reply.calls ?? []);
    const totalMs = pieces.reduce((sum, text) => sum + lengthOf(this.#time(text)), 0);
    this.generations.set(genId, { genId, at, turn, firstMs, speculative, pieces, totalMs });
    const give = (when: number, event: CallEvent) =>
      later(when, () => {
        if (!this.#cancelled.has(`gen${genId}`)) emit(event);
      });
    if (reply.fails === 'silent') return;
    let when = at + firstMs;
    if (reply.fails === 'error') {
      const error = { code: 'http_500', message: 'broken', retryable: true };
      give(when, { type: 'llm.error', genId, error });
      return;
    }
    for (const text of pieces) {
      give(when, { type: 'llm.text', genId, text });
      when += 180;
    }
    for (const { id, name, args = '{}' } of calls) {
      const toolCallId = `${id}-${genId}`;
      give(when, { type: 'llm.toolCall', genId, toolCallId, name, arguments: args });
    }
    give(when + 20, { type: 'llm.done', genId, reason: 'stop' });
  }

  #keepsSilent(messages: Start['messages']): boolean {
    if (messages.at(-1)?.content !== ADDRESSEE_PROMPT) return false;
    const asked = messages.findLast(({ role }) => role === 'user');
    return this.#deps.keepsSilent(asked?.content ?? '');
  }

  #speak(uttId: number, text: string, at: number): void {
    const { script, random, later, emit } = this.#deps;
    const words = this.#time(text);
    const totalMs = lengthOf(words);
    const {
      voiceFailsOn,
      wordTimes,
      voiceFirst = VOICE,
      welcomeFirstMs,
      stallsAfterMs,
    } = script.plan;
    const nth = this.#voiced++;
    const usualMs = Math.round(sampleLatency(voiceFirst, random.fork('voice', nth)));
    const firstMs =
      text === script.settings.welcome?.message ? (welcomeFirstMs ?? usualMs) : usualMs;
    const genId = [...this.generations.values()].findLast(({ pieces }) =>
      pieces.includes(text),
    )?.genId;
    this.utterances.set(uttId, { uttId, text, at, firstMs, totalMs, words, genId });
    const give = (when: number, event: CallEvent) =>
      later(when, () => {
        if (!this.#cancelled.has(`utt${uttId}`)) emit(event);
      });
    if (voiceFailsOn !== undefined && text.includes(voiceFailsOn)) {
      const error = { code: 'http_500', message: 'no voice', retryable: true };
      give(at + firstMs, { type: 'tts.failed', uttId, error });
      return;
    }
    give(at + firstMs, { type: 'tts.audio', uttId });
    if (wordTimes) give(at + firstMs, { type: 'tts.words', uttId, words });
    if (stallsAfterMs !== undefined && genId !== undefined && totalMs > stallsAfterMs) {
      this.#stalled.set(uttId, stallsAfterMs);
      const error = { code: 'timeout', message: 'the voice gave no more', retryable: true };
      give(at + firstMs + VOICE_DEADLINE_MS, { type: 'tts.failed', uttId, error });
      return;
    }
    // Voices are several times faster than speech.
    give(at + firstMs + totalMs / 5, { type: 'tts.done', uttId, totalMs });
  }

  #run(toolCallId: string, name: string, at: number): void {
    const { script, later, emit } = this.#deps;
    const { ms, result } = script.plan.tools?.[name] ?? { ms: 300, result: 'done' };
    if (ms < 0) return;
    later(at + ms, () =>
      emit(
        result === undefined
          ? { type: 'tool.error', toolCallId, error: 'it failed' }
          : { type: 'tool.result', toolCallId, result },
      ),
    );
  }

  #dial(legId: number, at: number): void {
    const { script, later, emit } = this.#deps;
    const outcome = script.plan.operator ?? 'no-answer';
    later(at + 400, () => emit({ type: 'operator.ringing', legId }));
    later(at + 2500, () => {
      switch (outcome) {
        case 'busy':
        case 'no-answer':
        case 'line-error':
          emit({ type: 'operator.failed', legId, reason: outcome, code: '486' });
          break;
        case 'hung-up':
          emit({ type: 'operator.answered', legId });
          later(at + 2700, () => emit({ type: 'operator.hungUp', legId }));
          break;
        case 'timeout':
          // It rings on: the machine's own patience ends it.
          break;
        default:
          // Who declines has been told what it is about: `leg.brief`.
          emit({ type: 'operator.answered', legId });
      }
    });
  }

  #decline(legId: number, at: number): void {
    const { script, later, emit } = this.#deps;
    const { operator } = script.plan;
    const reason = operator === 'voicemail' ? operator : 'declined';
    later(at + 1500, () => emit({ type: 'operator.declined', legId, reason }));
  }

  #time(text: string): WordTiming[] {
    const { msPerWord } = this.#deps.script.plan;
    let startMs = 0;
    return text
      .split(/\s+/)
      .filter((word) => word !== '')
      .map((word) => {
        const endMs = startMs + Math.round(msPerWord * (0.4 + 0.12 * word.length));
        const timed = { word, startMs, endMs };
        startMs = endMs;
        return timed;
      });
  }
}

const lengthOf = (words: readonly WordTiming[]) => words.at(-1)?.endMs ?? 1;
