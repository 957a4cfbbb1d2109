import type { Worker } from 'node:cluster';

/** Messages of Node's cluster module between the primary process and a worker (lib/internal/cluster, Node 22 to 26). */
interface ClusterMessage {
  readonly cmd?: string;
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

type Send = (message: ClusterMessage, ...rest: unknown[]) => boolean;

/**
 * Gives connections that a worker had not confirmed when it died to another worker.
 *
 * The cluster module hands a connection over and keeps it open until the worker confirms it. If the worker dies in
 * between, the module waits for ever, and so does the client. For each such connection this answers in the worker's
 * place that it was not accepted. Nothing is changed if a Node version sends other messages.
 */
export function handOverConnectionsOfTheDead({ process: child }: Worker): void {
  const unconfirmed = new Set<number>();
  const send = child.send.bind(child) as Send;
  const watched: Send = (message, ...rest) => {
    if (message.act === 'newconn' && message.seq !== undefined) unconfirmed.add(message.seq);
    return send(message, ...rest);
  };
  child.send = watched as typeof child.send;
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) unconfirmed.delete(ack);
  });
  child.once('exit', () => {
    for (const ack of unconfirmed)
      child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false });
  });
}
