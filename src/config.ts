import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  CARRIER_SETTINGS,
  type CarrierSettings,
  carrierSettings,
  halfAccounts,
} from './carrier-settings.ts';

const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const count = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be ${min} to ${max}`);
const url = (...protocols: string[]) =>
  z.string().refine(
    (value) => {
      const parsed = URL.parse(value);
      return parsed !== null && protocols.includes(parsed.protocol);
    },
    `must be a URL beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  );
const secret = z.string().min(1);
const http = url('http:', 'https:');

interface Setting {
  readonly schema: z.ZodType;
  readonly fallback?: string;
  readonly help: string;
  readonly secret?: boolean;
}

/** Vendors that speak over a key and a base URL of their own. */
const KEYED_VENDORS = [
  'OPENAI',
  'AZURE_OPENAI',
  'GOOGLE',
  'DEEPSEEK',
  'ANTHROPIC',
  'DEEPGRAM',
  'ASSEMBLYAI',
  'ELEVENLABS',
  'CARTESIA',
] as const;

type KeyedVendor = (typeof KEYED_VENDORS)[number];

const OWN = {
  HOST: { schema: z.string().min(1), fallback: '127.0.0.1', help: 'address to listen on' },
  PORT: {
    schema: count(0, 65_535),
    fallback: '8080',
    help: 'port to listen on; 0 takes a free one',
  },
  PUBLIC_URL: {
    schema: http,
    help: 'how carriers and browsers reach the service (default: from the request)',
  },
  DATA_DIR: {
    schema: z.string().min(1),
    fallback: './data',
    help: 'embedded database, recordings, files, keys',
  },
  DATABASE_URL: {
    schema: url('postgres:', 'postgresql:'),
    help: 'a Postgres server (default: the embedded one in DATA_DIR)',
    secret: true,
  },
  BUS_URL: {
    // Refused rather than ignored: two nodes that believe they share a bus would lose calls.
    schema: z.never('is for several nodes, which this version does not run: leave it out'),
    help: 'bus of several nodes (this version runs one node and takes none)',
  },
  NODE_HOST: {
    schema: z.string().min(1),
    help: 'address at which other machines on the same database reach this one (default: there are none)',
  },
  STORAGE_URL: {
    schema: url('file:').refine(
      (value) => value.startsWith('file:///'),
      'must be absolute: file:///path',
    ),
    help: 'where recordings and files are kept, file:///path (default: in DATA_DIR)',
  },
  API_KEY: {
    schema: z.string().min(16, 'must have 16 characters or more'),
    help: 'the first API key (default: a random one, printed once)',
    secret: true,
  },
  ENCRYPTION_KEY: {
    schema: z
      .string()
      .transform((value) => value.split(',').map((key) => key.trim()))
      .refine(
        (keys) => keys.every((key) => key.length >= 16),
        'must have 16 characters or more; after a comma, former keys',
      ),
    help: 'seals stored secrets; new,old changes it (default: one made and kept in DATA_DIR)',
    secret: true,
  },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    fallback: 'info',
    help: 'fatal, error, warn, info, debug, trace or silent',
  },
  MAX_CALLS: { schema: count(1, 100_000), fallback: '100', help: 'live calls at once' },
  ALLOW_PRIVATE_TARGETS: {
    schema: flag,
    fallback: 'false',
    help: 'true lets webhooks, tools, model servers and teams’ Asterisks be on private addresses',
  },
  TOOL_RESPONSE_KIB: {
    schema: count(1, 10_240),
    fallback: '128',
    help: "largest answer of a tool's server, KiB",
  },
  DRAFTS: {
    schema: flag,
    fallback: 'true',
    help: 'false asks the model only once a turn is over: fewer requests, later answers',
  },
  STT_MODEL_DIR: {
    schema: z.string().min(1),
    help: 'folder of a sherpa-onnx recogniser, for the vendor sherpa-onnx (README)',
  },
  TTS_MODEL_DIR: {
    schema: z.string().min(1),
    help: 'folder of a sherpa-onnx voice, for the vendor sherpa-onnx (README)',
  },
  PRICES_FILE: {
    schema: z.string().min(1),
    help: 'JSON file of what vendors charge, for the cost of each call (README)',
  },
  DRAIN_SECONDS: {
    schema: count(0, 3600),
    fallback: '60',
    help: 'how long live calls may finish after a stop signal',
  },
} as const satisfies Record<string, Setting>;

const VENDOR: Record<string, Setting> = Object.fromEntries(
  KEYED_VENDORS.flatMap((vendor): [string, Setting][] => [
    [`${vendor}_API_KEY`, { schema: secret, help: `key of ${vendor.toLowerCase()}`, secret: true }],
    [
      `${vendor}_BASE_URL`,
      { schema: http, help: `another server that speaks ${vendor.toLowerCase()}'s protocol` },
    ],
    [
      `${vendor}_CONCURRENCY`,
      {
        schema: count(1, 10_000),
        help: `requests to ${vendor.toLowerCase()} at once, of each kind (default: its smallest paid plan's)`,
      },
    ],
  ]),
);

const SETTINGS: Readonly<Record<string, Setting>> = { ...OWN, ...VENDOR, ...CARRIER_SETTINGS };

