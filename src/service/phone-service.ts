import type { WebCallsDeps } from '../calls/web-calls.ts';
import { startBuiltInCarrier } from '../carriers/emulator/built-in.ts';
import { Switchboard } from '../carriers/emulator/switchboard.ts';
import type { TwilioEmulator } from '../carriers/emulator/twilio-side.ts';
import { createCarriers } from '../carriers/registry.ts';
import type { Config } from '../config/config.ts';
import { assistantConfigSchema } from '../contract/assistant.ts';
import { validate } from '../contract/validation.ts';
import type { Handsets } from '../gateway/handset-socket.ts';
import { createGuardedConnector, systemResolver } from '../lib/guarded-connector.ts';
import type { Carriers } from '../ports/carriers.ts';
import { builtInOwner, registerHandsets } from '../telephone/handsets.ts';
import { createTelephone, type Telephone } from '../telephone/telephone.ts';
import type { Addresses } from './addresses.ts';
import type { BackgroundWork } from './background-work.ts';
import type { ServiceNode } from './node.ts';
import type { ClaimedAssignment } from './worker-assignment.ts';

interface PhoneServiceDeps {
  readonly calls: WebCallsDeps;
  readonly node: Pick<
    ServiceNode,
    'afterDeaths' | 'onLeaving' | 'onOrphans' | 'bus' | 'oldest' | 'capacity'
  >;
  readonly work: Pick<BackgroundWork, 'jobs'>;
  readonly addresses: Addresses;
  /** Absent: this process is the whole service. */
  readonly assignment:
    | Pick<ClaimedAssignment, 'builtInCarrier' | 'onHome' | 'leaveHome'>
    | undefined;
}

/** The telephone with the configured carriers and the built-in one. */
export interface PhoneService {
  readonly telephone: Telephone;
  readonly carriers: Carriers;
}

const CONNECT_TIMEOUT_MS = 3000;

export async function createPhoneService(
  { carriers: settings, allowPrivateTargets }: Pick<Config, 'carriers' | 'allowPrivateTargets'>,
  { calls, node, work, addresses, assignment }: PhoneServiceDeps,
): Promise<PhoneService> {
  const { clock, log, db, toolFetch, providers } = calls;
  const { publicUrl, ownUrl } = addresses;
  const switchboard = new Switchboard({ ownerOf: (number) => builtInOwner(db, number) });
  const builtInCarrier = assignment?.builtInCarrier;
  let builtIn: TwilioEmulator<'emulator'> | undefined;
  let starting: Promise<void> | undefined;
  const runCarrier = async () => {
    builtIn = await startBuiltInCarrier({
      clock,
      ...builtInCarrier,
      anyNumber: () => {
        const base = `${ownUrl()}/carriers/emulator`;
        return { voiceUrl: `${base}/voice`, smsUrl: `${base}/sms` };
      },
      reach: (url) => addresses.reachLocally(url),
      phoneAt: (call) => switchboard.phoneAt(call),
      onText: (text) =>
        void switchboard
          .deliver(text)
          .catch((err: unknown) => log.error({ err }, 'a text message did not reach its handset')),
    });
    switchboard.serve(builtIn);
  };
  assignment?.onHome(() => {
    starting = runCarrier().catch((err: unknown) => {
      log.error({ err }, 'the built-in carrier did not start');
    });
  });
  if (!assignment) await runCarrier();
  const { credentials, baseUrl } = builtIn ?? {
    credentials: builtInCarrier?.credentials,
    baseUrl: `http://127.0.0.1:${builtInCarrier?.port}`,
  };
  const { baseUrls, ...accounts } = settings;
  const carriers = createCarriers({
    accounts: { ...accounts, ...(credentials ? { emulator: credentials } : {}) },
    baseUrls: { ...baseUrls, emulator: baseUrl },
    clock,
    guard: {
      fetch: toolFetch,
      connect: createGuardedConnector({
        allowPrivate: allowPrivateTargets,
        connectTimeoutMs: CONNECT_TIMEOUT_MS,
        clock,
        resolve: systemResolver,
      }),
    },
  });
  let handsets: Handsets | undefined;
  const schema = assistantConfigSchema(providers.catalogue);
  const telephone = createTelephone(
    {
      ...calls,
      bus: node.bus,
      oldest: node.oldest,
      afterDeaths: node.afterDeaths,
      onLeaving: node.onLeaving,
      onOrphans: node.onOrphans,
      room: node.capacity,
      jobs: work.jobs,
      carriers,
      checkAssistant: (config) => validate(schema, config),
    },
    { all: carriers.all, publicUrl, ownUrl },
  );
  return {
    carriers,
    telephone: {
      ...telephone,
      register(server) {
        telephone.register(server);
        handsets = registerHandsets(server, { ...calls, switchboard, ownUrl });
      },
      async start() {
        await starting;
        await telephone.start();
      },
      async close(options = { leavesCalls: false }) {
        await starting;
        if (options.leavesCalls) {
          handsets?.leave();
          builtIn?.abandon();
          await builtIn?.[Symbol.asyncDispose]();
          if (builtIn) assignment?.leaveHome();
          builtIn = undefined;
        }
        await telephone.close(options);
        await builtIn?.[Symbol.asyncDispose]();
      },
    },
  };
}
