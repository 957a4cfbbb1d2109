import { describe, expect, test } from 'vitest';
import { drive } from '../bench/turns/driver.ts';
import { parleyByWords } from '../bench/turns/engines/parley.ts';
import { readGoldens } from '../bench/turns/goldens.ts';
import { heardReplies } from '../bench/turns/metrics/replies.ts';
import type { Trace } from '../bench/turns/trace.ts';

function transcriptOf({ commands }: Trace): string[] {
  const messages = new Map<string, { role: string; text: string; at: number }>();
  for (const command of commands) {
    if (command.type === 'transcript.append') {
      messages.set(command.message.messageId, { ...command.message });
    } else if (command.type === 'transcript.patch') {
      const message = messages.get(command.messageId);
      if (message) message.text = command.text;
    }
  }
  return [...messages.values()].sort((a, b) => a.at - b.at).map((m) => `${m.role}: ${m.text}`);
}

describe('hand-written conversations', () => {
  test.each(readGoldens().map((script) => [script.id, script] as const))('%s', (_id, script) => {
    const trace = drive(script, parleyByWords, { journal: true });
    expect(trace.fault).toBeUndefined();
    expect(trace.stuck).toBe(0);
    const { expect: wanted = {} } = script;
    const replies = heardReplies(trace);
    if (wanted.transcript) {
      const bare = (lines: readonly string[]) => lines.map((line) => line.replace(/[.,?!]/g, ''));
      expect(bare(transcriptOf(trace))).toEqual(bare(wanted.transcript));
    }
    if (wanted.replies !== undefined) expect(replies).toHaveLength(wanted.replies);
    for (const [type, times] of Object.entries(wanted.commands ?? {})) {
      expect([type, trace.commands.filter((command) => command.type === type).length]).toEqual([
        type,
        times,
      ]);
    }
    if (wanted.ends !== undefined) {
      expect(trace.commands.at(-1)).toMatchObject({ type: 'finish', endReason: wanted.ends });
    }
    if (wanted.gapMs) {
      const end = trace.acts[0]?.to ?? 0;
      const gap = (replies.find(({ from }) => from >= end)?.from ?? Number.NaN) - end;
      expect(gap).toBeGreaterThanOrEqual(wanted.gapMs[0]);
      expect(gap).toBeLessThanOrEqual(wanted.gapMs[1]);
    }
  });
});
