import { randomUUID } from 'node:crypto';
import type { EmulatorAnswer } from './emulator-server.ts';

/** The bridges of an emulated Asterisk, which connect its channels. */
export class AsteriskBridges {
  readonly #members = new Map<string, Set<string>>();

  serve(method: string, path: string, query: URLSearchParams): EmulatorAnswer {
    const [, id, verb] = /^\/bridges(?:\/([^/]+)(?:\/(\w+))?)?$/.exec(path) ?? [];
    if (id === undefined) return method === 'GET' ? this.#list() : this.#make(query);
    const members = this.#members.get(id);
    if (!members) return error(404, 'Bridge not found');
    if (method === 'DELETE') this.#members.delete(id);
    else if (verb === 'addChannel')
      for (const member of (query.get('channel') ?? '').split(',')) members.add(member);
    return { status: 204 };
  }

  leave(channelId: string): void {
    for (const members of this.#members.values()) members.delete(channelId);
  }

  #list(): EmulatorAnswer {
    return { status: 200, json: [...this.#members.keys()].map((id) => ({ id })) };
  }

  #make(query: URLSearchParams): EmulatorAnswer {
    const id = query.get('bridgeId') ?? randomUUID();
    if (this.#members.has(id)) return error(409, 'Bridge with given unique ID already exists');
    this.#members.set(id, new Set());
    return { status: 200, json: { id } };
  }
}

/** An error answer of ARI. */
export function error(status: number, message: string): EmulatorAnswer {
  return { status, json: { message } };
}
