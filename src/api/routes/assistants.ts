import { checkReferences } from '../../calls/check-references.ts';
import type { Contract } from '../../contract/contract.ts';
import { createAssistant, deleteAssistant } from '../../store/assistants.ts';
import { countAssistantUses } from '../../store/uses.ts';
import { dataSchemaOf, patchAssistant } from '../assistants/patch.ts';
import { presentAssistant } from '../assistants/present.ts';
import { AssistantReader } from '../assistants/reader.ts';
import { warnOfDeprecated, withWarnings } from '../assistants/warnings.ts';
import type { ApiDeps } from '../deps.ts';
import { entityTag } from '../entity-tag.ts';
import { linkNextPage } from '../paging.ts';
import { refuseUnusableSchema } from '../refuse-unusable-schema.ts';
import { type Routing, seesSecrets, serve, serveBytes } from '../route.ts';
import { assistantVersionRoutes, authorOf } from './assistant-versions.ts';

export function assistantRoutes(
  routing: Routing,
  operations: Contract['assistants'],
  {
    db,
    carriers,
    toolServers,
    vendorProblems,
  }: Pick<ApiDeps, 'db' | 'carriers' | 'toolServers' | 'vendorProblems'>,
): void {
  const reader = new AssistantReader(db);

  serveBytes(routing, operations.list, async ({ teamId, query, request, reply }) => {
    const page = await reader.list({ teamId, seesSecrets: seesSecrets(request), ...query });
    linkNextPage(request, reply, page);
    return page;
  });

  serve(routing, operations.uses, async ({ teamId, query }) => [
    ...(await countAssistantUses(db, { teamId, ...query })),
  ]);

  serve(routing, operations.create, async ({ teamId, body, request, reply }) => {
    warnOfDeprecated(reply, body);
    await refuseUnusableSchema(toolServers.schemas, dataSchemaOf(body, teamId));
    const created = await db.transaction(async (tx) => {
      await checkReferences(tx, body, { teamId });
      return createAssistant(tx, { teamId, config: body, author: authorOf(request) });
    });
    return withWarnings(presentAssistant(created), vendorProblems);
  });

  serveBytes(routing, operations.get, async ({ teamId, params, request }) =>
    reader.get({ teamId, seesSecrets: seesSecrets(request), id: params.id }),
  );

  serve(routing, operations.patch, async ({ teamId, params, body, ifMatch, request, reply }) => {
    const author = authorOf(request);
    const patch = { teamId, id: params.id, patch: body, ifMatch, author };
    const patched = await patchAssistant(
      { db, carriers, toolServers, schema: operations.create.body },
      patch,
    );
    warnOfDeprecated(reply, patched.config);
    const assistant = presentAssistant(patched);
    // The tag covers the assistant without its warnings, as in a read.
    reply.header('etag', entityTag(JSON.stringify(assistant)));
    return withWarnings(assistant, vendorProblems);
  });

  assistantVersionRoutes(routing, operations, { db, carriers, toolServers, vendorProblems });

  serve(routing, operations.remove, async ({ teamId, params }) => {
    await deleteAssistant(db, { teamId, id: params.id });
    return { id: params.id };
  });
}
