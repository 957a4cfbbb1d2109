import { createServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../src/lib/errors.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Stt } from '../../src/ports/stt.ts';
import { advanceLive } from '../support/advance-live.ts';
import { CallerLine } from '../support/caller-line.ts';
import type { HearingScript } from '../support/hearing-script.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A vendor's server as the suite controls it. */
export interface EmulatedRecogniser extends AsyncDisposable {
  readonly baseUrl: string;
  /** Connections (or requests) since the start. */
  readonly count: () => number;
  /** Those that are open now. */
  readonly openCount: () => number;
  /** Stops reading from those that are open, without closing them. */
  readonly freeze: () => void;
}

/** An implementation, and the server it is tried against. */
export interface SttUnderTest {
  readonly name: string;
  /** Text comes before the utterance is over. */
  readonly interims: boolean;
  /** It holds a connection from the opening on, and takes it up again when it breaks. */
  readonly connected: boolean;
  emulate(script: HearingScript): Promise<EmulatedRecogniser>;
  create(baseUrl: string, apiKey: string, clock: Clock): Stt;
}

const KEY = 'key_THISISSECRET';

interface Bench extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly emulator: EmulatedRecogniser;
  readonly stt: Stt;
  line(options?: Parameters<typeof CallerLine.open>[2]): Promise<CallerLine>;
}

