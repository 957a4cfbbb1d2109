import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { makeSynthetic } from '../../fixtures/audio/make-synthetic.ts';
import { startElevenLabsEmulator } from '../support/elevenlabs-emulator.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { Sounds } from '../support/sound-scenarios.ts';
import { SoundStage } from '../support/sound-stage.ts';
import type { Bench } from './main.ts';
import { writeMeasured } from './measured.ts';
import { type GeneratedClass, generate } from './turns/corpus.ts';
import { Measures } from './turns/metrics/measures.ts';
import type { Script } from './turns/script.ts';
import { lengthOf, type Prepared, prepare } from './turns-sound/prepare.ts';
import { markdownOf, type Round, reportOf } from './turns-sound/report.ts';
import { playScript } from './turns-sound/scripted-call.ts';
import { ServiceLag } from './turns-sound/service-lag.ts';
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
/** Scripts of each class in a round at scale 1, which then takes two and a half minutes. */
const PER_CLASS = 4;
/** Calls at once. */
const AT_ONCE = 8;

/** In the language of the offline voice, with acts that a sound can play and settings that all scripts share. */
function playable({ language, acts, settings }: Script): boolean {
  return (
    language.startsWith('en') &&
    (settings.stopSpeaking?.numberOfWords ?? 0) === 0 &&
    acts[0]?.kind === 'turn' &&
    acts.every(({ start }) => 'into' in start || start.after === 'reply')
  );
}

/** The sound of one round's scripts, the longest first, so that all calls end at about the same time. */
async function prepareAll(seed: number, count: number, folder: string): Promise<Prepared[]> {
  await using speaker = new Speaker();
  const makers = { speaker, sounds: new Sounds(folder) };
  const prepared: Prepared[] = [];
  for (const name of CLASSES)
    for (const script of generate(seed, name, 1).filter(playable).slice(0, count))
      prepared.push(await prepare(script, makers));
  const soundMs = ({ acts, replies }: Prepared) =>
    [...acts, ...replies].reduce((sum, each) => sum + lengthOf(each), 0);
  return prepared.toSorted((a, b) => soundMs(b) - soundMs(a));
}

async function playAll(prepared: readonly Prepared[], stage: SoundStage): Promise<Round> {
  const found = new Map<string, Measures>(CLASSES.map((name) => [name, new Measures()]));
  const faults: string[] = [];
  const lag = new ServiceLag(stage.service.url);
  const queue = new PQueue({ concurrency: AT_ONCE });
  for (const one of prepared) {
    const { class: name, id } = one.script;
    void queue.add(async () => {
      try {
        found.get(name)?.add(await playScript(one, { stage, lag }));
      } catch (error) {
        faults.push(`${id}: ${error instanceof Error ? error.message : error}`);
      }
    });
  }
  await queue.onIdle();
  await lag.stop();
  for (const fault of faults) console.log(`NOT PLAYED ${fault}`);
  return { found, faults };
}

export const bench: Bench = {
  about:
    'calls of the corpus spoken by the offline voices, in real time through real sockets with fast vendors, ms by ear',
  async run({ seed, scale, rounds: count, write }) {
    const rounds: Round[] = [];
    const folder = await mkdtemp(join(tmpdir(), 'parley-turns-sound-'));
    try {
      await makeSynthetic(folder);
      await using voice = await startElevenLabsEmulator();
      await using stage = await SoundStage.start((dataDir, env) =>
        ServiceProcess.start(dataDir, {
          ...env,
          ELEVENLABS_API_KEY: 'scripted',
          ELEVENLABS_BASE_URL: voice.baseUrl,
        }),
      );
      while (rounds.length < count) {
        const each = Math.max(1, Math.round(PER_CLASS * scale));
        rounds.push(await playAll(await prepareAll(seed + rounds.length, each, folder), stage));
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    const report = reportOf(rounds);
    console.table(report.classes);
    console.table(report.goals);
    console.log(report.validity);
    if (write) await writeTable(markdownOf(report, seed), report.isQuiet);
    return { ...report };
  },
};

async function writeTable(table: string, isQuiet: boolean): Promise<void> {
  if (!isQuiet) {
    console.log('Not written: the machine was too busy for times.');
    return;
  }
  await writeMeasured('docs/turn-taking.md', 'by ear', table);
}