export interface VendorAccess {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly concurrency?: number;
}

/** Everything the environment decides, checked and frozen. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string;
  /** Absolute. */
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly nodeHost?: string;
  /** Absolute folder. */
  readonly recordingsDir: string;
  /** Absolute folder of uploaded files. */
  readonly filesDir: string;
  readonly apiKey?: string;
  /** The first seals, the others open what they sealed. */
  readonly encryptionKeys?: readonly [string, ...string[]];
  readonly logLevel: string;
  readonly maxCalls: number;
  readonly allowPrivateTargets: boolean;
  readonly toolResponseBytes: number;
  readonly drafts: boolean;
  readonly drainSeconds: number;
  /** Absolute. */
  readonly pricesFile?: string;
  /** Absolute folders. */
  readonly modelDirs: { readonly stt?: string; readonly tts?: string };
  readonly vendors: Readonly<Partial<Record<KeyedVendor, VendorAccess>>>;
  readonly carriers: CarrierSettings;
}

/** Every problem of the environment in one message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Names that look like ours and are not: most likely a misspelling. */
const OUR_PREFIXES =
  /^(?:PARLEY_|DATA_DIR|DATABASE_|MAX_CALLS|TOOL_RESPONSE|ALLOW_PRIVATE|DRAIN_|PUBLIC_URL|LOG_LEVEL|ENCRYPTION_)/;

export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const read = (name: string): unknown => {
    const setting = SETTINGS[name] as Setting;
    const value = env[name] || setting.fallback;
    if (value === undefined) return undefined;
    const result = setting.schema.safeParse(value);
    if (result.success) return result.data;
    const shown = setting.secret ? 'the value' : JSON.stringify(value);
    const expected =
      setting.schema instanceof z.ZodEnum ? setting.schema.options.join(', ') : undefined;
    const reason = expected ? `must be one of ${expected}` : result.error.issues[0]?.message;
    problems.push(`${name}: ${shown} ${reason}`);
    return undefined;
  };
  const values = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, read(name)]));
  for (const name of Object.keys(env)) {
    if (OUR_PREFIXES.test(name) && !(name in SETTINGS))
      problems.push(`${name}: there is no such setting`);
  }
  if (problems.length === 0) problems.push(...halfAccounts(values));
  if (problems.length > 0) {
    throw new ConfigError(
      `The configuration has ${problems.length === 1 ? 'a problem' : 'problems'}:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  return toConfig(values);
}

function toConfig(values: Readonly<Record<string, unknown>>): Config {
  const optional = (key: string, name: string) =>
    values[name] === undefined ? {} : { [key]: values[name] };
  const vendors = KEYED_VENDORS.map((vendor) => [
    vendor,
    Object.freeze({
      ...optional('apiKey', `${vendor}_API_KEY`),
      ...optional('baseUrl', `${vendor}_BASE_URL`),
      ...optional('concurrency', `${vendor}_CONCURRENCY`),
    }),
  ]);
  const dataDir = resolve(values.DATA_DIR as string);
  const storageUrl = values.STORAGE_URL as string | undefined;
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    ...optional('publicUrl', 'PUBLIC_URL'),
    dataDir,
    recordingsDir: storageUrl ? fileURLToPath(storageUrl) : join(dataDir, 'recordings'),
    filesDir: join(storageUrl ? fileURLToPath(storageUrl) : dataDir, 'files'),
    ...optional('databaseUrl', 'DATABASE_URL'),
    ...optional('nodeHost', 'NODE_HOST'),
    ...optional('apiKey', 'API_KEY'),
    ...optional('encryptionKeys', 'ENCRYPTION_KEY'),
    logLevel: values.LOG_LEVEL,
    maxCalls: values.MAX_CALLS,
    allowPrivateTargets: values.ALLOW_PRIVATE_TARGETS,
    toolResponseBytes: (values.TOOL_RESPONSE_KIB as number) * 1024,
    drafts: values.DRAFTS,
    drainSeconds: values.DRAIN_SECONDS,
    modelDirs: Object.freeze({
      ...(values.STT_MODEL_DIR ? { stt: resolve(values.STT_MODEL_DIR as string) } : {}),
      ...(values.TTS_MODEL_DIR ? { tts: resolve(values.TTS_MODEL_DIR as string) } : {}),
    }),
    ...(values.PRICES_FILE ? { pricesFile: resolve(values.PRICES_FILE as string) } : {}),
    vendors: Object.freeze(Object.fromEntries(vendors)),
    carriers: Object.freeze(carrierSettings(values)),
  }) as Config;
}

/** The process's environment, after `.env` in the working directory where there is one. */
export function readConfig(): Config {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return parseConfig(process.env);
}

/** The process's environment with these changes, for a service that it starts; an empty value is as good as none. */
export function environmentWith(changes: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}

/** The table that `--help` and the README show. */
export function describeConfig(): readonly {
  readonly name: string;
  readonly fallback: string;
  readonly help: string;
}[] {
  return Object.entries(SETTINGS).map(([name, { fallback = '', help }]) => ({
    name,
    fallback,
    help,
  }));
}
