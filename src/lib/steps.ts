/** Work in steps of a millisecond or two. */
export type Steps<Result> = Generator<void, Result>;

/** Does all steps at once, where nothing else waits for the thread. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
