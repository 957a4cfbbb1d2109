import type { CallEvent } from '../engine/machine/events.ts';
import type { ModelPart, SpokenText, ToolAnswer } from './parts.ts';
import type { DatedEvent } from './utterance.ts';

/** What the engine is told of a model that was asked at `at`. */
export const modelEvents = (
  genId: number,
  parts: readonly ModelPart[],
  at: number,
): readonly DatedEvent[] =>
  parts.map(({ afterMs, ...part }) => ({ at: at + afterMs, event: modelEvent(genId, part) }));

/** What it is told of a voice that was asked at `at`. */
export function voiceEvents(uttId: number, voice: SpokenText, at: number): readonly DatedEvent[] {
  const { firstMs, doneMs, totalMs, words, error, stallsAfterMs } = voice;
  const soundsAt = at + firstMs;
  if (error) return [{ at: soundsAt, event: { type: 'tts.failed', uttId, error } }];
  return [
    { at: soundsAt, event: { type: 'tts.audio', uttId } },
    ...(words ? [{ at: soundsAt, event: { type: 'tts.words', uttId, words } } as const] : []),
    ...(stallsAfterMs === undefined
      ? [{ at: soundsAt + doneMs, event: { type: 'tts.done', uttId, totalMs } } as const]
      : []),
  ];
}

/** What it is told of a tool that was asked at `at`. */
export function toolEvent(
  toolCallId: string,
  { afterMs, ...answer }: ToolAnswer,
  at: number,
): DatedEvent {
  const event: CallEvent =
    'result' in answer
      ? { type: 'tool.result', toolCallId, ...answer }
      : { type: 'tool.error', toolCallId, ...answer };
  return { at: at + afterMs, event };
}

type Untimed<Part> = Part extends unknown ? Omit<Part, 'afterMs'> : never;

function modelEvent(genId: number, part: Untimed<ModelPart>): CallEvent {
  switch (part.type) {
    case 'text':
      return { type: 'llm.text', genId, text: part.text };
    case 'tool-call': {
      const { type: _, id, ...call } = part;
      return { type: 'llm.toolCall', genId, toolCallId: id, ...call };
    }
    case 'done':
      return { type: 'llm.done', genId, reason: part.reason };
    case 'error':
      return { type: 'llm.error', genId, error: part.error };
  }
}
