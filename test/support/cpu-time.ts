/**
 * CPU time in ms that the calling thread spends in `work`: unlike a clock on the wall it does not count what
 * the machine does meanwhile.
 */
export function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
