import { nodeHintOf, nodeTagOf } from '../lib/node-tag.ts';
import { findCallNode } from '../store/calls.ts';
import type { Db } from '../store/db.ts';
import type { Capacity } from './capacity.ts';

interface SocketDeps {
  readonly db: Db;
  /** True if this process runs the call. */
  readonly isHere: (callId: string) => boolean;
  readonly room: Pick<Capacity, 'isHere' | 'elsewhere'>;
  /** The node that runs the built-in carrier; undefined: this one. */
  readonly home: () => string | undefined;
}

const LISTEN = /^\/calls\/v1\/conversations\/((?:CC|WC)-[0-9a-f-]{36})\/listen$/;

/** Finds the node for a socket by its URL: by the kind of socket, by its token's tag, or by the call to listen to. */
export function createNodeForSocket({ db, isHere, room, home }: SocketDeps) {
  return async ({ pathname, searchParams }: URL): Promise<string | undefined> => {
    if (pathname.startsWith('/media/handset/')) return home();
    if (pathname.startsWith('/media/')) {
      const token = searchParams.get('token') ?? pathname;
      const nodeId = nodeTagOf(token);
      if (nodeId !== undefined || room.isHere) return nodeId;
      return nodeHintOf(token) ?? room.elsewhere();
    }
    const callId = LISTEN.exec(pathname)?.[1];
    return callId === undefined || isHere(callId) ? undefined : findCallNode(db, { id: callId });
  };
}