/** What every recogniser behind the `Stt` port must do. */
export function describeSttContract(vendor: SttUnderTest): void {
  const start = async (script: Partial<HearingScript> = {}): Promise<Bench> => {
    const clock = new ManualClock();
    const emulator = await vendor.emulate({ apiKey: KEY, clock, ...script });
    const stt = vendor.create(emulator.baseUrl, KEY, clock);
    const lines: CallerLine[] = [];
    return {
      clock,
      emulator,
      stt,
      async line(options) {
        const line = await CallerLine.open(stt, clock, options);
        lines.push(line);
        return line;
      },
      async [Symbol.asyncDispose]() {
        for (const line of lines) line.stream.close();
        await emulator[Symbol.asyncDispose]();
      },
    };
  };

  describe(`Stt contract: ${vendor.name}`, () => {
    test('what is said is heard: each word once, in order, at its time', async () => {
      await using b = await start();
      const line = await b.line();
      await line.pause(400);
      const saidAt = line.writtenMs;
      await line.say('we are open from nine to five');
      const endedAt = line.writtenMs;
      await line.pause(800);
      await expect.poll(() => line.text).toBe('we are open from nine to five');
      const [first, last] = [line.finals[0], line.finals.at(-1)];
      expect(Math.abs((first?.startMs ?? 0) - saidAt)).toBeLessThan(350);
      expect(Math.abs((last?.endMs ?? 0) - endedAt)).toBeLessThan(350);
      for (const { confidence, startMs, endMs } of line.finals) {
        expect(confidence).toBeGreaterThan(0);
        expect(confidence).toBeLessThanOrEqual(1);
        expect(endMs).toBeGreaterThanOrEqual(startMs);
      }
      expect(line.errors).toEqual([]);
      expect(line.stream.droppedMs).toBe(0);
    });

    test('each of its rates is heard', async () => {
      await using b = await start();
      for (const sampleRateHz of b.stt.inputRatesHz) {
        const line = await b.line({ sampleRateHz });
        await line.say('thank you');
        await line.pause(800);
        await expect.poll(() => line.text).toBe('thank you');
      }
    });

    test('utterances become segments of their own, each finished once', async () => {
      await using b = await start();
      const line = await b.line();
      for (const [n, text] of ['please call', 'again later'].entries()) {
        await line.say(text);
        await line.pause(900);
        await expect.poll(() => line.finals.length).toBe(n + 1);
      }
      expect(line.finals.map((event) => event.text)).toEqual(['please call', 'again later']);
      expect(new Set(line.finals.map((event) => event.segmentId)).size).toBe(2);
      const finished = new Set<string>();
      for (const event of line.events) {
        if (event.type !== 'interim' && event.type !== 'final') continue;
        expect(finished).not.toContain(event.segmentId);
        if (event.type === 'final') finished.add(event.segmentId);
      }
      const interims = line.events.flatMap((event) => (event.type === 'interim' ? [event] : []));
      expect(interims.length > 0).toBe(vendor.interims);
      for (const event of interims) expect(finished).toContain(event.segmentId);
    });

    test('at a lull it gives what it has, if it says so, and hears the rest', async () => {
      await using b = await start();
      const line = await b.line();
      await line.say('we are open every day');
      await line.pause(120);
      line.stream.flush();
      await line.pause(60);
      if (b.stt.flushes) await expect.poll(() => line.text).toBe('we are open every day');
      else expect(line.finals).toEqual([]);
      // The caller was not done: voice activity never said so.
      line.stream.speechStarted();
      await line.say('and on friday');
      await line.pause(900);
      await expect.poll(() => line.text).toBe('we are open every day and on friday');
      expect(line.errors).toEqual([]);
    });

    test('callers at the same time are heard apart', async () => {
      await using b = await start();
      const [one, two] = await Promise.all([b.line(), b.line()]);
      await Promise.all([one.say('open every day'), two.say('close early on friday')]);
      await Promise.all([one.pause(800), two.pause(800)]);
      await expect.poll(() => one.text).toBe('open every day');
      await expect.poll(() => two.text).toBe('close early on friday');
    });

    test('repetitions and frames that make no sense change nothing', async () => {
      await using b = await start({ repeats: true, garbage: true });
      const line = await b.line();
      await line.say('we are open every day and on friday');
      await line.pause(900);
      await line.say('thank you');
      await line.pause(900);
      await expect.poll(() => line.text).toBe('we are open every day and on friday thank you');
      expect(line.errors).toEqual([]);
    });

    test('closing ends it at once: nothing is heard afterwards, nothing stays open', async () => {
      await using b = await start();
      const line = await b.line();
      await line.say('we are open every day');
      await line.pause(200);
      line.stream.close();
      const heard = line.events.length;
      line.stream.write(new Int16Array(320));
      line.stream.speechStarted();
      line.stream.speechEnded();
      line.stream.close();
      await expect.poll(() => b.emulator.openCount()).toBe(0);
      await b.clock.advance(20_000);
      expect(line.events).toHaveLength(heard);
      expect(b.clock.nextDueAt()).toBeUndefined();
    });

    test('an abort closes an open line, and one that fired before opens none', async () => {
      await using b = await start();
      const controller = new AbortController();
      const line = await b.line({ signal: controller.signal });
      await line.say('we are open');
      controller.abort();
      const heard = line.events.length;
      await expect.poll(() => b.emulator.openCount()).toBe(0);
      expect(line.events).toHaveLength(heard);
      const before = b.emulator.count();
      await expect(b.line({ signal: controller.signal })).rejects.toMatchObject({
        name: 'AbortError',
      });
      expect(b.emulator.count()).toBe(before);
    });

    test.each([
      [401, 'auth', false],
      [402, 'quota', false],
      [429, 'rate', true],
      [500, 'network', true],
      [503, 'network', true],
    ])(
      'status %i is a failure of class %s, without the key',
      async (status, failureClass, retryable) => {
        const message = `no entry for ${KEY}`;
        await using b = await start({ refuse: { status, body: { error: { message } } } });
        const error = vendor.connected
          ? await b.line().catch((e: unknown) => e)
          : await firstError(await b.line());
        expect(error).toBeInstanceOf(ProviderError);
        expect(error).toMatchObject({ class: failureClass, retryable, provider: b.stt.provider });
        expect(JSON.stringify([(error as Error).message, error])).not.toContain('THISISSECRET');
        if (vendor.connected) expect(b.clock.nextDueAt()).toBeUndefined();
      },
    );

    test('a wrong key is refused as such', async () => {
      await using b = await start({ apiKey: 'another' });
      const error = vendor.connected
        ? await b.line().catch((e: unknown) => e)
        : await firstError(await b.line());
      expect(error).toMatchObject({ class: 'auth', retryable: false });
    });

    test('a server that is not there is a failure of the network', async () => {
      const clock = new ManualClock();
      const stt = vendor.create('http://127.0.0.1:9', KEY, clock);
      const error = vendor.connected
        ? await CallerLine.open(stt, clock).catch((e: unknown) => e)
        : await firstError(await CallerLine.open(stt, clock));
      expect(error).toMatchObject({ class: 'network', retryable: true });
    });

    test('more than it can take is dropped from the oldest, and counted', async () => {
      await using b = await start();
      const line = await b.line();
      const loud = new Int16Array(b.stt.inputRatesHz[0] as number).fill(9000);
      line.stream.speechStarted();
      // The clock stands: a minute at once.
      for (let second = 0; second < 60; second++) line.stream.write(loud);
      expect(line.stream.droppedMs).toBeGreaterThan(10_000);
      expect(line.stream.droppedMs).toBeLessThan(60_000);
    });

    if (vendor.connected) describeConnection(vendor, start);
  });
}

