import type { FastifyRequest } from 'fastify';
import type { Operation, OperationOutput } from '../contract/operation.ts';
import type { Page, PageRequest } from '../store/page.ts';
import { type JsonList, writeJsonList } from './json-list.ts';
import { linkNextPage } from './paging.ts';
import { pageInPortions } from './portions.ts';
import { type RequestContext, type Routing, serveBytes } from './route.ts';

/** The items of a list that an operation responds with: the response itself, or its field of this name. */
type ItemsOf<O extends Operation, Name extends string | undefined> =
  OperationOutput<O> extends infer Output
    ? Name extends keyof Output
      ? Output[Name]
      : Output
    : never;
type ItemOf<O extends Operation, Name extends string | undefined> =
  ItemsOf<O, Name> extends readonly (infer Item)[] ? Item : never;

/** A list that one operation responds with. */
interface ServedList<O extends Operation, Item, Name extends string | undefined>
  extends Omit<JsonList<Item>, 'present' | 'name'> {
  readonly name?: Name | undefined;
  readonly present: (item: Item) => ItemOf<O, Name>;
}

/**
 * Serves an operation that responds with a list. Records may be large and many, so that they are read and serialised in
 * portions, between which calls are served.
 */
export function serveList<O extends Operation, Item, const Name extends string | undefined>(
  routing: Routing,
  operation: O,
  handler: (context: RequestContext<O>) => Promise<ServedList<O, Item, Name>>,
): void {
  serveBytes(routing, operation, async (context) => ({
    bytes: await writeJsonList(await handler(context), () => routing.slices.next(context.teamId)),
  }));
}

interface PagedOperation extends Operation {
  readonly query: NonNullable<Operation['query']>;
}

/** {@link serveList} for a list with a cursor. */
export function servePages<
  O extends PagedOperation,
  Item,
  const Name extends string | undefined = undefined,
>(
  routing: Routing,
  operation: O,
  list: {
    readonly name?: Name;
    readonly read: (
      params: { readonly teamId: string } & RequestContext<O>['query'] & PageRequest,
    ) => Promise<Page<Item>>;
    readonly present: (item: Item, request: FastifyRequest) => ItemOf<O, Name>;
  },
): void {
  const { name, read, present } = list;
  serveList<O, Item, Name | undefined>(
    routing,
    operation,
    async ({ teamId, query, request, reply }) => ({
      name,
      present: (item) => present(item, request),
      portions: pageInPortions(
        query as PageRequest,
        (page) => read({ ...query, teamId, ...page } as never),
        (nextCursor) => linkNextPage(request, reply, { nextCursor }),
      ),
    }),
  );
}
