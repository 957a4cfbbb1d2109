import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { VendorAccesses } from '../lib/vendor-accounts.ts';
import type { BucketAccess } from '../ports/bucket.ts';
import type { TracingConfig } from '../ports/tracing.ts';
import {
  CARRIER_SETTINGS,
  type CarrierSettings,
  carrierSettings,
  incompleteAccounts,
} from './carrier-settings.ts';
import { KEYED_VENDORS, SERVICE_SETTINGS, type Setting, VENDOR_SETTINGS } from './environment.ts';
import { TRACING_SETTINGS, tracingOf } from './tracing-settings.ts';

const SETTINGS: Readonly<Record<string, Setting>> = {
  ...SERVICE_SETTINGS,
  ...VENDOR_SETTINGS,
  ...CARRIER_SETTINGS,
  ...TRACING_SETTINGS,
};

/** All settings of the environment, validated and frozen. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly publicUrl?: string;
  readonly trustedProxies?: readonly string[];
  /** Absolute path. */
  readonly dataDir: string;
  readonly databaseUrl?: string;
  /** A NATS server between machines. */
  readonly busAccess?: {
    readonly url: string;
    readonly credentialsFile?: string;
    readonly caFile?: string;
  };
  /** Absolute path. */
  readonly recordingsDir: string;
  /** Absolute path; holds uploaded files. */
  readonly filesDir: string;
  /** Where complete files are kept; they are written to the folders first (default: they stay there). */
  readonly bucket?: BucketAccess;
  /** Ids of deleted calls, for databases that are restored from a backup. */
  readonly deletedCallsDir: string;
  readonly apiKey?: string;
  readonly adminKey?: string;
  /** The first key encrypts; all of them decrypt. */
  readonly encryptionKeys?: readonly [string, ...string[]];
  /** Where people may sign in, other than here. */
  readonly openId?: {
    readonly name: string;
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret?: string;
  };
  /** New recordings and transcript files are encrypted. */
  readonly encryptCalls: boolean;
  readonly logLevel: string;
  readonly processes: number;
  /** Limit for each process. */
  readonly maxCalls: number;
  readonly maxLagMs: number;
  readonly allowPrivateTargets: boolean;
  readonly toolResponseBytes: number;
  readonly drafts: boolean;
  readonly directReads: boolean;
  /** What a process does with its calls when another takes its place. */
  readonly drain: 'handover' | 'finish';
  readonly drainSeconds: number;
  readonly resumeSeconds: number;
  /** Absolute path. */
  readonly pricesFile?: string;
  /** Absolute paths. */
  readonly modelDirs: {
    readonly stt?: string;
    readonly tts?: string;
    readonly turn?: string;
    readonly embed?: string;
  };
  /** Server of embeddings, for search by meaning. */
  readonly embeddings: EmbeddingsAccess;
  readonly vendors: VendorAccesses;
  readonly carriers: CarrierSettings;
  /** Where traces of calls are sent. */
  readonly tracing?: TracingConfig;
}

/** Access to a server of embeddings; absent values default to those of openai. */
export interface EmbeddingsAccess {
  readonly baseUrl?: string;
  readonly model?: string;
  readonly apiKey?: string;
}

