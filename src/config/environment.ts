import { isIP } from 'node:net';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { isBuilt } from '../lib/command-line.ts';
import { environmentName, VENDOR_ACCOUNTS } from '../lib/vendor-accounts.ts';

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
function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  );
}

const BUS = url('nats:', 'tls:');

function isNumericTls(text: string): boolean {
  const { protocol, hostname } = URL.parse(text.trim()) ?? {};
  return protocol === 'tls:' && isIP((hostname ?? '').replace(/^\[|\]$/g, '')) !== 0;
}

const secret = z.string().min(1);
const http = url('http:', 'https:');

/** Schema, default and help text of one environment variable. */
export interface Setting {
  readonly schema: z.ZodType;
  readonly fallback?: string;
  readonly help: string;
  readonly secret?: boolean;
}

/** Prefixes of the vendor accounts' environment variables. */
export const KEYED_VENDORS = VENDOR_ACCOUNTS.map((account) => environmentName(account));

/** The settings of the service itself. */
export const SERVICE_SETTINGS = {
  HOST: { schema: z.string().min(1), fallback: '127.0.0.1', help: 'address to listen on' },
  PORT: {
    schema: count(0, 65_535),
    fallback: '8080',
    help: 'port to listen on; 0 takes a free one',
  },
  PUBLIC_URL: {
    schema: http,
    help: 'address at which carriers and browsers reach the service (default: that of the request)',
  },
  TRUSTED_PROXIES: {
    schema: z
      .string()
      .transform((value) => value.split(',').map((range) => range.trim()))
      .refine((ranges) => ranges.every(isAddressRange), 'must be addresses or ranges (10.0.0.0/8)'),
    help: 'proxies whose X-Forwarded-* headers are trusted: addresses or ranges like 10.0.0.0/8 (default: none)',
  },
  DATA_DIR: {
    schema: z.string().min(1),
    // A clone keeps its data to itself; the command may be run in any folder.
    fallback: isBuilt ? join(homedir(), '.parley') : './data',
    help: 'embedded database, recordings, files, keys',
  },
  DATABASE_URL: {
    schema: url('postgres:', 'postgresql:'),
    help: 'a Postgres server (default: the embedded one in DATA_DIR)',
    secret: true,
  },
  BUS_URL: {
    schema: z
      .string()
      .refine(
        (value) => value.split(',').every((one) => BUS.safeParse(one.trim()).success),
        'must be URLs beginning with nats:// or tls://, with commas between them',
      )
      .refine(
        (value) => !value.split(',').some(isNumericTls),
        'must name the servers of tls://, since certificates are checked for names',
      ),
    help: 'a NATS server, over which machines with the same database reach one another: nats://user:password@host, tls:// to demand TLS, several of a cluster after commas (default: there are no other machines)',
    secret: true,
  },
  BUS_CREDENTIALS_FILE: {
    schema: z.string().min(1),
    help: 'credentials for that server, as NATS writes them (.creds)',
  },
  BUS_CA_FILE: {
    schema: z.string().min(1),
    help: "certificate of the authority that issued that server's (default: those that Node trusts)",
  },
  STORAGE_URL: {
    schema: url('file:', 's3:').refine(
      (value) => value.startsWith('file:///') || /^s3:\/\/[a-z0-9]/.test(value),
      'must be file:///path or s3://bucket/prefix',
    ),
    help: 'where recordings and files are kept, file:///path or s3://bucket/prefix (docs/storage.md; default: in DATA_DIR)',
  },
  AWS_ACCESS_KEY_ID: {
    schema: z.string().min(1),
    help: 'key to the bucket of STORAGE_URL',
  },
  AWS_SECRET_ACCESS_KEY: { schema: z.string().min(1), help: 'its secret', secret: true },
  AWS_SESSION_TOKEN: {
    schema: z.string().min(1),
    help: 'its session, if it is a temporary key',
    secret: true,
  },
  AWS_REGION: {
    schema: z.string().regex(/^[a-z0-9-]+$/, 'must be a region, such as eu-central-1'),
    fallback: 'us-east-1',
    help: 'region of the bucket',
  },
  AWS_ENDPOINT_URL: {
    schema: http,
    help: 'another server that speaks S3’s protocol (default: Amazon’s)',
  },
  API_KEY: {
    schema: z.string().min(16, 'must have 16 characters or more'),
    help: 'the first API key (default: a random one, printed once)',
    secret: true,
  },
  ADMIN_KEY: {
    schema: z.string().min(16, 'must have 16 characters or more'),
    help: "key of the operator's API, which makes and limits teams (default: there is none)",
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
    help: 'encrypts stored secrets; new,old replaces the key (default: one created in DATA_DIR)',
    secret: true,
  },
  ENCRYPT_CALLS: {
    schema: flag,
    help: 'encrypts what is said in calls, in files and in the database (default: where ENCRYPTION_KEY is set)',
  },
  OIDC_ISSUER: {
    schema: http,
    help: 'provider of OpenID Connect at which people may sign in (docs/teams.md; default: passwords only)',
  },
  OIDC_CLIENT_ID: { schema: z.string().min(1), help: 'what this service is called there' },
  OIDC_CLIENT_SECRET: {
    schema: z.string().min(1),
    help: 'its secret there, if it has one',
    secret: true,
  },
  OIDC_NAME: {
    schema: z.string().min(1).max(60),
    help: 'what people call the provider (default: its host)',
  },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    fallback: 'info',
    help: 'fatal, error, warn, info, debug, trace or silent',
  },
  PROCESSES: {
    schema: z
      .string()
      .regex(/^(?:auto|[1-9]\d?)$/, 'must be auto or 1 to 99')
      .transform((value) => (value === 'auto' ? availableParallelism() : Number(value))),
    fallback: '1',
    help: 'processes that share the port; auto: one for each core',
  },
  MAX_CALLS: {
    schema: count(1, 100_000),
    fallback: '100',
    help: 'live calls at once, in each process (docs/scale.md)',
  },
  MAX_LAG_MS: {
    schema: count(1, 10_000),
    fallback: '15',
    help: 'no new calls beside others while the median lag of the event loop is higher, ms (docs/scale.md)',
  },
  ALLOW_PRIVATE_TARGETS: {
    schema: flag,
    fallback: 'false',
    help: 'true lets webhooks, tools, model servers and teams’ Asterisks be on private addresses',
  },
  TOOL_RESPONSE_KIB: {
    schema: count(1, 10_240),
    fallback: '128',
    help: "largest response of a tool's server, KiB",
  },
  DRAFTS: {
    schema: flag,
    fallback: 'true',
    help: 'false asks the model only when a turn is over: fewer requests, later answers',
  },
  DIRECT_READS: {
    schema: flag,
    fallback: 'true',
    help: 'false reads sockets only through Node’s streams: slower, but uses no internals of Node',
  },
  STT_MODEL_DIR: {
    schema: z.string().min(1),
    help: 'folder of a sherpa-onnx recogniser, for the vendor sherpa-onnx (README)',
  },
  TTS_MODEL_DIR: {
    schema: z.string().min(1),
    help: 'folder of a sherpa-onnx voice, for the vendor sherpa-onnx (README)',
  },
  TURN_MODEL_DIR: {
    schema: z.string().min(1),
    help: 'folder of a turn model that hears whether a caller is done (docs/turn-models.md; default: words only)',
  },
  EMBED_BASE_URL: {
    schema: http,
    help: 'server of embeddings for search by meaning, in openai’s protocol',
  },
  EMBED_MODEL: {
    schema: z.string().min(1),
    help: 'its model (default: text-embedding-3-small)',
  },
  EMBED_API_KEY: {
    schema: z.string().min(1),
    help: 'its key, if it needs one (without any of these three: openai’s server and key)',
    secret: true,
  },
  EMBED_MODEL_DIR: {
    schema: z.string().min(1),
    help: 'folder of an ONNX sentence model, for search by meaning on this machine instead (docs/knowledge.md)',
  },
  PRICES_FILE: {
    schema: z.string().min(1),
    help: 'JSON file of the vendors’ prices, for the cost of each call (README)',
  },
  DRAIN: {
    schema: z.enum(['handover', 'finish']),
    fallback: 'handover',
    help: 'what a process that is replaced by another does with its calls: leaves them to the others, or lets them end',
  },
  DRAIN_SECONDS: {
    schema: count(0, 3600),
    fallback: '60',
    help: 'time for live calls to end after a stop signal',
  },
  RESUME_SECONDS: {
    schema: count(0, 60),
    fallback: '15',
    help: 'time for the callers of a process that died to come back to another; then their calls end',
  },
} as const satisfies Record<string, Setting>;

/** The settings of each vendor in {@link KEYED_VENDORS}. */
export const VENDOR_SETTINGS: Record<string, Setting> = Object.fromEntries(
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
