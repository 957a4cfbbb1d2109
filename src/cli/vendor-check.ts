import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { downmix } from '../audio/downmix.ts';
import { parseWav } from '../audio/parse-wav.ts';
import { ConfigError, readConfig } from '../config/config.ts';
import { commandLine } from '../lib/command-line.ts';
import { systemClock } from '../lib/system-clock.ts';
import { checkVendors } from '../providers/check-vendors.ts';
import { judgeRecogniser, type SpokenSample } from '../providers/judge-recogniser.ts';
import { isLlmReady, LLM_VENDORS } from '../providers/llm-vendors.ts';
import { LOCAL, localThreads } from '../providers/local-models.ts';
import { createProviders, type Providers } from '../providers/registry.ts';
import { speakTestSentence } from '../providers/speak-sample.ts';
import { isSttReady, KEYED_STT_VENDORS } from '../providers/stt-vendors.ts';
import { isTtsReady, KEYED_TTS_VENDORS } from '../providers/tts-vendors.ts';

const HELP = `Tries each vendor that has a key, and the models of STT_MODEL_DIR and TTS_MODEL_DIR.

Usage: ${commandLine('vendor-check')} [--help]

Exit code: 0 all of them work, 1 one of them does not, or there is none, 2 wrong usage.
`;
const RECORDINGS = resolve(import.meta.dirname, '../../fixtures/audio');
const silent = { debug() {}, info() {}, warn() {}, error() {} };

interface Line {
  readonly file: string;
  readonly text: string;
}

/** The recordings of human speech in the source tree. */
async function readRecordings(): Promise<readonly SpokenSample[]> {
  const samples: SpokenSample[] = [];
  for (const list of ['recordings.json', 'held-out/recordings.json']) {
    const lines = JSON.parse(await readFile(join(RECORDINGS, list), 'utf8')) as readonly Line[];
    for (const { file, text } of lines) {
      const { channels, sampleRateHz } = parseWav(await readFile(join(RECORDINGS, file)));
      samples.push({ name: file, text, pcm: downmix(channels), sampleRateHz });
    }
  }
  return samples;
}

/** Word errors and speed of the recogniser in `STT_MODEL_DIR` on recordings of human speech. */
async function judgeLocalModel(providers: Providers): Promise<boolean> {
  const samples = await readRecordings();
  try {
    const judged = await judgeRecogniser(providers.stt(LOCAL), samples, systemClock);
    console.table(judged.heard.map(({ name, text }) => ({ name, heard: text.slice(0, 70) })));
    const percent = (100 * judged.wordErrorRate).toFixed(1);
    const speed = judged.timesRealTime.toFixed(1);
    const perCore = (judged.timesRealTime / localThreads()).toFixed(1);
    console.log(
      `${LOCAL}: word error rate ${percent} %, ${speed} times real time, ${perCore} callers per core at once`,
    );
    return judged.timesRealTime > 0;
  } catch (error) {
    console.error(`${LOCAL}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

async function main(): Promise<number> {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined) {
    const isHelp = ['--help', '-h'].includes(argument);
    process[isHelp ? 'stdout' : 'stderr'].write(HELP);
    return isHelp ? 0 : 2;
  }
  const { vendors, allowPrivateTargets, modelDirs } = readConfig();
  const providers = createProviders({
    vendors,
    modelDirs,
    allowPrivateTargets,
    clock: systemClock,
    log: silent,
  });
  try {
    const tried = {
      llm: LLM_VENDORS.filter((name) => name !== 'offline' && isLlmReady(name, vendors)),
      tts: [
        ...KEYED_TTS_VENDORS.filter((name) => isTtsReady(name, vendors)),
        ...(modelDirs.tts ? [LOCAL] : []),
      ],
      stt: KEYED_STT_VENDORS.filter((name) => isSttReady(name, vendors)),
    };
    const heardWell = modelDirs.stt ? await judgeLocalModel(providers) : true;
    if (Object.values(tried).every((names) => names.length === 0)) {
      if (modelDirs.stt) return heardWell ? 0 : 1;
      console.log(
        'No vendor has a key: set one, e.g. OPENAI_API_KEY, or STT_MODEL_DIR, and run this again.',
      );
      return 1;
    }
    console.log('Trying each vendor that has a key; recognisers listen in real time.');
    const rows = await checkVendors(
      providers,
      tried,
      await speakTestSentence(providers.tts('offline')),
      systemClock,
    );
    console.table(rows);
    return heardWell && rows.every((row) => row.ok) ? 0 : 1;
  } finally {
    await providers.close();
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error instanceof ConfigError ? error.message : error);
    process.exitCode = 1;
  },
);
