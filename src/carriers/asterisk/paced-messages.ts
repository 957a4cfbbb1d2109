import { loopRecorder } from '../../lib/loop-recorder.ts';

/** Messages handled without a pause. */
const A_TURN = 32;
/** Waiting messages from which on nothing more is read. */
const ENOUGH = 256;

interface PacedSocket {
  on(event: 'message', listener: (message: Buffer) => void): unknown;
  pause(): void;
  resume(): void;
}

/**
 * Handles the messages of a socket in order, a few in each turn of the loop: a server may send hundreds at once, and what
 * they say is to be parsed on the thread that carries sound. The returned function handles what still waits.
 */
export function paceMessages(socket: PacedSocket, handle: (message: Buffer) => void): () => void {
  const waiting: Buffer[] = [];
  let left = A_TURN;
  let turn: NodeJS.Immediate | undefined;
  let isPaused = false;

  const nextTurn = () => {
    turn = undefined;
    left = A_TURN;
    for (const message of waiting.splice(0, A_TURN)) take(message);
    if (waiting.length > 0) turn ??= setImmediate(nextTurn);
    else if (isPaused) {
      isPaused = false;
      socket.resume();
    }
  };
  const take = (message: Buffer) => {
    left--;
    turn ??= setImmediate(nextTurn);
    loopRecorder.hold('carrier-message', () => handle(message));
  };
  socket.on('message', (message: Buffer) => {
    if (left > 0 && waiting.length === 0) {
      take(message);
      return;
    }
    waiting.push(message);
    if (isPaused || waiting.length < ENOUGH) return;
    isPaused = true;
    socket.pause();
  });
  return () => {
    clearImmediate(turn);
    for (const message of waiting.splice(0)) handle(message);
  };
}
