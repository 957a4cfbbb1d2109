import type { FastifyRequest } from 'fastify';
import type { CallSetupDeps } from '../calls/call-setup.ts';
import { startBuiltInCarrier } from '../carriers/emulator/built-in.ts';
import { Switchboard } from '../carriers/emulator/switchboard.ts';
import { createCarriers } from '../carriers/registry.ts';
import type { Config } from '../config/config.ts';
import { assistantConfigSchema } from '../contract/assistant.ts';
import { validate } from '../contract/validation.ts';
import type { VendorCatalogue } from '../contract/vendors.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { createGuardedConnector, systemResolver } from '../lib/guarded-connector.ts';
import type { Bus } from '../ports/bus.ts';
import type { Carriers } from '../ports/carriers.ts';
import type { SessionRegistry } from '../session/registry.ts';
import type { Session } from '../session/session.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { builtInOwner, registerHandsets } from '../telephone/handsets.ts';
import { createTelephone, type Telephone } from '../telephone/telephone.ts';
import type { WorkerAssignment } from './worker-assignment.ts';

interface PhoneServiceDeps extends CallSetupDeps {
  /** Of this process. */
  readonly nodeId: string;
  readonly bus: Bus;
  readonly oldest: () => string;
  /** For calls that arrive, here and in the other processes of the service. */
  readonly room: { readonly isHere: boolean; elsewhere(): Promise<string | undefined> };
  /** Where the service is several processes: one of them has the built-in carrier. */
  readonly seat: Pick<WorkerAssignment, 'builtInCarrier' | 'isHome'> | undefined;
  readonly registry: SessionRegistry<Session>;
  readonly jobs: Pick<Jobs, 'send' | 'work'>;
  readonly metrics: Metrics;
  readonly vendors: VendorCatalogue;
  readonly publicUrl: (request: FastifyRequest) => string;
  readonly ownUrl: () => string;
  /** Where an address of ours is reached from this machine. */
  readonly reach: (url: string) => string;
}

const CONNECT_MS = 3000;

/** The telephone as this configuration has it. */
export async function createPhoneService(
  { carriers: settings, allowPrivateTargets }: Pick<Config, 'carriers' | 'allowPrivateTargets'>,
  deps: PhoneServiceDeps,
): Promise<{ readonly telephone: Telephone; readonly carriers: Carriers }> {
  const { clock, log } = deps;
  const switchboard = new Switchboard({ ownerOf: (number) => builtInOwner(deps.db, number) });
  const { builtInCarrier, isHome = true } = deps.seat ?? {};
  const builtIn = isHome
    ? await startBuiltInCarrier({
        clock,
        ...builtInCarrier,
        anyNumber: () => {
          const at = `${deps.ownUrl()}/carriers/emulator`;
          return { voiceUrl: `${at}/voice`, smsUrl: `${at}/sms` };
        },
        reach: (url) => deps.reach(url),
        phoneAt: (call) => switchboard.phoneAt(call),
        onText: (text) =>
          void switchboard
            .deliver(text)
            .catch((err: unknown) => log.error({ err }, 'a text did not reach its handset')),
      })
    : undefined;
  if (builtIn) switchboard.serve(builtIn);
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
      fetch: deps.toolFetch,
      connect: createGuardedConnector({
        allowPrivate: allowPrivateTargets,
        connectTimeoutMs: CONNECT_MS,
        clock,
        resolve: systemResolver,
      }),
    },
  });
  const schema = assistantConfigSchema(deps.vendors);
  const telephone = createTelephone(
    {
      ...deps,
      carriers,
      checkAssistant: (config) => validate(schema, config),
    },
    { all: carriers.all, publicUrl: deps.publicUrl, ownUrl: deps.ownUrl },
  );
  return {
    carriers,
    telephone: {
      ...telephone,
      register(server) {
        telephone.register(server);
        registerHandsets(server, { ...deps, switchboard });
      },
      async close() {
        await telephone.close();
        await builtIn?.[Symbol.asyncDispose]();
      },
    },
  };
}
