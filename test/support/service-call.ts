import { WebCaller } from '../../src/cli/web-caller.ts';
import type { ConnectedCall } from '../../src/contract/call.ts';
import type { ServiceApi } from './service-process.ts';

export interface ServiceCall {
  readonly id: string;
  readonly caller: WebCaller;
  /** Final lines of both sides as they came, `role: text`. */
  readonly said: string[];
  readonly errors: string[];
}

/** Calls an assistant of a running service through a real socket, perhaps of another process of it. */
export async function dial(
  service: ServiceApi,
  body: object,
  { socketAt = service }: { readonly socketAt?: ServiceApi } = {},
): Promise<ServiceCall> {
  const { id, webCall } = await service.json<ConnectedCall>('/calls/v1/conversations/connect', {
    method: 'POST',
    body: { direction: 'inbound', ...body },
  });
  const said: string[] = [];
  const errors: string[] = [];
  const caller = await WebCaller.connect({
    url: (webCall?.url ?? '').replace(/^ws:..[^/]+/, socketAt.url.replace(/^http/, 'ws')),
    onFrame: (frame) => {
      if (frame.type === 'transcript' && frame.final) said.push(`${frame.role}: ${frame.text}`);
      if (frame.type === 'error') errors.push(frame.code);
    },
  });
  return { id, caller, said, errors };
}
