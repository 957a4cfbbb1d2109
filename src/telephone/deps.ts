import type { CallSetupDeps } from '../calls/call-setup.ts';
import type { AssistantConfig } from '../contract/assistant.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Bus } from '../ports/bus.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { Session } from '../session/session.ts';
import type { SessionRegistry } from '../session/session-registry.ts';

/** The services that telephone calls use. */
export interface TelephoneDeps extends CallSetupDeps {
  /** The id of this process. */
  readonly nodeId: string;
  readonly jobs: Pick<Jobs, 'send' | 'work'>;
  /** Connects the processes of the service. */
  readonly bus: Bus;
  /** The id of the process that does the work that only one may do. */
  readonly oldest: () => string;
  /** Calls this each time after dead processes were removed by this one. */
  readonly afterDeaths: (listener: () => void) => void;
  /** Calls this with the calls of dead processes that were ended because nobody came back to them. */
  readonly onOrphans: (
    listener: (calls: readonly { readonly id: string }[]) => Promise<void>,
  ) => void;
  /** Calls this when a process, perhaps this one, is about to end and leaves its work to others. */
  readonly onLeaving: (listener: () => Promise<void>) => void;
  /** Room for inbound calls, here and in the other processes of the service. */
  readonly room: {
    readonly isHere: boolean;
    /** True if this process is about to end. */
    readonly isClosing: boolean;
    elsewhere(): Promise<string | undefined>;
  };
  readonly carriers: Carriers;
  readonly registry: SessionRegistry<Session>;
  readonly metrics: { callStarted(): void; callEnded(reason: string): void };
  /** Checks a stored assistant again, since its vendors may have been removed after it was saved. */
  readonly checkAssistant: (
    config: unknown,
  ) => { readonly ok: true; readonly value: AssistantConfig } | { readonly ok: false };
}
