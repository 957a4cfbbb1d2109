/** A name that a vendor was found to take, and the day on which that was last compared with its documentation and SDK. */
export interface CheckedName {
  readonly name: string;
  readonly checkedOn: string;
}

const CHECKED_ON = '2026-11-22';
const checked = (name: string): CheckedName => ({ name, checkedOn: CHECKED_ON });

/** The models that are asked for where an assistant names none. No adapter names a model of its own. */
export const DEFAULT_MODELS = {
  llm: {
    openai: checked('gpt-4.1-mini'),
    google: checked('gemini-3.5-flash-lite'),
    deepseek: checked('deepseek-flash'),
    anthropic: checked('claude-haiku-4-5'),
  },
  stt: {
    deepgram: checked('nova-3'),
    'deepgram-flux': checked('flux-general-en'),
    'deepgram-flux multilingual': checked('flux-general-multi'),
    assemblyai: checked('universal-3-5-pro'),
    'assemblyai other languages': checked('whisper-rt'),
    openai: checked('gpt-4o-mini-transcribe'),
    'openai-transcriptions': checked('gpt-4o-mini-transcribe'),
  },
  tts: {
    elevenlabs: checked('eleven_flash_v2_5'),
    cartesia: checked('sonic-3.5'),
    /** Deepgram's models are `<this>-<voice>-<language>`. */
    deepgram: checked('aura-2'),
    openai: checked('gpt-4o-mini-tts'),
  },
  embeddings: { openai: checked('text-embedding-3-small') },
} as const satisfies Record<string, Record<string, CheckedName>>;

/** The voices that speak where an assistant names none. */
export const DEFAULT_VOICES = {
  elevenlabs: checked('JBFqnCBsd6RMkjVDRZzb'),
  cartesia: checked('a0e99841-438c-4a64-b679-ae501e7d6091'),
  deepgram: checked('thalia'),
  openai: checked('marin'),
} as const satisfies Record<string, CheckedName>;

/** Dated versions of an interface that a vendor wants named with each connection. */
export const API_VERSIONS = {
  cartesia: checked('2026-08-14'),
} as const satisfies Record<string, CheckedName>;

/** A model that its vendor ends, and the one it names in its place. */
export interface EndingModel {
  readonly vendor: string;
  readonly model: string;
  /** The first day without it, ISO 8601. */
  readonly endsOn: string;
  readonly successor: string;
}

/** Models that assistants were given and that have ended or are announced to end. */
export const ENDING_MODELS: readonly EndingModel[] = [
  {
    vendor: 'deepseek',
    model: 'deepseek-chat',
    endsOn: '2026-07-24',
    successor: DEFAULT_MODELS.llm.deepseek.name,
  },
  {
    vendor: 'deepseek',
    model: 'deepseek-reasoner',
    endsOn: '2026-07-24',
    successor: DEFAULT_MODELS.llm.deepseek.name,
  },
  {
    vendor: 'google',
    model: 'gemini-2.0-flash',
    endsOn: '2026-06-01',
    successor: DEFAULT_MODELS.llm.google.name,
  },
  {
    vendor: 'google',
    model: 'gemini-2.5-flash',
    endsOn: '2026-12-01',
    successor: DEFAULT_MODELS.llm.google.name,
  },
  {
    vendor: 'google',
    model: 'gemini-2.5-pro',
    endsOn: '2026-12-01',
    successor: 'gemini-3.8-flash',
  },
  {
    vendor: 'anthropic',
    model: 'claude-sonnet-4-5',
    endsOn: '2026-11-30',
    successor: 'claude-sonnet-5-5',
  },
];

/** What is known of a model's end; nothing for one that goes on. */
export function endOfModel(vendor: string, model: string): EndingModel | undefined {
  return ENDING_MODELS.find((ending) => ending.vendor === vendor && ending.model === model);
}
