import type { Contract } from '../../contract/contract.ts';
import { Problem } from '../../contract/errors.ts';
import {
  addToWaitList,
  leaveWaitList,
  listWaiting,
  takeNext,
  WaitListFullError,
} from '../../store/wait-list-entries.ts';
import {
  createWaitList,
  deleteWaitList,
  getWaitList,
  listWaitLists,
} from '../../store/wait-lists.ts';
import { bookingsInPortions } from '../bookings-in-portions.ts';
import type { ApiDeps } from '../deps.ts';
import { serveList, servePages } from '../list-route.ts';
import { linkNextPage } from '../paging.ts';
import { type Routing, serve } from '../route.ts';
import { patchWaitList } from '../wait-lists/patch.ts';
import { presentWaitList, presentWaitListEntry } from '../wait-lists/present.ts';

export function waitListRoutes(
  routing: Routing,
  operations: Contract['waitLists'],
  { db }: Pick<ApiDeps, 'db'>,
): void {
  servePages(routing, operations.list, {
    read: (params) => listWaitLists(db, params),
    present: presentWaitList,
  });

  serve(routing, operations.create, async ({ teamId, body }) =>
    presentWaitList(await createWaitList(db, { teamId, config: body })),
  );

  serve(routing, operations.get, async ({ teamId, params }) =>
    presentWaitList(await getWaitList(db, { teamId, id: params.id })),
  );

  serve(routing, operations.patch, async ({ teamId, params, body, ifMatch }) =>
    presentWaitList(await patchWaitList(db, { teamId, id: params.id, patch: body, ifMatch })),
  );

  serve(routing, operations.remove, async ({ teamId, params }) => {
    await deleteWaitList(db, { teamId, id: params.id });
    return { id: params.id };
  });

  serveList(routing, operations.entries, async ({ teamId, params, query, request, reply }) => {
    const { id: waitListId } = await getWaitList(db, { teamId, id: params.id });
    const portions = bookingsInPortions(
      query,
      (page) => listWaiting(db, { waitListId, ...page }),
      (nextCursor) => linkNextPage(request, reply, { nextCursor }),
    );
    return { portions, present: presentWaitListEntry };
  });

  serve(routing, operations.add, async ({ teamId, params, body }) => {
    const { id: waitListId, config } = await getWaitList(db, { teamId, id: params.id });
    const { maxEntries } = config;
    const entry = { waitListId, maxEntries, ...body, callId: null, requestKey: null };
    return presentWaitListEntry(
      await addToWaitList(db, entry).catch((error: unknown) => {
        if (!(error instanceof WaitListFullError)) throw error;
        throw new Problem({ kind: 'conflict', message: 'The wait list is full', cause: error });
      }),
    );
  });

  serve(routing, operations.takeNext, async ({ teamId, params }) => {
    const { id: waitListId } = await getWaitList(db, { teamId, id: params.id });
    const entry = await takeNext(db, { waitListId });
    if (!entry) throw new Problem({ kind: 'missing', message: 'Nobody waits' });
    return presentWaitListEntry(entry);
  });

  serve(routing, operations.leave, async ({ teamId, params }) => {
    const { id: waitListId } = await getWaitList(db, { teamId, id: params.id });
    return presentWaitListEntry(await leaveWaitList(db, { waitListId, id: params.entryId }));
  });
}
