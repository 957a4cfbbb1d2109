import { afterEach, expect, test, vi } from 'vitest';
import { Listener } from '../../src/session/inbound/listener.ts';
import { BridgeLane } from '../../src/session/operator/bridge-lane.ts';
import { SupervisorLink } from '../../src/session/operator/supervisor-link.ts';
import { Voice } from '../../src/session/outbound/voice.ts';
import { StereoCapture } from '../../src/session/record/stereo-capture.ts';
import { Ticker } from '../../src/session/ticker.ts';
import { levelVad } from '../support/level-vad.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryLeg } from '../support/memory-leg.ts';
import { ScriptedStt } from '../support/scripted-stt.ts';
import { ScriptedTts } from '../support/scripted-tts.ts';

// Filters that change a sample rate lie in the memory of a WebAssembly module, which nobody clears up after them.

/** Each takes some 30 kB for each of its filters. */
const MANY = 300;

/** The compiler does not know it: it is not part of the language. */
const memory: { grow(pages: number): number } = Reflect.get(globalThis, 'WebAssembly').Memory
  .prototype;

const clock = new ManualClock(1_700_000_000_000);
const ticker = new Ticker(clock);
const leg = new MemoryLeg({ clock, sampleRateHz: 16_000 });
const emit = () => undefined;
const onUnexpected = (error: unknown) => {
  throw error;
};

const listener = () =>
  new Listener({
    ...{ clock, vad: levelVad, emit, onUnexpected, isTakenOver: false, awaitsBeep: false },
    legRateHz: 48_000,
    // Neither the rate of the line nor that of the detector.
    stt: Object.assign(new ScriptedStt(), { inputRatesHz: [24_000] }),
    recognition: { languages: ['en-US'], hints: [], phrases: [] },
    playedDb: () => -120,
    at: (clockMs) => clockMs,
  });

const voice = new Voice({
  ...{ clock, tts: new ScriptedTts(clock), options: {}, emit, onUnexpected },
  sampleRateHz: 8000,
  onAudio: () => undefined,
});

const capture = () =>
  new StereoCapture({ clock, legRateHz: 48_000, flushMs: 20, onAudio: () => undefined });

async function takeOver(): Promise<void> {
  const words = { write: () => undefined, end: () => undefined, close: () => undefined };
  const link: SupervisorLink = new SupervisorLink({
    ...{ clock, ticker, caller: leg, tap: () => undefined },
    playout: { attach: () => undefined, detach: () => undefined },
    transcribe: () => words as never,
    async control() {
      link.carryOut({ type: 'supervisor.join', by: 'Ada' });
      return { outcome: 'accepted' };
    },
  });
  const microphone = { sampleRateHz: 8000, audio: () => undefined, over: () => undefined };
  await link.offer(microphone, 'Ada');
  expect(link.isOn).toBe(true);
  link.close('ended');
}

afterEach(() => {
  vi.restoreAllMocks();
});

test.each<[string, () => unknown]>([
  ['a listener', () => listener().close()],
  ['a voice that has spoken', () => voice.start(1, 'Yes.')],
  ['a recording', () => capture().close()],
  ['a person who spoke with the caller', takeOver],
  ['a lane of a bridge', () => new BridgeLane({ clock, ticker, fromHz: 8000, to: leg }).close()],
])('%s gives back the memory of its filters when it is over', async (_what, live) => {
  const all = async () => {
    for (let i = 0; i < MANY; i++) await live();
    await clock.advance(0);
  };
  await all();
  const grow = vi.spyOn(memory, 'grow');
  for (let round = 0; round < 3; round++) await all();
  expect(grow).not.toHaveBeenCalled();
});
