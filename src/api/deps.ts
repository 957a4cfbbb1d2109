import type { FastifyRequest } from 'fastify';
import type { AssistantConfig } from '../contract/assistant.ts';
import type { VendorCatalogue, VendorProblem } from '../contract/vendors.ts';
import type { JobSender } from '../jobs/job-sender.ts';
import type { FileReader } from '../knowledge/reading/file-reader.ts';
import type { KnowledgeSearcher } from '../knowledge/search/knowledge-hit.ts';
import type { PlaceLimits } from '../lib/tally.ts';
import type { CallControl } from '../ports/call-control.ts';
import type { CallMonitor } from '../ports/call-monitor.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Dialer } from '../ports/dialer.ts';
import type { FileStorage } from '../ports/file-storage.ts';
import type { RecordingReader } from '../ports/recordings.ts';
import type { Db } from '../store/db.ts';
import type { ToolServers } from '../tools/try-tool.ts';
import type { RateLimit } from './rate-limiter.ts';

/** What a request may ask for. */
export interface ApiLimits {
  /** @defaultValue 1 MiB */
  readonly bodyBytes: number;
  /** @defaultValue 32 */
  readonly jsonDepth: number;
  /** Of one body, all levels together. @defaultValue 20000 */
  readonly jsonValues: number;
  /** Requests of one team to this node. @defaultValue 100 a second, 1000 at once */
  readonly rate: RateLimit;
  /** Keys from one address that have to be looked up. @defaultValue 20 a second, 200 at once */
  readonly strangers: RateLimit;
  /** How long the token of a web call's media socket is good for. @defaultValue 60000 */
  readonly mediaTokenMs: number;
}

export const defaultLimits = {
  bodyBytes: 1_048_576,
  jsonDepth: 32,
  jsonValues: 20_000,
  rate: { perSecond: 100, burst: 1000 },
  strangers: { perSecond: 20, burst: 200 },
  mediaTokenMs: 60_000,
} as const satisfies ApiLimits;

/** Everything the API needs from the rest of the service. */
export interface ApiDeps {
  readonly db: Db;
  readonly control: CallControl;
  readonly monitor: CallMonitor;
  readonly vendors: VendorCatalogue;
  /** What keeps an assistant's vendors from serving as this service is set up. */
  readonly vendorProblems: (assistant: AssistantConfig) => readonly VendorProblem[];
  readonly recordings: RecordingReader;
  readonly fileStorage: FileStorage;
  readonly knowledge: Pick<KnowledgeSearcher, 'search'>;
  /** Puts work on the queue of the database. */
  readonly jobs: JobSender;
  readonly fileReader: Pick<FileReader, 'inspect'>;
  /** Base address under which the client reaches the service, without a slash at its end. */
  readonly publicUrl: (request: FastifyRequest) => string;
  /** Where carriers reach the service from outside, where that is configured; without a slash at its end. */
  readonly carrierBaseUrl?: string | undefined;
  readonly carriers: Carriers;
  /** Tools are tested at their servers. */
  readonly toolServers: ToolServers;
  /** Told when a number was imported. */
  readonly numbersChanged?: (() => void) | undefined;
  /** Absent: no phone calls are placed. */
  readonly dialer?: Dialer | undefined;
  /** Whether new calls are taken: false while starting and draining. */
  readonly ready: () => boolean;
  /** Whether there is room for one more call. */
  readonly hasRoom: () => boolean | Promise<boolean>;
  /** A message to a user's server is due again. */
  readonly onRedeliver?: () => void;
  /** Epoch ms. @defaultValue the wall clock */
  readonly now?: () => number;
  readonly limits?: Partial<ApiLimits>;
  /** Listeners at once. @defaultValue listenPlaces */
  readonly listeners?: Partial<PlaceLimits>;
}
