import { wordsOf } from '../../../../src/engine/language/words.ts';
import type { Trace } from '../trace.ts';
import type { Measures } from './measures.ts';

/** Whether the record holds what was heard of the assistant: all of it and nothing else. */
export function measureTranscript(trace: Trace, to: Measures): void {
  const written = recordedOf(trace);
  const heard = heardWords(trace);
  const common = commonInOrder(written, heard);
  const kind = trace.script.plan.wordTimes ? '' : ' (no word times)';
  to.count(`heard words${kind}`, heard.length);
  to.count(`unheard words written${kind}`, written.length - common);
  to.count(`heard words missing${kind}`, heard.length - common);
}

function recordedOf({ commands }: Trace): readonly string[] {
  const messages = new Map<string, { readonly at: number; readonly text: string }>();
  for (const command of commands) {
    if (command.type === 'transcript.append' && command.message.role === 'assistant') {
      messages.set(command.message.messageId, command.message);
    } else if (command.type === 'transcript.patch') {
      const message = messages.get(command.messageId);
      if (message) messages.set(command.messageId, { at: message.at, text: command.text });
    }
  }
  return [...messages.values()].sort((a, b) => a.at - b.at).flatMap(({ text }) => wordsOf(text));
}

/** A word was heard when at least half of it sounded. */
function heardWords({ sounds, utterances }: Trace): readonly string[] {
  const order = [...new Set(sounds.map(({ uttId }) => uttId))];
  return order.flatMap((uttId) => {
    const spans = sounds
      .filter((sound) => sound.uttId === uttId)
      .map(({ from, to, fromMs }) => [fromMs, fromMs + to - from] as const);
    return (utterances.get(uttId)?.words ?? []).flatMap(({ word, startMs, endMs }) => {
      const soundedMs = Math.max(
        0,
        ...spans.map(([from, to]) => Math.min(to, endMs) - Math.max(from, startMs)),
      );
      return soundedMs >= (endMs - startMs) / 2 ? wordsOf(word) : [];
    });
  });
}

function commonInOrder(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const word of a) {
    const next = [0];
    for (const [i, other] of b.entries()) {
      next.push(other === word ? (row[i] ?? 0) + 1 : Math.max(next[i] ?? 0, row[i + 1] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
