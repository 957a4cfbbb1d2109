import { DEFAULT_MODELS } from '../vendor-defaults.ts';

/** The differences of one vendor's Chat Completions endpoint. */
export interface ChatQuirks {
  /** URL used when no base URL is configured; absent: a base URL is required. */
  readonly baseUrl?: string | undefined;
  /** Model used when an assistant names none; absent: a model is required. */
  readonly defaultModel?: string | undefined;
  readonly auth: 'bearer' | 'api-key';
  readonly maxTokensField: 'max_completion_tokens' | 'max_tokens';
  /** True if usage is sent only on request, by `stream_options`. */
  readonly streamUsage: boolean;
  /** True if chunks are padded against traffic analysis unless disabled. */
  readonly obfuscates: boolean;
  readonly strictTools: boolean;
  readonly parallelToolCalls: boolean;
  readonly promptCacheKey: boolean;
  /** How the endpoint enforces a schema; `prompt`: only by instructions. */
  readonly responseFormat: 'json_schema' | 'json_object' | 'prompt';
  readonly maxTemperature: number;
  /** Unknown fields of a tool call must be returned with it in the history; this replaces lost ones. */
  readonly toolCallExtra?: Readonly<Record<string, unknown>>;
  /** Vendor-specific fields of every request. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /** JSON Schema keywords that the endpoint refuses in tool parameters. */
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

// Features that every compatible server accepts.
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

/** One row per vendor. A row is only the starting point: features that a server refuses by name are left out later. */
export const CHAT_QUIRKS = {
  openai: REFERENCE,
  // The model is a deployment name and the base URL belongs to a resource; both come from the customer.
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
    // It reasons by default for seconds, which the caller would hear as silence.
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
  // Servers with a single model accept any name.
  'custom-llm': { ...COMPATIBLE, defaultModel: 'default' },
  offline: { ...COMPATIBLE, baseUrl: 'http://offline.invalid/v1', defaultModel: 'offline' },
} as const satisfies Record<string, ChatQuirks>;

export type ChatProviderName = keyof typeof CHAT_QUIRKS;
