import type { CallSetupDeps } from '../calls/call-setup.ts';
import type { AssistantConfig } from '../contract/assistant.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Bus } from '../ports/bus.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { SessionRegistry } from '../session/registry.ts';
import type { Session } from '../session/session.ts';

/** What the telephone needs of the service. */
export interface TelephoneDeps extends CallSetupDeps {
  /** Of this process. */
  readonly nodeId: string;
  readonly jobs: Pick<Jobs, 'send' | 'work'>;
  /** To the other processes. */
  readonly bus: Bus;
  /** The process that does what only one of all does. */
  readonly oldest: () => string;
  /** For calls that arrive, here and in the other processes of the service. */
  readonly room: { readonly isHere: boolean; elsewhere(): Promise<string | undefined> };
  readonly carriers: Carriers;
  readonly registry: SessionRegistry<Session>;
  readonly metrics: { callStarted(): void; callEnded(reason: string): void };
  /** The assistant as it may take calls now, or why it can't: its vendors may have gone since it was made. */
  readonly checkAssistant: (
    config: unknown,
  ) => { readonly ok: true; readonly value: AssistantConfig } | { readonly ok: false };
}
