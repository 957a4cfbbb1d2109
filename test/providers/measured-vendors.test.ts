import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/lib/errors.ts';
import type { LlmRequest } from '../../src/ports/llm.ts';
import type { SttOptions } from '../../src/ports/stt.ts';
import type { VendorMeter } from '../../src/ports/vendor-meter.ts';
import { createMeasuredLlm } from '../../src/providers/decorators/measured-llm.ts';
import { createMeasuredStt } from '../../src/providers/decorators/measured-stt.ts';
import { createMeasuredTts } from '../../src/providers/decorators/measured-tts.ts';
import { collect } from '../support/collect.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ScriptedLlm, type ScriptedReply } from '../support/scripted-llm.ts';
import { ScriptedStt } from '../support/scripted-stt.ts';
import { ScriptedTts } from '../support/scripted-tts.ts';

class Notes implements VendorMeter {
  readonly lines: unknown[] = [];
  latency: VendorMeter['latency'] = (name, ms) => this.lines.push([name, ms]);
  finished: VendorMeter['finished'] = (name, outcome, usage) =>
    this.lines.push([name, outcome, usage]);
}

const LLM = { kind: 'llm', vendor: 'scripted', model: 'm' };

describe('a model', () => {
  async function ask(reply: ScriptedReply, abortAfterMs?: number) {
    const clock = new ManualClock();
    const meter = new Notes();
    const llm = createMeasuredLlm(new ScriptedLlm(clock, [reply]), { model: 'm', clock, meter });
    const controller = new AbortController();
    const request: LlmRequest = {
      messages: [{ role: 'user', content: 'x'.repeat(40) }],
      signal: controller.signal,
    };
    const reading = collect(llm.stream(request)).catch((error: unknown) => error);
    await clock.advance(abortAfterMs ?? 10_000);
    if (abortAfterMs === undefined) await reading;
    return { lines: meter.lines };
  }

  test('is timed to its first word; without usage, tokens are estimated', async () => {
    const { lines } = await ask({ text: ['12345678', '1234'], firstMs: 300, betweenMs: 50 });
    expect(lines).toEqual([
      [LLM, 300],
      [LLM, 'ok', { inputTokens: 10, outputTokens: 3 }],
    ]);
  });

  test('that fails is counted by the class of its failure; of nothing said, nothing is charged', async () => {
    const error = new ProviderError({ class: 'quota', provider: 'v', code: 'x', message: 'no' });
    const { lines } = await ask({ error });
    expect(lines).toEqual([[LLM, 'quota', {}]]);
  });

  test('whose reader stops early was cancelled, and what it said so far counts', async () => {
    const clock = new ManualClock();
    const meter = new Notes();
    const llm = createMeasuredLlm(new ScriptedLlm(clock, [{ text: ['1234', '5678'] }]), {
      model: 'm',
      clock,
      meter,
    });
    const { signal } = new AbortController();
    for await (const part of llm.stream({ messages: [], signal })) {
      expect(part.type).toBe('text');
      break;
    }
    expect(meter.lines.at(-1)).toEqual([LLM, 'cancelled', { inputTokens: 0, outputTokens: 1 }]);
  });
});

describe('a recogniser', () => {
  const STT = { kind: 'stt', vendor: 'scripted' };

  async function open(clock: ManualClock, meter: Notes, stt = new ScriptedStt()) {
    const heard: string[] = [];
    const options: SttOptions = {
      sampleRateHz: 16_000,
      languages: ['en-US'],
      hints: [],
      phrases: [],
      onEvent: (event) => heard.push(event.type),
      signal: new AbortController().signal,
    };
    const stream = await createMeasuredStt(stt, { clock, meter }).open(options);
    return { stream, heard, line: stt.streams[0] };
  }

  test('is timed from the end of speech to its final text; audio is counted until it is closed', async () => {
    const clock = new ManualClock();
    const meter = new Notes();
    const { stream, heard, line } = await open(clock, meter);
    stream.write(new Int16Array(16_000));
    stream.speechStarted();
    stream.speechEnded();
    await clock.advance(220);
    line?.interim('hel');
    line?.final('hello');
    line?.final('again, of which nobody knows when it was said');
    stream.close();
    stream.close();
    expect(heard).toEqual(['interim', 'final', 'final']);
    expect(meter.lines).toEqual([
      [STT, 220],
      [STT, 'ok', { audioMs: 1000 }],
    ]);
  });

  test('is timed from the lull at which it was asked for, where the final comes of that', async () => {
    const clock = new ManualClock();
    const meter = new Notes();
    const { stream, line } = await open(clock, meter);
    stream.speechStarted();
    stream.flush();
    await clock.advance(80);
    stream.speechEnded();
    await clock.advance(60);
    line?.final('hello');
    expect(meter.lines).toEqual([[STT, 140]]);
    expect(line?.edges).toEqual(['started', 'flushed', 'ended']);
  });

  test('that ignores a lull is timed from the end of speech', async () => {
    const clock = new ManualClock();
    const meter = new Notes();
    const stt = new ScriptedStt();
    stt.flushes = false;
    const { stream, line } = await open(clock, meter, stt);
    stream.speechStarted();
    stream.flush();
    await clock.advance(80);
    stream.speechEnded();
    await clock.advance(60);
    line?.final('hello');
    expect(meter.lines).toEqual([[STT, 60]]);
  });

  test('that cannot open is counted by the class of its failure', async () => {
    const stt = new ScriptedStt();
    stt.failures = [
      new ProviderError({ class: 'auth', provider: 'v', code: 'x', message: 'no such key' }),
    ];
    const meter = new Notes();
    await expect(open(new ManualClock(), meter, stt)).rejects.toMatchObject({ class: 'auth' });
    expect(meter.lines).toEqual([[STT, 'auth', {}]]);
  });
});

test('a voice is timed to its first audio, and its characters count as they are written', async () => {
  const clock = new ManualClock();
  const meter = new Notes();
  const voice = new ScriptedTts(clock, { firstMs: 120 });
  const tts = createMeasuredTts(voice, { clock, meter });
  const { signal } = new AbortController();
  const reading = collect(tts.synthesize({ text: 'Hello.', sampleRateHz: 8000, signal }));
  await clock.advance(10_000);
  await reading;
  const name = { kind: 'tts', vendor: voice.provider };
  expect(meter.lines).toEqual([
    [name, 120],
    [name, 'ok', { characters: 6 }],
  ]);
});
