import type { ToolChange } from '../../contract/what-if.ts';
import { canonicalJson } from '../../engine/machine/canonical-json.ts';
import type { CallCommand } from '../../engine/machine/commands.ts';
import type { LlmMessage } from '../../ports/llm.ts';
import { evenVoice } from '../even-voice.ts';
import type { CommandOf, ModelPart, SpokenText, TimedEvent, ToolAnswer } from '../parts.ts';
import {
  predictionKey,
  type RecordedAnswers,
  type RecordedGeneration,
} from './recorded-answers.ts';

/**
 * Asks a real model; resolves with its pieces and tool calls, whose `afterMs` are replaced by the call's usual times.
 * Undefined: it is not asked this.
 */
export type AskModel = (
  request: CommandOf<'llm.start'>,
  digest: string,
) => Promise<readonly ModelPart[]> | undefined;

/** Where an answer of the model comes from. */
export type AnswerSource = 'recorded' | 'stand-in' | 'vendor';

interface Deps {
  readonly answers: RecordedAnswers;
  readonly toolChanges: Readonly<Record<string, ToolChange>>;
  readonly askModel: AskModel | undefined;
  /** When, in the recorded call, the act began that the caller began last. */
  readonly reached: () => number;
}

/** Of a voice of which the call tells nothing. */
const MS_PER_CHARACTER = 65;
const PIECE_GAP_MS = 50;
const USUAL_MODEL_MS = 600;
const USUAL_VOICE_MS = 200;
const USUAL_TOOL_MS = 500;
/** A leg of which the record tells nothing rings for so long. */
const UNANSWERED_MS = 20_000;

