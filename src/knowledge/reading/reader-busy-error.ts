/** Too many files of the team are waiting, or this machine is too busy to start reading. */
export class ReaderBusyError extends Error {
  override readonly name = 'ReaderBusyError';
}
