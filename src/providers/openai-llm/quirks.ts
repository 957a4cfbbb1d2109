import { DEFAULT_MODELS } from '../vendor-defaults.ts';

/** How one vendor's Chat Completions endpoint differs from the others. */
export interface ChatQuirks {
  /** Where the service is reached when no base URL is configured; absent: it must be. */
  readonly baseUrl?: string | undefined;
  /** Used when an assistant names none; absent: it must. */
  readonly defaultModel?: string | undefined;
  readonly auth: 'bearer' | 'api-key';
  readonly maxTokensField: 'max_completion_tokens' | 'max_tokens';
  /** Usage comes only when asked for, by `stream_options`. */
  readonly streamUsage: boolean;
  /** Pads its chunks against traffic analysis unless told not to. */
  readonly obfuscates: boolean;
  readonly strictTools: boolean;
  readonly parallelToolCalls: boolean;
  readonly promptCacheKey: boolean;
  /** How an answer is held to a schema; `prompt` = by words alone. */
  readonly responseFormat: 'json_schema' | 'json_object' | 'prompt';
  readonly maxTemperature: number;
  /** Unknown fields of a tool call must come back with it in the history; this stands in for lost ones. */
  readonly toolCallExtra?: Readonly<Record<string, unknown>>;
  /** Fields of its own that every request carries. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /** JSON Schema keywords the endpoint refuses in tool parameters. */
  readonly refusedSchemaKeywords: readonly string[];
}

const REFERENCE: ChatQuirks = {
  baseUrl: 'https://api.openai.com/v1',
  defaultModel: DEFAULT_MODELS.llm.openai.name,
  auth: 'bearer',
  maxTokensField: 'max_completion_tokens',
  streamUsage: true,
  obfuscates: true,
  strictTools: true,
  parallelToolCalls: true,
  promptCacheKey: true,
  responseFormat: 'json_schema',
  maxTemperature: 2,
  refusedSchemaKeywords: [],
};

// What every compatible server is known to take.
const COMPATIBLE: ChatQuirks = {
  auth: 'bearer',
  maxTokensField: 'max_tokens',
  streamUsage: true,
  obfuscates: false,
  strictTools: false,
  parallelToolCalls: false,
  promptCacheKey: false,
  responseFormat: 'json_schema',
  maxTemperature: 2,
  refusedSchemaKeywords: [],
};

/** One row a vendor. A row is the starting point: what a server refuses by name is left out from then on. */
export const CHAT_QUIRKS = {
  openai: REFERENCE,
  // The model is the name of a deployment, and the address that of a resource: both are the customer's.
  'azure-openai': {
    ...REFERENCE,
    baseUrl: undefined,
    defaultModel: undefined,
    auth: 'api-key',
    obfuscates: false,
  },
  google: {
    ...COMPATIBLE,
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    defaultModel: DEFAULT_MODELS.llm.google.name,
    toolCallExtra: {
      extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
    },
    refusedSchemaKeywords: ['$schema', 'additionalProperties'],
  },
  deepseek: {
    ...COMPATIBLE,
    baseUrl: 'https://api.deepseek.com/v1',
    defaultModel: DEFAULT_MODELS.llm.deepseek.name,
    // It thinks by default, for seconds: a caller would wait for it in silence.
    extraBody: { thinking: { type: 'disabled' } },
    responseFormat: 'json_object',
  },
  anthropic: {
    ...COMPATIBLE,
    baseUrl: 'https://api.anthropic.com/v1',
    defaultModel: DEFAULT_MODELS.llm.anthropic.name,
    responseFormat: 'prompt',
    maxTemperature: 1,
  },
  // Servers of one model take any name.
  'custom-llm': { ...COMPATIBLE, defaultModel: 'default' },
  offline: { ...COMPATIBLE, baseUrl: 'http://offline.invalid/v1', defaultModel: 'offline' },
} as const satisfies Record<string, ChatQuirks>;

export type ChatProviderName = keyof typeof CHAT_QUIRKS;
