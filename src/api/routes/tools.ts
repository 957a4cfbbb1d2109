import type { FastifyRequest } from 'fastify';
import type { Contract } from '../../contract/contract.ts';
import { invalid } from '../../contract/errors.ts';
import { hideServerSecrets } from '../../store/server-secrets.ts';
import { createTool, deleteTool, getTool, listTools, type ToolRecord } from '../../store/tools.ts';
import { countToolUses } from '../../store/uses.ts';
import { checkTrial, tryTool } from '../../tools/try-tool.ts';
import type { ApiDeps } from '../deps.ts';
import { servePages } from '../list-route.ts';
import { refuseUnusableSchema } from '../refuse-unusable-schema.ts';
import { type Routing, seesSecrets, serve } from '../route.ts';
import { parametersOf, patchTool } from '../tools/patch.ts';
import { presentTool } from '../tools/present.ts';

export function toolRoutes(
  routing: Routing,
  operations: Contract['tools'],
  { db, toolServers }: Pick<ApiDeps, 'db' | 'toolServers'>,
): void {
  const presentTo = (record: ToolRecord, request: FastifyRequest) => {
    const tool = presentTool(record);
    return seesSecrets(request) ? tool : hideServerSecrets(tool);
  };

  servePages(routing, operations.list, {
    read: (params) => listTools(db, params),
    present: presentTo,
  });

  serve(routing, operations.uses, async ({ teamId, query }) => [
    ...(await countToolUses(db, { teamId, ...query })),
  ]);

  serve(routing, operations.create, async ({ teamId, body }) => {
    await refuseUnusableSchema(toolServers.schemas, parametersOf(body, teamId));
    return presentTool(await createTool(db, { teamId, config: body }));
  });

  serve(routing, operations.get, async ({ teamId, params, request }) =>
    presentTo(await getTool(db, { teamId, id: params.id }), request),
  );

  serve(routing, operations.patch, async ({ teamId, params, body, ifMatch }) =>
    presentTool(
      await patchTool({ db, toolServers }, { teamId, id: params.id, patch: body, ifMatch }),
    ),
  );

  serve(routing, operations.test, async ({ teamId, params, body, request }) => {
    const { id, config } = await getTool(db, { teamId, id: params.id });
    const { signal } = request;
    const trial = { id, teamId, config, ...body, signal };
    const problem = await checkTrial(toolServers, trial);
    if (problem !== undefined) throw invalid([{ path: 'arguments', message: problem }]);
    return tryTool(toolServers, trial);
  });

  serve(routing, operations.remove, async ({ teamId, params }) => {
    await deleteTool(db, { teamId, id: params.id });
    return { id: params.id };
  });
}
