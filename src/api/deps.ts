import type { FastifyRequest } from 'fastify';
import type { CallStarts } from '../calls/call-starts.ts';
import type { AssistantConfig } from '../contract/assistant.ts';
import type { Prices } from '../contract/prices.ts';
import type { VendorCatalogue, VendorProblem } from '../contract/vendors.ts';
import type { JobSender } from '../jobs/job-sender.ts';
import type { FileReader } from '../knowledge/reading/file-reader.ts';
import type { KnowledgeSearcher } from '../knowledge/search/knowledge-hit.ts';
import type { LoopSlices } from '../lib/loop-slices.ts';
import type { RateLimit } from '../lib/rate-limiter.ts';
import type { PlaceLimits } from '../lib/tally.ts';
import type { VendorAccount } from '../lib/vendor-accounts.ts';
import type { CallControl } from '../ports/call-control.ts';
import type { CallMonitor } from '../ports/call-monitor.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Clock } from '../ports/clock.ts';
import type { Dialer } from '../ports/dialer.ts';
import type { FileStorage } from '../ports/file-storage.ts';
import type { Llm } from '../ports/llm.ts';
import type { RecordingReader } from '../ports/recordings.ts';
import type { ReadServiceFigures } from '../ports/service-health.ts';
import type { VendorMeter } from '../ports/vendor-meter.ts';
import type { VendorTrials } from '../ports/vendor-trials.ts';
import type { Db } from '../store/db.ts';
import type { NamedVendors } from '../store/team-health.ts';
import type { TestReader } from '../testing/test-reader.ts';
import type { ToolServers } from '../tools/try-tool.ts';
import type { AuditTrail } from './audit/trail.ts';
import type { OpenIdProvider } from './people/open-id.ts';
import type { SignInLimits } from './people/sign-in.ts';

/** Limits on requests. */
export interface ApiLimits {
  /** @defaultValue 1 MiB */
  readonly bodyBytes: number;
  /** @defaultValue 32 */
  readonly jsonDepth: number;
  /** Values in one body, on all levels together. @defaultValue 20000 */
  readonly jsonValues: number;
  /** Requests of one team to this node. @defaultValue 100 a second, 1000 at once */
  readonly rate: RateLimit;
  /** Look-ups of API keys caused by one address. @defaultValue 20 a second, 200 at once */
  readonly strangers: RateLimit;
  /** Attempts to sign in. @defaultValue signInLimits */
  readonly signIns?: SignInLimits;
  /** Validity of the token for a web call's media socket. @defaultValue 60000 */
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
  /** Key of the operator's API; absent: there is none. */
  readonly operatorKey?: string | undefined;
  /** The audit log; absent: nothing is logged. */
  readonly audit?: AuditTrail | undefined;
  /** The provider of OpenID Connect; absent: people sign in with passwords alone. */
  readonly openId?: OpenIdProvider | undefined;
  readonly control: CallControl;
  readonly monitor: CallMonitor;
  readonly vendors: VendorCatalogue;
  /** Problems with an assistant's vendors under this service's configuration. */
  readonly vendorProblems: (assistant: NamedVendors, team: string) => readonly VendorProblem[];
  /** True if the service itself has an account at the vendor. */
  readonly hasAccount?: ((vendor: VendorAccount) => boolean) | undefined;
  /** What teams find out about vendors; absent: nothing. */
  readonly vendorTrials?: VendorTrials | undefined;
  /** Called shortly before a call of this assistant: starts engines that take a moment to start. */
  readonly expectCall?: ((assistant: AssistantConfig) => void) | undefined;
  /** The model of an assistant, paid by the team's account where it has one; absent: replays and judges ask none. */
  readonly modelOf?: (assistant: AssistantConfig, teamId: string, meter?: VendorMeter) => Llm;
  readonly recordings: RecordingReader;
  /** The files of calls are encrypted. @defaultValue false */
  readonly encryptsCalls?: boolean | undefined;
  readonly fileStorage: FileStorage;
  readonly knowledge: Pick<KnowledgeSearcher, 'search' | 'findUnanswered'>;
  /** Reads texts of tests. */
  readonly testReader: Pick<TestReader, 'read' | 'ofCall'>;
  /** Prices of vendors; absent: costs are unknown. */
  readonly prices?: Prices | undefined;
  /** Queues jobs. */
  readonly jobs: JobSender;
  readonly fileReader: Pick<FileReader, 'inspect'>;
  /** Base URL at which the client reaches the service; without a trailing slash. */
  readonly publicUrl: (request: FastifyRequest) => string;
  /** Configured base URL at which carriers reach the service; without a trailing slash. */
  readonly carrierBaseUrl?: string | undefined;
  readonly carriers: Carriers;
  /** Access to the servers of tools, for testing tools. */
  readonly toolServers: ToolServers;
  /** Called when a number was imported. */
  readonly numbersChanged?: (() => void) | undefined;
  /** Absent: this service cannot place phone calls. */
  readonly dialer?: Dialer | undefined;
  /** The pace of calls that begin. */
  readonly callStarts: Pick<CallStarts, 'announced' | 'placed'>;
  /** The turns of the loop in which requests may begin. @defaultValue those of a thread without calls */
  readonly turns?: LoopSlices;
  /** What the processes know about the service; absent: nothing. */
  readonly serviceFigures?: ReadServiceFigures | undefined;
  /** True if the service accepts new calls: false while starting and draining. */
  readonly ready: () => boolean;
  /** True if there is room for another call. */
  readonly hasRoom: () => boolean | Promise<boolean>;
  /** Called when a webhook was queued again. */
  readonly onRedeliver?: () => void;
  /** Current time, epoch ms. @defaultValue the wall clock */
  readonly now?: () => number;
  /** For what is looked at again and again. @defaultValue the system's */
  readonly clock?: Clock;
  readonly limits?: Partial<ApiLimits>;
  /** Limits on listeners at once. @defaultValue listenPlaces */
  readonly listeners?: Partial<PlaceLimits>;
}
