import type { Contract } from '../../contract/contract.ts';
import {
  createAssistant,
  deleteAssistant,
  getAssistant,
  listAssistants,
} from '../../store/assistants.ts';
import { checkReferences } from '../assistants/check-references.ts';
import { patchAssistant } from '../assistants/patch.ts';
import { presentAssistant } from '../assistants/present.ts';
import type { ApiDeps } from '../deps.ts';
import { linkNextPage } from '../paging.ts';
import { type Routing, serve } from '../route.ts';

export function assistantRoutes(
  routing: Routing,
  operations: Contract['assistants'],
  { db }: Pick<ApiDeps, 'db'>,
): void {
  serve(routing, operations.list, async ({ teamId, query, request, reply }) => {
    const page = await listAssistants(db, { teamId, ...query });
    linkNextPage(request, reply, page);
    return page.items.map(presentAssistant);
  });

  serve(routing, operations.create, async ({ teamId, body }) => {
    const created = await db.transaction(async (tx) => {
      await checkReferences(tx, body, { teamId });
      return createAssistant(tx, { teamId, config: body });
    });
    return presentAssistant(created);
  });

  serve(routing, operations.get, async ({ teamId, params }) =>
    presentAssistant(await getAssistant(db, { teamId, id: params.id })),
  );

  serve(routing, operations.patch, async ({ teamId, params, body, ifMatch }) => {
    const patch = { teamId, id: params.id, patch: body, ifMatch };
    return presentAssistant(await patchAssistant({ db, schema: operations.create.body }, patch));
  });

  serve(routing, operations.remove, async ({ teamId, params }) => {
    await deleteAssistant(db, { teamId, id: params.id });
    return { id: params.id };
  });
}
