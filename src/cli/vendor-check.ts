import { ConfigError, readConfig } from '../config/config.ts';
import { systemClock } from '../lib/system-clock.ts';
import { checkVendors, type SpeechSample } from '../providers/check-vendors.ts';
import { isLlmReady, LLM_VENDORS } from '../providers/llm-vendors.ts';
import { createProviders, type Providers } from '../providers/registry.ts';
import { isSttReady, KEYED_STT_VENDORS } from '../providers/stt-vendors.ts';
import { isTtsReady, KEYED_TTS_VENDORS } from '../providers/tts-vendors.ts';

const SAMPLE_TEXT = 'We are open from nine to five, every day of the week.';
const SAMPLE_RATE_HZ = 16_000;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** The built-in voice says what the recognisers are to hear. */
async function speakSample(providers: Providers): Promise<SpeechSample> {
  const chunks: Int16Array[] = [];
  let sampleRateHz = SAMPLE_RATE_HZ;
  const { signal } = new AbortController();
  const request = { text: SAMPLE_TEXT, language: 'en-US', sampleRateHz, signal };
  for await (const part of providers.tts('offline').synthesize(request)) {
    if (part.type !== 'audio') continue;
    chunks.push(part.pcm);
    sampleRateHz = part.sampleRateHz;
  }
  const pcm = new Int16Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    pcm.set(chunk, at);
    at += chunk.length;
  }
  return { pcm, sampleRateHz };
}

async function main(): Promise<number> {
  const { vendors, allowPrivateTargets } = readConfig();
  const providers = createProviders({
    vendors,
    allowPrivateTargets,
    clock: systemClock,
    log: silent,
  });
  try {
    const tried = {
      llm: LLM_VENDORS.filter((name) => name !== 'offline' && isLlmReady(name, vendors)),
      tts: KEYED_TTS_VENDORS.filter((name) => isTtsReady(name, vendors)),
      stt: KEYED_STT_VENDORS.filter((name) => isSttReady(name, vendors)),
    };
    if (Object.values(tried).every((names) => names.length === 0)) {
      console.log('No vendor has a key: set one, e.g. OPENAI_API_KEY, and run this again.');
      return 0;
    }
    console.log('Trying each vendor that has a key; recognisers listen in real time.');
    const rows = await checkVendors(providers, tried, await speakSample(providers), systemClock);
    console.table(rows);
    return rows.every((row) => row.ok) ? 0 : 1;
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