/** Lists every problem of the environment in one message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Unknown names with one of these prefixes are reported as misspelt settings. */
const PREFIXES =
  /^(?:PARLEY_|DATA_DIR|DATABASE_|MAX_|TRUSTED_|TOOL_RESPONSE|ALLOW_PRIVATE|DRAIN|RESUME_|PUBLIC_URL|BUS_|NODE_HOST|LOG_LEVEL|ENCRYPTION_|ADMIN_|OIDC_)/;

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
    if (PREFIXES.test(name) && !(name in SETTINGS))
      problems.push(`${name}: there is no such setting`);
  }
  if (problems.length === 0)
    problems.push(...incompleteAccounts(values), ...halfOpenId(values), ...lacksBucketKey(values));
  if (problems.length > 0) {
    throw new ConfigError(
      `The configuration has ${problems.length === 1 ? 'a problem' : 'problems'}:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
  }
  return toConfig(values);
}

function toConfig(values: Readonly<Record<string, unknown>>): Config {
  const tracing = tracingOf(values);
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
  const folder = storageUrl?.startsWith('file:') ? fileURLToPath(storageUrl) : undefined;
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    ...optional('publicUrl', 'PUBLIC_URL'),
    ...optional('trustedProxies', 'TRUSTED_PROXIES'),
    dataDir,
    recordingsDir: folder ?? join(dataDir, 'recordings'),
    filesDir: join(folder ?? dataDir, 'files'),
    deletedCallsDir: join(folder ?? dataDir, 'deleted-calls'),
    ...(storageUrl && !folder ? { bucket: bucketOf(storageUrl, values) } : {}),
    ...optional('databaseUrl', 'DATABASE_URL'),
    ...(values.BUS_URL ? { busAccess: busAccessOf(values) } : {}),
    ...optional('apiKey', 'API_KEY'),
    ...optional('adminKey', 'ADMIN_KEY'),
    ...optional('encryptionKeys', 'ENCRYPTION_KEY'),
    ...(values.OIDC_ISSUER ? { openId: openIdOf(values) } : {}),
    // A key that lies beside the files keeps nobody out who has got at them.
    encryptCalls: (values.ENCRYPT_CALLS ?? values.ENCRYPTION_KEY !== undefined) as boolean,
    logLevel: values.LOG_LEVEL,
    processes: values.PROCESSES,
    maxCalls: values.MAX_CALLS,
    maxLagMs: values.MAX_LAG_MS,
    allowPrivateTargets: values.ALLOW_PRIVATE_TARGETS,
    toolResponseBytes: (values.TOOL_RESPONSE_KIB as number) * 1024,
    drafts: values.DRAFTS,
    directReads: values.DIRECT_READS,
    drain: values.DRAIN,
    drainSeconds: values.DRAIN_SECONDS,
    resumeSeconds: values.RESUME_SECONDS,
    modelDirs: Object.freeze({
      ...(values.STT_MODEL_DIR ? { stt: resolve(values.STT_MODEL_DIR as string) } : {}),
      ...(values.TTS_MODEL_DIR ? { tts: resolve(values.TTS_MODEL_DIR as string) } : {}),
      ...(values.TURN_MODEL_DIR ? { turn: resolve(values.TURN_MODEL_DIR as string) } : {}),
      ...(values.EMBED_MODEL_DIR ? { embed: resolve(values.EMBED_MODEL_DIR as string) } : {}),
    }),
    ...(values.PRICES_FILE ? { pricesFile: resolve(values.PRICES_FILE as string) } : {}),
    embeddings: Object.freeze({
      ...(values.EMBED_BASE_URL ? { baseUrl: values.EMBED_BASE_URL as string } : {}),
      ...(values.EMBED_MODEL ? { model: values.EMBED_MODEL as string } : {}),
      ...(values.EMBED_API_KEY ? { apiKey: values.EMBED_API_KEY as string } : {}),
    }),
    vendors: Object.freeze(Object.fromEntries(vendors)),
    carriers: Object.freeze(carrierSettings(values)),
    ...(tracing ? { tracing } : {}),
  }) as Config;
}

function busAccessOf(values: Readonly<Record<string, unknown>>): Config['busAccess'] {
  const pathOf = (key: string, name: string) =>
    values[name] === undefined ? {} : { [key]: resolve(values[name] as string) };
  return Object.freeze({
    url: values.BUS_URL as string,
    ...pathOf('credentialsFile', 'BUS_CREDENTIALS_FILE'),
    ...pathOf('caFile', 'BUS_CA_FILE'),
  });
}

function halfOpenId(values: Readonly<Record<string, unknown>>): readonly string[] {
  const [issuer, id] = ['OIDC_ISSUER', 'OIDC_CLIENT_ID'].map((name) => values[name] !== undefined);
  if (issuer === id) return [];
  return [`${issuer ? 'OIDC_CLIENT_ID' : 'OIDC_ISSUER'}: is missing beside the other of the two`];
}

function openIdOf(values: Readonly<Record<string, unknown>>): Config['openId'] {
  const issuer = values.OIDC_ISSUER as string;
  const clientSecret = values.OIDC_CLIENT_SECRET as string | undefined;
  return Object.freeze({
    issuer,
    name: (values.OIDC_NAME as string | undefined) ?? new URL(issuer).host,
    clientId: values.OIDC_CLIENT_ID as string,
    ...(clientSecret === undefined ? {} : { clientSecret }),
  });
}

/** Reads the process's environment and `.env` of the working directory, if there is one. Throws {@link ConfigError}. */
export function readConfig(): Config {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return parseConfig(process.env);
}

/** The environment of this process with the given changes, for a child service; an empty value unsets a setting. */
export function environmentWith(changes: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...changes };
}

/** Rows of the settings table in `--help` and the README. */
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

function lacksBucketKey(values: Readonly<Record<string, unknown>>): string[] {
  if (!(values.STORAGE_URL as string | undefined)?.startsWith('s3:')) return [];
  return ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
    .filter((name) => values[name] === undefined)
    .map((name) => `${name}: is required by STORAGE_URL`);
}

function bucketOf(storageUrl: string, values: Readonly<Record<string, unknown>>): BucketAccess {
  const { host, pathname } = new URL(storageUrl);
  return Object.freeze({
    bucket: host,
    prefix: decodeURIComponent(pathname).replace(/^\/+|\/+$/g, ''),
    region: values.AWS_REGION as string,
    accessKeyId: values.AWS_ACCESS_KEY_ID as string,
    secretAccessKey: values.AWS_SECRET_ACCESS_KEY as string,
    ...(values.AWS_SESSION_TOKEN ? { sessionToken: values.AWS_SESSION_TOKEN as string } : {}),
    ...(values.AWS_ENDPOINT_URL ? { endpoint: values.AWS_ENDPOINT_URL as string } : {}),
  });
}
