import { askCarrier, numbersOf, openAccount } from '../../calls/carrier-account.ts';
import type { Contract } from '../../contract/contract.ts';
import { invalid } from '../../contract/errors.ts';
import { CARRIER_NAMES } from '../../contract/number.ts';
import type { CarrierCredentials, CarrierName } from '../../ports/carrier.ts';
import { findTeamCredentials, getNumber, listNumbers } from '../../store/numbers.ts';
import type { ApiDeps } from '../deps.ts';
import { servePages } from '../list-route.ts';
import { importNumber, purchaseNumber } from '../numbers/add.ts';
import { changeNumber } from '../numbers/change.ts';
import { checkNumberSetup } from '../numbers/check-setup.ts';
import { configureNumber } from '../numbers/configure.ts';
import { presentNumber } from '../numbers/present.ts';
import { removeNumber } from '../numbers/remove.ts';
import { type Routing, serve } from '../route.ts';

const MAX_OFFERED = 50;

export function numberRoutes(
  routing: Routing,
  operations: Contract['numbers'],
  deps: Pick<
    ApiDeps,
    'db' | 'carriers' | 'carrierBaseUrl' | 'numbersChanged' | 'toolServers' | 'vendorProblems'
  > & { readonly now: () => number },
): void {
  const { db, carriers } = deps;

  servePages(routing, operations.list, {
    read: (params) => listNumbers(db, params),
    present: presentNumber,
  });

  serve(routing, operations.get, async ({ teamId, params }) =>
    presentNumber(await getNumber(db, { teamId, id: params.id })),
  );

  serve(routing, operations.available, async ({ teamId, query }) => {
    const { provider, ...wanted } = query;
    const credentials = carriers.ownCredentials(provider)
      ? undefined
      : await findTeamCredentials(db, { teamId, provider });
    const numbers = numbersOf(openAccount(carriers, provider, credentials));
    const offered = await askCarrier(provider, (signal) =>
      numbers.available({ ...wanted, limit: MAX_OFFERED, signal }),
    );
    return [...offered];
  });

  serve(routing, operations.purchase, async ({ teamId, body }) =>
    presentNumber(await purchaseNumber(deps, { teamId, ...body })),
  );

  const imports = {
    twilio: operations.importTwilio,
    telnyx: operations.importTelnyx,
    asterisk: operations.importAsterisk,
    emulator: operations.importEmulator,
  } as const satisfies Record<CarrierName, unknown>;
  for (const provider of CARRIER_NAMES) {
    serve(routing, imports[provider], async ({ teamId, body }) => {
      const { credentials, ...rest } = body;
      const known = credentials as CarrierCredentials[CarrierName] | undefined;
      const params = { teamId, provider, ...rest, credentials: known };
      return presentNumber(await importNumber(deps, params));
    });
  }

  // An unknown provider is reported as an invalid field instead of an unknown address.
  routing.app.post('/assistants/v1/numbers/:provider', async () => {
    const message = `must be one of ${CARRIER_NAMES.join(', ')}`;
    throw invalid([{ path: 'provider', message }]);
  });

  serve(routing, operations.update, async ({ teamId, params, body, ifMatch }) =>
    presentNumber(await changeNumber(deps, { teamId, id: params.id, change: body, ifMatch })),
  );

  serve(routing, operations.configureWebhooks, async ({ teamId, params }) =>
    configureNumber(deps, { teamId, id: params.id }),
  );

  serve(routing, operations.checkSetup, ({ teamId, params }) =>
    checkNumberSetup(deps, { teamId, id: params.id, atMs: deps.now() }),
  );

  serve(routing, operations.remove, async ({ teamId, params, query }) => {
    await removeNumber(deps, { teamId, id: params.id, release: query.release === 'true' });
    return { message: 'Number deleted successfully' };
  });
}
