import { canonicalJson } from '../../engine/machine/canonical-json.ts';
import type { CallCommand } from '../../engine/machine/commands.ts';
import type { JournalLine } from '../../ports/journal.ts';
import type { LlmMessage, LlmTool } from '../../ports/llm.ts';
import type { WordTiming } from '../../ports/tts.ts';
import type { ModelPart, TimedEvent, ToolAnswer } from '../parts.ts';

/** One request to the model, and what it gave until it was done or cancelled. */
export interface RecordedGeneration {
  readonly genId: number;
  readonly at: number;
  readonly digest: string;
  readonly messages: readonly LlmMessage[];
  readonly tools: readonly LlmTool[];
  readonly parts: ModelPart[];
  speculative: boolean;
  /** The model had given all of it. */
  complete: boolean;
}

export interface RecordedUtterance {
  readonly uttId: number;
  readonly text: string;
  readonly at: number;
  readonly words: WordTiming[];
  firstMs?: number;
  doneMs?: number;
  totalMs?: number;
}

export interface RecordedTool {
  readonly toolCallId: string;
  readonly name: string;
  /** Canonical JSON. */
  readonly arguments: string;
  readonly at: number;
  answer?: ToolAnswer;
}

/** What model, voices, tools and others answered in a call, by what they were asked. */
export interface RecordedAnswers {
  readonly generations: ReadonlyMap<number, RecordedGeneration>;
  readonly utterances: ReadonlyMap<number, RecordedUtterance>;
  readonly tools: ReadonlyMap<string, RecordedTool>;
  /** By canonical JSON of the predictor's texts. */
  readonly predictions: ReadonlyMap<string, TimedEvent>;
  /** In the order of dialling. */
  readonly legs: readonly {
    readonly at: number;
    readonly legId: number;
    readonly events: TimedEvent[];
  }[];
}

type Of<Type extends CallCommand['type']> = Extract<CallCommand, { type: Type }>;

export const predictionKey = ({ text, lastAssistantText }: Of<'predict'>) =>
  canonicalJson([text, lastAssistantText]);

export function readAnswers(lines: readonly JournalLine[]): RecordedAnswers {
  const generations = new Map<number, RecordedGeneration>();
  const utterances = new Map<number, RecordedUtterance>();
  const tools = new Map<string, RecordedTool>();
  const predictions = new Map<string, TimedEvent>();
  const asked = new Map<number, { readonly key: string; readonly at: number }>();
  const legs: { at: number; legId: number; events: TimedEvent[] }[] = [];
  let messages: readonly LlmMessage[] = [];
  let offered: readonly LlmTool[] = [];

  const command = ({ at, data, type }: JournalLine): void => {
    switch (type) {
      case 'llm.start': {
        const start = data as unknown as Of<'llm.start'> & { keptMessages: number; digest: string };
        messages = [...messages.slice(0, start.keptMessages), ...start.messages];
        offered = start.tools ?? offered;
        const { genId, digest, speculative } = start;
        const kept = { genId, at, digest, messages, tools: offered, speculative };
        generations.set(genId, { ...kept, parts: [], complete: false });
        return;
      }
      case 'llm.adopt': {
        const generation = generations.get(Number(data.genId));
        if (generation) generation.speculative = false;
        return;
      }
      case 'tts.start': {
        const { uttId, text } = data as unknown as Of<'tts.start'>;
        utterances.set(uttId, { uttId, text, at, words: [] });
        return;
      }
      case 'tool.invoke': {
        const { toolCallId, name, arguments: given } = data as unknown as Of<'tool.invoke'>;
        tools.set(toolCallId, { toolCallId, name, arguments: canonicalJson(given), at });
        return;
      }
      case 'predict': {
        const predict = { ...data, type } as unknown as Of<'predict'>;
        asked.set(predict.rev, { key: predictionKey(predict), at });
        return;
      }
      case 'leg.dial':
        legs.push({ at, legId: Number(data.legId), events: [] });
    }
  };

  const event = ({ at, data, type }: JournalLine): void => {
    if (type.startsWith('llm.'))
      addToGeneration(generations.get(Number(data.genId)), at, type, data);
    else if (type.startsWith('tts.'))
      addToUtterance(utterances.get(Number(data.uttId)), at, type, data);
    else if (type === 'tool.result' || type === 'tool.error') {
      const tool = tools.get(String(data.toolCallId));
      const { toolCallId: _, ...answer } = data;
      if (tool && !tool.answer)
        tool.answer = { afterMs: at - tool.at, ...answer } as unknown as ToolAnswer;
    } else if (type === 'predict.result') {
      const question = asked.get(Number(data.rev));
      if (question)
        predictions.set(question.key, {
          afterMs: at - question.at,
          event: { type, rev: 0, p: Number(data.p) },
        });
    } else if (type.startsWith('operator.')) {
      const leg = legs.find(({ legId }) => legId === data.legId);
      leg?.events.push({ afterMs: at - leg.at, event: { ...data, type } as TimedEvent['event'] });
    }
  };

  for (const line of lines) {
    if (line.kind === 'command') command(line);
    else if (line.kind === 'event') event(line);
  }
  return { generations, utterances, tools, predictions, legs };
}

function addToGeneration(
  generation: RecordedGeneration | undefined,
  at: number,
  type: string,
  data: JournalLine['data'],
): void {
  if (!generation) return;
  const afterMs = at - generation.at;
  const { parts } = generation;
  if (type === 'llm.text') parts.push({ afterMs, type: 'text', text: String(data.text) });
  else if (type === 'llm.toolCall') {
    const { genId: _, toolCallId, ...call } = data;
    parts.push({ afterMs, type: 'tool-call', id: String(toolCallId), ...call } as ModelPart);
  } else if (type === 'llm.done')
    parts.push({ afterMs, type: 'done', reason: String(data.reason) });
  else if (type === 'llm.error')
    parts.push({ afterMs, type: 'error', error: data.error } as ModelPart);
  generation.complete ||= type === 'llm.done' || type === 'llm.error';
}

function addToUtterance(
  utterance: RecordedUtterance | undefined,
  at: number,
  type: string,
  data: JournalLine['data'],
): void {
  if (!utterance) return;
  if (type === 'tts.audio') utterance.firstMs ??= at - utterance.at;
  else if (type === 'tts.words') utterance.words.push(...(data.words as WordTiming[]));
  else if (type === 'tts.done') {
    utterance.totalMs = Number(data.totalMs);
    utterance.doneMs = at - utterance.at - (utterance.firstMs ?? 0);
  }
}
