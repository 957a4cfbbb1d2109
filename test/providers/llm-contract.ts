import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/lib/errors.ts';
import type { Llm, LlmMessage, LlmPart, LlmRequest, LlmTool } from '../../src/ports/llm.ts';
import { collect } from '../support/collect.ts';

/** A running implementation and what to say to it. */
export interface LlmHarness extends AsyncDisposable {
  readonly llm: Llm;
  /** Answered with at least two text parts. */
  readonly talk: readonly LlmMessage[];
  /** Answered with a call of `tool`, and with text once its result is in. */
  readonly act: readonly LlmMessage[];
  readonly tool: LlmTool;
  readonly toolResult: string;
  /** Leads to a failure; absent where there is nothing outside that could fail. */
  readonly fail?: readonly LlmMessage[];
}

function textOf(parts: readonly LlmPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** What every implementation of the `Llm` port must do. */
export function describeLlmContract(name: string, start: () => Promise<LlmHarness>): void {
  describe(`Llm contract: ${name}`, () => {
    const live = new AbortController().signal;

    function ask(harness: LlmHarness, request: Partial<LlmRequest> = {}): AsyncIterable<LlmPart> {
      return harness.llm.stream({ messages: harness.talk, signal: live, ...request });
    }

    test('text comes in non-empty parts, then one finish, then nothing', async () => {
      await using harness = await start();
      const parts = await collect(ask(harness));
      expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
      expect(parts.filter((part) => part.type === 'finish')).toHaveLength(1);
      const texts = parts.filter((part) => part.type === 'text');
      expect(texts.length).toBeGreaterThan(1);
      expect(texts.every((part) => part.text !== '')).toBe(true);
    });

    test('a tool call comes whole, with an id, and its result leads to text', async () => {
      await using harness = await start();
      const { act, tool } = harness;
      const parts = await collect(ask(harness, { messages: act, tools: [tool] }));
      expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
      const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
      expect(calls).toHaveLength(1);
      const call = calls[0];
      if (!call) throw new Error('no call');
      expect(call.name).toBe(tool.name);
      expect(call.id).not.toBe('');
      expect(JSON.parse(call.arguments)).toBeTypeOf('object');
      const answer = await collect(
        ask(harness, {
          messages: [
            ...act,
            { role: 'assistant', content: textOf(parts), toolCalls: calls },
            { role: 'tool', toolCallId: call.id, content: harness.toolResult },
          ],
          tools: [tool],
        }),
      );
      expect(textOf(answer)).not.toBe('');
      expect(answer.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
    });

    test('a signal that has fired starts nothing', async () => {
      await using harness = await start();
      await expect(collect(ask(harness, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
        name: 'AbortError',
      });
    });

    test('an abort ends the stream within one event-loop turn, and nothing follows', async () => {
      await using harness = await start();
      const controller = new AbortController();
      const stream = ask(harness, { signal: controller.signal })[Symbol.asyncIterator]();
      expect(await stream.next()).toMatchObject({ done: false });
      const next = stream.next().then(
        () => 'part',
        (error: Error) => error.name,
      );
      controller.abort();
      const turn = new Promise((resolve) => setImmediate(() => setImmediate(resolve, 'late')));
      // A part already on its way when the abort came may still arrive; the one after may not.
      const outcome = await Promise.race([next, turn]);
      expect(['part', 'AbortError']).toContain(outcome);
      if (outcome === 'part')
        await expect(stream.next()).rejects.toMatchObject({ name: 'AbortError' });
      expect(await stream.next()).toEqual({ done: true, value: undefined });
    });

    test('a reader may stop early', async () => {
      await using harness = await start();
      for await (const part of ask(harness)) {
        expect(part.type).toBe('text');
        break;
      }
    });

    test('streams do not disturb each other', async () => {
      await using harness = await start();
      const alone = textOf(await collect(ask(harness)));
      const controller = new AbortController();
      const [first, second, third] = await Promise.all([
        collect(ask(harness)),
        collect(ask(harness, { signal: controller.signal })).catch(() => 'aborted'),
        collect(ask(harness)),
        controller.abort(),
      ]);
      expect(textOf(first)).toBe(alone);
      expect(textOf(third)).toBe(alone);
      expect(second).toBe('aborted');
    });

    test('failures are typed and name the provider', async () => {
      await using harness = await start();
      if (!harness.fail) {
        expect(harness.llm.provider).toBe('offline');
        return;
      }
      const error = await collect(ask(harness, { messages: harness.fail })).catch(
        (e: unknown) => e,
      );
      expect(error).toBeInstanceOf(ProviderError);
      expect((error as ProviderError).provider).toBe(harness.llm.provider);
    });
  });
}
