import { assistantConfigSchema } from '../../contract/assistant.ts';
import type { Contract } from '../../contract/contract.ts';
import { listCallEvents } from '../../store/call-events.ts';
import { getCall } from '../../store/calls.ts';
import { listMessages } from '../../store/messages.ts';
import { getTestRun, listTestRuns } from '../../store/test-runs.ts';
import { deleteTestSuite, getTestSuite, listTestSuites } from '../../store/test-suites.ts';
import { PAST_LINES } from '../../testing/past-call.ts';
import { startRun } from '../../testing/start-run.ts';
import {
  presentTestRun,
  presentTestRunHead,
  presentTestSuite,
  presentTestSuiteHead,
} from '../assistant-tests/present.ts';
import { addTestSuite, patchTestSuite } from '../assistant-tests/suites.ts';
import type { ApiDeps } from '../deps.ts';
import { servePages } from '../list-route.ts';
import { type Routing, serve } from '../route.ts';

export function assistantTestRoutes(
  routing: Routing,
  operations: Contract['assistantTests'],
  deps: Pick<
    ApiDeps,
    | 'db'
    | 'jobs'
    | 'testReader'
    | 'prices'
    | 'vendors'
    | 'vendorProblems'
    | 'modelOf'
    | 'toolServers'
  >,
): void {
  const { db, testReader: reader, prices } = deps;
  const runDeps = { ...deps, reader, prices, assistantSchema: assistantConfigSchema(deps.vendors) };

  servePages(routing, operations.list, {
    read: (params) => listTestSuites(db, params),
    present: presentTestSuiteHead,
  });

  serve(routing, operations.create, async ({ teamId, body }) =>
    presentTestSuite(await addTestSuite(deps, { teamId, config: body })),
  );

  serve(routing, operations.get, async ({ teamId, params }) =>
    presentTestSuite(await getTestSuite(db, { teamId, id: params.id })),
  );

  serve(routing, operations.patch, async ({ teamId, params, body, ifMatch }) =>
    presentTestSuite(await patchTestSuite(deps, { teamId, id: params.id, patch: body, ifMatch })),
  );

  serve(routing, operations.remove, async ({ teamId, params }) => {
    await deleteTestSuite(db, { teamId, id: params.id });
    return { id: params.id };
  });

  serve(routing, operations.check, async ({ teamId, body }) => {
    const parsed = await reader.read(body.source, teamId);
    return parsed.ok
      ? { tests: parsed.tests.map(({ name }) => name), faults: [] }
      : { tests: [], faults: [...parsed.faults] };
  });

  serve(routing, operations.run, async ({ teamId, body }) =>
    presentTestRun(await startRun(runDeps, { teamId, by: 'request', input: body })),
  );

  servePages(routing, operations.runs, {
    read: (params) => listTestRuns(db, params),
    present: presentTestRunHead,
  });

  serve(routing, operations.getRun, async ({ teamId, params }) =>
    presentTestRun(await getTestRun(db, { teamId, id: params.id })),
  );

  const modelOf = deps.modelOf ?? unavailable;
  const { schemas } = deps.toolServers;
  serve(routing, operations.judge, async ({ teamId, body }) => {
    const { judgeCall } = await import('../../testing/judge-call.ts');
    return judgeCall({ db, prices, schemas, modelOf }, { teamId, input: body });
  });

  serve(routing, operations.fromCall, async ({ teamId, params }) => {
    const { id, startAt, endReason } = await getCall(db, { teamId, id: params.id });
    const [messages, lines] = await Promise.all([
      listMessages(db, { callId: id }),
      listCallEvents(db, { callId: id, types: PAST_LINES }),
    ]);
    const source = await reader.ofCall({ id, startAt, endReason, messages, lines }, teamId);
    return { source };
  });
}

function unavailable(): never {
  throw new Error('this service has no models');
}
