import { nodeHintOf, nodeTagOf } from '../lib/node-tag.ts';
import { findCallNode } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import type { Capacity } from './capacity.ts';

interface SocketDeps {
  readonly db: Db;
  /** True if the node is about to end: its calls are taken by others. */
  readonly isLeaving: (nodeId: string) => boolean;
  /** True if this process runs the call. */
  readonly isHere: (callId: string) => boolean;
  readonly room: Pick<Capacity, 'isHere' | 'elsewhere'>;
  /** The node that runs the built-in carrier; undefined: this one. */
  readonly home: () => string | undefined;
}

const LISTEN = /^\/calls\/v1\/conversations\/((?:CC|WC)-[0-9a-f-]{36})\/listen$/;

/** Finds the node for a socket by its URL: by the kind of socket, by its token's tag, or by the call to listen to. */
export function createNodeForSocket({ db, isLeaving, isHere, room, home }: SocketDeps) {
  return async ({ pathname, searchParams }: URL): Promise<string | undefined> => {
    if (pathname.startsWith('/media/handset/')) return home();
    if (pathname.startsWith('/media/')) {
      const token = searchParams.get('token') ?? pathname;
      const nodeId = nodeTagOf(token);
      // Whoever comes back to a web call is let in by its new node, and waits until there is one.
      if (nodeId !== undefined && pathname.startsWith('/media/web/') && isLeaving(nodeId)) return;
      if (nodeId !== undefined || room.isHere) return nodeId;
      return nodeHintOf(token) ?? room.elsewhere();
    }
    const callId = LISTEN.exec(pathname)?.[1];
    return callId === undefined || isHere(callId) ? undefined : findCallNode(db, { id: callId });
  };
}
