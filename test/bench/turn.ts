import { setTimeout as delay } from 'node:timers/promises';
import type { CallSettings } from '../../src/engine/settings/settings.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { Session } from '../../src/session/session.ts';
import { Ticker } from '../../src/session/ticker.ts';
import { levelVad } from '../support/level-vad.ts';
import { MemoryLeg } from '../support/memory-leg.ts';
import { ScriptedLlm } from '../support/scripted-llm.ts';
import { ScriptedStt } from '../support/scripted-stt.ts';
import { ScriptedTts } from '../support/scripted-tts.ts';
import { testSettings } from '../support/session-rig.ts';
import type { Bench } from './main.ts';
import { quantiles } from './quantiles.ts';

const TURNS = 300;
const FRAME_MS = 20;
const VOICED = new Int16Array(320).fill(4000);
const SILENT = new Int16Array(320);

/** No wait that a setting asks for: what is left is what the engine itself adds. */
const settings: CallSettings = {
  ...testSettings,
  welcome: { message: '', mode: 'assistant-waits-for-user', interruptible: true },
  startSpeaking: {
    ...testSettings.startSpeaking,
    waitMs: 0,
    smartEndpointing: 'off',
    onPunctuationMs: 0,
    onNoPunctuationMs: 0,
    onNumberMs: 0,
  },
};

/** One turn on real time; resolves with ms from the recogniser's final text to the first audio on the leg. */
async function measureTurn(session: Session, stt: ScriptedStt, leg: MemoryLeg): Promise<number> {
  for (let n = 0; n < 5; n++) session.audio(VOICED);
  for (let n = 0; n < 12; n++) session.audio(SILENT);
  await delay(1);
  const sentBefore = leg.sent.length;
  const saidAt = systemClock.now();
  stt.line.final('How are you?');
  while (leg.sent.length === sentBefore) {
    await new Promise((resolve) => setImmediate(resolve));
    if (systemClock.now() - saidAt > 1000) throw new Error('no answer within a second');
  }
  return (leg.sent[sentBefore]?.at ?? Number.NaN) - saidAt;
}

/** The same steps with nothing in between: what timers and promises of this runtime cost alone. */
async function measureFloor(): Promise<number> {
  const from = systemClock.now();
  await new Promise((resolve) => setTimeout(resolve, 0));
  return systemClock.now() - from;
}

async function run({ scale }: { readonly scale: number }) {
  const samples: number[] = [];
  const floor: number[] = [];
  const turns = Math.max(20, Math.round(TURNS * scale));
  for (let n = 0; n < turns; n++) {
    const leg = new MemoryLeg({ clock: systemClock });
    const stt = new ScriptedStt();
    const session = new Session(
      {
        callId: `WC-${n}`,
        settings,
        voice: {},
        model: {},
        recognition: { languages: ['en-US'], hints: [], phrases: [] },
      },
      {
        clock: systemClock,
        ticker: new Ticker(systemClock),
        llm: new ScriptedLlm(systemClock, () => ({ text: ['Fine, thank you. '] })),
        stt,
        tts: new ScriptedTts(systemClock),
        vad: levelVad,
        tools: { invoke: async () => ({ ok: true, result: '' }) },
        store: { write: async () => undefined },
        keepUnsaved: async () => undefined,
        log: { debug() {}, info() {}, warn() {}, error() {} },
      },
      leg,
    );
    leg.onMark = (name) => session.mark(name);
    leg.onCleared = (playedMs) => session.cleared(playedMs);
    session.answered();
    await delay(FRAME_MS / 4);
    samples.push(await measureTurn(session, stt, leg));
    floor.push(await measureFloor());
    session.hangup();
    await session.finished;
  }
  return { engine: quantiles(samples), floor: quantiles(floor) };
}

export const bench: Bench = {
  about: 'what the engine adds to a turn when every vendor answers at once, ms',
  async run(options) {
    await run({ scale: 0.1 });
    const { engine, floor } = await run(options);
    console.table({ engine, 'a bare timer': floor });
    const ratio = Math.round((engine.p50 / floor.p50) * 100) / 100;
    console.log(`goal p50 < 3, p99 < 10; ${ratio} x a bare timer`);
    return { engine, floor, ratio };
  },
};
