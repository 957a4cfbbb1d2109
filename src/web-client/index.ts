// What the package @parley/web exports.
export type { PlayoutStats } from './adaptive-playout.ts';
export type { CallEnd, CallFault, Said } from './media-socket.ts';
export {
  type CallPhase,
  type Level,
  WebCall,
  type WebCallHandlers,
  type WebCallOptions,
} from './web-call.ts';