async function firstError(line: CallerLine): Promise<unknown> {
  await line.say('thank you');
  await line.pause(400);
  await expect.poll(() => line.errors).toHaveLength(1);
  line.stream.close();
  return line.errors[0];
}

/** What those have to do that hold a connection. */
function describeConnection(
  vendor: SttUnderTest,
  start: (script?: Partial<HearingScript>) => Promise<Bench>,
): void {
  test.each([1, 3])('a connection that breaks after %i words loses and repeats none', async (n) => {
    await using b = await start({ dropAfterWords: n });
    const line = await b.line();
    await line.pause(1000);
    const saidAt = line.writtenMs;
    await line.say('we are open from nine to five');
    await line.pause(1500);
    await expect.poll(() => line.text).toBe('we are open from nine to five');
    expect(b.emulator.count()).toBe(2);
    expect(line.errors).toEqual([]);
    expect(Math.abs((line.finals[0]?.startMs ?? 0) - saidAt)).toBeLessThan(350);
    const segments = new Set(
      line.events.flatMap((event) =>
        event.type === 'interim' || event.type === 'final' ? [event.segmentId] : [],
      ),
    );
    expect(segments.size).toBe(line.finals.length);
  });

  test('a connection that died without a word is noticed and replaced', async () => {
    await using b = await start();
    const line = await b.line();
    await line.say('thank you');
    await line.pause(900);
    await expect.poll(() => line.text).toBe('thank you');
    b.emulator.freeze();
    await line.say('please call again');
    await line.pause(5000);
    await expect.poll(() => b.emulator.count()).toBe(2);
    await line.pause(1500);
    await expect.poll(() => line.text).toBe('thank you please call again');
    expect(line.errors).toEqual([]);
  });

  test('a line that cannot be taken up again is given up, once', async () => {
    await using b = await start();
    const line = await b.line();
    await line.say('we are open');
    await b.emulator[Symbol.asyncDispose]();
    await expect
      .poll(async () => {
        await b.clock.advance(200);
        return line.errors.length;
      })
      .toBe(1);
    expect(line.errors[0]).toMatchObject({ class: 'network', retryable: true });
    await b.clock.advance(20_000);
    expect(line.errors).toHaveLength(1);
    expect(b.clock.nextDueAt()).toBeUndefined();
  });

  test('a line that is quiet for a minute is kept', async () => {
    await using b = await start();
    const line = await b.line();
    await line.say('thank you');
    await line.pause(900);
    await advanceLive(b.clock, 60_000);
    await line.say('please call');
    await line.pause(900);
    await expect.poll(() => line.text).toBe('thank you please call');
    expect(b.emulator.count()).toBe(1);
  });

  test('a server that accepts and never answers is not waited for', async () => {
    const clock = new ManualClock();
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const opening = CallerLine.open(
      vendor.create(`http://127.0.0.1:${port}`, KEY, clock),
      clock,
    ).catch((e: unknown) => e);
    await expect.poll(() => sockets.length).toBe(1);
    await clock.advance(5000);
    expect(await opening).toMatchObject({ class: 'timeout', retryable: true });
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
}
