import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSynthetic } from '../../fixtures/audio/make-synthetic.ts';
import { startElevenLabsEmulator } from '../support/elevenlabs-emulator.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { Sounds } from '../support/sound-scenarios.ts';
import { SoundStage } from '../support/sound-stage.ts';
import type { Bench } from './main.ts';
import { type GeneratedClass, generate } from './turns/corpus.ts';
import { Measures } from './turns/metrics/measures.ts';
import type { Script } from './turns/script.ts';
import { playScript } from './turns-sound/scripted-call.ts';
import { Speaker } from './turns-sound/speaker.ts';

const CLASSES = [
  'clean',
  'pauses',
  'numbers',
  'barge-ins',
  'backchannels',
  'noises',
  'side-talk',
  'echo',
  'television',
] as const satisfies readonly GeneratedClass[];
/** Turns that deserve their answer, without anything beside the caller. */
const PLAIN: readonly string[] = ['clean', 'pauses', 'numbers'];
/** Scripts of each class at scale 1. */
const PER_CLASS = 8;
/** Calls at once: the built-in voice makes one sentence after the other. */
const AT_ONCE = 3;
const GOALS = [
  ['gap p50', 620],
  ['gap p95', 1200],
  ['stop p50', 200],
  ['stop p95', 550],
] as const;

/** In the language of the offline voice, with acts that a sound can play and settings that all scripts share. */
function playable({ language, acts, settings }: Script): boolean {
  return (
    language.startsWith('en') &&
    (settings.stopSpeaking?.numberOfWords ?? 0) === 0 &&
    acts[0]?.kind === 'turn' &&
    acts.every(({ start }) => 'into' in start || start.after === 'reply')
  );
}

export const bench: Bench = {
  about:
    'calls of the corpus spoken by the offline voices, in real time through real sockets with fast vendors, ms by ear',
  async run({ seed, scale }) {
    const count = Math.max(1, Math.round(PER_CLASS * scale));
    const chosen = CLASSES.flatMap((name) =>
      generate(seed, name, 1).filter(playable).slice(0, count),
    );
    const found = new Map<string, Measures>(CLASSES.map((name) => [name, new Measures()]));
    const faults: string[] = [];
    const folder = await mkdtemp(join(tmpdir(), 'parley-turns-sound-'));
    try {
      await makeSynthetic(folder);
      const sounds = new Sounds(folder);
      await using speaker = new Speaker();
      await using voice = await startElevenLabsEmulator();
      await using stage = await SoundStage.start((dataDir, env) =>
        ServiceProcess.start(dataDir, {
          ...env,
          ELEVENLABS_API_KEY: 'scripted',
          ELEVENLABS_BASE_URL: voice.baseUrl,
        }),
      );
      const waiting = [...chosen];
      const work = async (): Promise<void> => {
        for (let script = waiting.shift(); script; script = waiting.shift()) {
          try {
            found.get(script.class)?.add(await playScript(script, { stage, speaker, sounds }));
          } catch (error) {
            faults.push(`${script.id}: ${error instanceof Error ? error.message : error}`);
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    for (const fault of faults) console.log(`NOT PLAYED ${fault}`);
    return report(found, faults);
  },
};

function report(found: ReadonlyMap<string, Measures>, faults: readonly string[]) {
  const all = new Measures();
  const plain = new Measures();
  const rows = [...found].map(([name, measures]) => {
    all.add(measures);
    if (PLAIN.includes(name)) plain.add(measures);
    return { class: name, ...rowOf(measures) };
  });
  console.table(rows);
  const ear: Readonly<Record<string, number | undefined>> = {
    'gap p50': plain.quantile('gap', 0.5),
    'gap p95': plain.quantile('gap', 0.95),
    'stop p50': all.quantile('stop', 0.5),
    'stop p95': all.quantile('stop', 0.95),
  };
  const goals = GOALS.map(([name, atMost]) => {
    const value = ear[name];
    return { goal: name, value, atMost, met: value !== undefined && value <= atMost };
  });
  console.table(goals);
  const total = { ...rowOf(all), words: all.get('words') };
  console.log('all classes', total);
  return { classes: rows, goals, total, faults };
}

function rowOf(measures: Measures) {
  return {
    turns: measures.get('turns'),
    missed: measures.get('missed turns'),
    'gap p50': measures.quantile('gap', 0.5),
    'gap p95': measures.quantile('gap', 0.95),
    pauses: measures.get('pauses'),
    'cut-ins': measures.get('cut-ins'),
    stop: measures.quantile('stop', 0.5),
    overlaps: measures.get('overlaps'),
    lost: measures.get('lost replies'),
    'words missing': measures.get('words missing'),
  };
}