/** The world of a recorded call: each command gets the answer that it got then, or the nearest to it. */
export class RecordedWorld {
  /** By generation id; those that are missing were never asked for by the simulated call. */
  readonly sources = new Map<number, AnswerSource>();
  /** Tool calls whose answer nobody knows. */
  readonly unknownTools = new Set<string>();
  readonly #deps: Deps;
  readonly #generations: readonly RecordedGeneration[];
  readonly #toolAsks = new Map<string, number>();
  readonly #invoked = new Set<string>();
  #legs = 0;
  readonly #usual: {
    readonly modelMs: number;
    readonly voiceMs: number;
    readonly toolMs: number;
    readonly perCharacter: number;
  };

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#generations = [...deps.answers.generations.values()].filter(({ complete }) => complete);
    this.#usual = usualTimes(deps.answers);
  }

  model(
    request: CommandOf<'llm.start'>,
    digest: string,
  ): readonly ModelPart[] | Promise<readonly ModelPart[]> {
    const same = this.#generations.findLast((generation) => generation.digest === digest);
    if (same) {
      this.sources.set(request.genId, 'recorded');
      return this.#own(same.parts, request.genId);
    }
    const asked = this.#deps.askModel?.(request, digest);
    if (asked) {
      this.sources.set(request.genId, 'vendor');
      return asked.then((parts) => timed(parts, this.#usual.modelMs));
    }
    this.sources.set(request.genId, 'stand-in');
    const standIn = this.#standIn(request.messages);
    return standIn
      ? this.#own(standIn.parts, request.genId)
      : [{ afterMs: this.#usual.modelMs, type: 'done', reason: 'stop' }];
  }

  tool({ name, toolCallId, arguments: given }: CommandOf<'tool.invoke'>): ToolAnswer {
    const canonical = canonicalJson(given);
    const nth = this.#asked(toolCallId, `${name} ${canonical}`);
    const same = [...this.#deps.answers.tools.values()].filter(
      (tool) => tool.name === name && tool.arguments === canonical && tool.answer,
    );
    const recorded = (same[nth] ?? same.at(-1))?.answer;
    const change = this.#deps.toolChanges[name];
    const afterMs = recorded?.afterMs ?? this.#usual.toolMs;
    if (change) return { afterMs, ...change };
    if (recorded) return recorded;
    this.unknownTools.add(toolCallId);
    return { afterMs, error: 'not known: the tool was not asked this in the recorded call' };
  }

  voice(text: string): SpokenText {
    const same = [...this.#deps.answers.utterances.values()].findLast(
      (utterance) => utterance.text === text && utterance.totalMs !== undefined,
    );
    const { voiceMs, perCharacter } = this.#usual;
    if (!same) {
      const { words = [], ...spoken } = evenVoice(text, { firstMs: voiceMs, msPerWord: 1 });
      const totalMs = Math.round(text.length * perCharacter);
      const share = totalMs / spoken.totalMs;
      const timedWords = words.map(({ word, startMs, endMs }) => ({
        word,
        startMs: Math.round(startMs * share),
        endMs: Math.round(endMs * share),
      }));
      return { ...spoken, totalMs, ...(this.#tellsWords() ? { words: timedWords } : {}) };
    }
    const { firstMs = voiceMs, doneMs = 0, totalMs = 0, words } = same;
    return { firstMs, doneMs, totalMs, ...(words.length > 0 ? { words } : {}) };
  }

  others(command: CallCommand): readonly TimedEvent[] {
    if (command.type === 'predict') {
      const { rev } = command;
      const recorded = this.#deps.answers.predictions.get(predictionKey(command));
      if (recorded?.event.type !== 'predict.result') return [];
      return [{ ...recorded, event: { ...recorded.event, rev } }];
    }
    if (command.type !== 'leg.dial') return [];
    const { legId } = command;
    const recorded = this.#deps.answers.legs[this.#legs++];
    if (!recorded) {
      const code = 'not_recorded';
      const event = { type: 'operator.failed', legId, reason: 'no-answer', code } as const;
      return [{ afterMs: UNANSWERED_MS, event }];
    }
    return recorded.events.map(({ afterMs, event }) => ({
      afterMs,
      event: { ...event, legId } as TimedEvent['event'],
    }));
  }

  /** What was dialled or asked while the record was played. */
  skip(command: CallCommand): void {
    if (command.type === 'leg.dial') this.#legs++;
    if (command.type !== 'tool.invoke') return;
    this.#asked(command.toolCallId, `${command.name} ${canonicalJson(command.arguments)}`);
  }

  /** How often it was asked before. */
  #asked(toolCallId: string, question: string): number {
    const nth = this.#toolAsks.get(question) ?? 0;
    this.#toolAsks.set(question, nth + 1);
    this.#invoked.add(toolCallId);
    return nth;
  }

  /** Tool calls of an answer that is used again get ids of their own. */
  #own(parts: readonly ModelPart[], genId: number): readonly ModelPart[] {
    return parts.map((part) =>
      part.type === 'tool-call' && this.#invoked.has(part.id)
        ? { ...part, id: `${part.id}~${genId}` }
        : part,
    );
  }

  #tellsWords(): boolean {
    return [...this.#deps.answers.utterances.values()].some(({ words }) => words.length > 0);
  }

  /** What the model said at this place of the recorded call. */
  #standIn(messages: readonly LlmMessage[]): RecordedGeneration | undefined {
    const role = messages.at(-1)?.role;
    const spoken = this.#generations.filter(
      ({ speculative, messages: asked }) =>
        !speculative && (asked.at(-1)?.role === 'tool') === (role === 'tool'),
    );
    const from = this.#deps.reached();
    return spoken.find(({ at }) => at >= from) ?? spoken.at(-1);
  }
}

function timed(parts: readonly ModelPart[], firstMs: number): readonly ModelPart[] {
  return parts.map((part, i) => ({ ...part, afterMs: firstMs + PIECE_GAP_MS * i }));
}

function usualTimes({ generations, utterances, tools }: RecordedAnswers) {
  const spoken = [...utterances.values()].filter(({ totalMs }) => totalMs !== undefined);
  const characters = spoken.reduce((sum, { text }) => sum + text.length, 0);
  const soundMs = spoken.reduce((sum, { totalMs = 0 }) => sum + totalMs, 0);
  return {
    modelMs:
      median([...generations.values()].flatMap(({ parts }) => parts[0]?.afterMs ?? [])) ??
      USUAL_MODEL_MS,
    voiceMs: median(spoken.flatMap(({ firstMs }) => firstMs ?? [])) ?? USUAL_VOICE_MS,
    toolMs:
      median([...tools.values()].flatMap(({ answer }) => answer?.afterMs ?? [])) ?? USUAL_TOOL_MS,
    perCharacter: characters > 0 ? soundMs / characters : MS_PER_CHARACTER,
  };
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
