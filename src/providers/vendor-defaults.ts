/** A name that the vendor accepts, and the date it was last checked against the vendor's documentation and SDK. */
export interface CheckedName {
  readonly name: string;
  readonly checkedOn: string;
}

const CHECKED_ON = '2026-11-22';
const checked = (name: string): CheckedName => ({ name, checkedOn: CHECKED_ON });

/** Default models for assistants that name none. Adapters name no models themselves. */
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
    /** Deepgram's models are named `<this>-<voice>-<language>`. */
    deepgram: checked('aura-2'),
    openai: checked('gpt-4o-mini-tts'),
  },
  embeddings: { openai: checked('text-embedding-3-small') },
} as const satisfies Record<string, Record<string, CheckedName>>;

/** Default voices for assistants that name none. */
export const DEFAULT_VOICES = {
  elevenlabs: checked('JBFqnCBsd6RMkjVDRZzb'),
  cartesia: checked('a0e99841-438c-4a64-b679-ae501e7d6091'),
  deepgram: checked('thalia'),
  openai: checked('marin'),
} as const satisfies Record<string, CheckedName>;

/** Dated API versions that a vendor requires with each connection. */
export const API_VERSIONS = {
  cartesia: checked('2026-08-14'),
} as const satisfies Record<string, CheckedName>;

/** A model that its vendor is retiring, and the successor that the vendor recommends. */
export interface EndingModel {
  readonly vendor: string;
  readonly model: string;
  /** The first day without the model, ISO 8601. */
  readonly endsOn: string;
  readonly successor: string;
}

/** Models that assistants have used and that have ended or have an announced end. */
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

/** The known end of a model; undefined when none is announced. */
export function endOfModel(vendor: string, model: string): EndingModel | undefined {
  return ENDING_MODELS.find((ending) => ending.vendor === vendor && ending.model === model);
}
